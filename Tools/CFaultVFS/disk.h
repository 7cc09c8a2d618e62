#ifndef CFAULTVFS_DISK_H
#define CFAULTVFS_DISK_H

#include <sqlite3.h>

#include "CFaultVFS.h"

/// SQLite uses a database, its log and its journal; three more names are room to spare.
enum { disk_files = 6 };

typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} disk_buffer;

/// A change since the last sync: bytes at an offset, or a new size.
typedef struct disk_change {
    struct disk_change *next;
    bool is_truncation;
    size_t offset;
    size_t count;
    uint8_t bytes[];
} disk_change;

typedef struct {
    char *name;
    disk_buffer seen;
    disk_buffer stored;
    disk_change *first;
    disk_change **last;
    /// Its name in the folder survives a power cut.
    bool is_known;
    /// Deleted, and the folder was not synced: a power cut may bring it back.
    bool is_deleted;
} disk_file;

struct kachat_disk {
    sqlite3_vfs vfs;
    char vfs_name[32];
    uint64_t random;
    /// Handles of an earlier life do nothing.
    uint64_t life;
    bool is_dead;
    bool is_full;
    /// Nobody uses it any more but connections that are still open.
    bool is_released;
    unsigned handles;
    uint64_t operations;
    int error;
    /// Operations until the fault, plus one; 0 for none.
    uint64_t armed[KACHAT_DISK_FAULTS];
    uint64_t counts[KACHAT_DISK_FAULTS];
    disk_file files[disk_files];
};

uint64_t disk_draw(kachat_disk *disk);
/// Counts an operation that the fault can hit; true if it does.
bool disk_hits(kachat_disk *disk, kachat_disk_fault fault);
disk_file *disk_find(const kachat_disk *disk, const char *name);
/// NULL without a place or memory.
disk_file *disk_make(kachat_disk *disk, const char *name);
void disk_delete(disk_file *file);
/// False without memory.
bool disk_write(disk_file *file, const void *bytes, size_t count, size_t offset);
bool disk_truncate(disk_file *file, size_t count);
void disk_sync(kachat_disk *disk, disk_file *file);
/// Each change since the last sync is kept or not, and a later sync knows of none.
void disk_fail_sync(kachat_disk *disk, disk_file *file);
void disk_register(kachat_disk *disk);
/// A handle was closed; the last one of a released disk ends it.
void disk_release(kachat_disk *disk);

#endif
