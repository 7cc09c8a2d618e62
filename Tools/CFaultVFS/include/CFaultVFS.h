#ifndef CFAULTVFS_H
#define CFAULTVFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A disk in memory that fails as its seed says. SQLite opens files on it under the name of a VFS of its own.
///
/// Every file has two states: what is read, and what would be left if the power went now. Only a sync makes them equal.
/// One thread and one connection at a time, as in the product. Nothing but the seed and the calls decides what happens.
typedef struct kachat_disk kachat_disk;

/// Copies of the files of a disk at one moment.
typedef struct kachat_disk_image kachat_disk_image;

/// A fault of one operation.
typedef enum {
    /// The power goes before the operation, or in the middle of a write.
    KACHAT_DISK_POWER_CUT,
    /// The read fails with EIO.
    KACHAT_DISK_READ_ERROR,
    /// The write fails with EIO; a part of it may have happened.
    KACHAT_DISK_WRITE_ERROR,
    /// The sync fails with EIO. As on Linux, some of what it should have written is lost; no later sync says so.
    KACHAT_DISK_SYNC_ERROR,
    /// The read returns the first part, zeros, and no error. No honest disk does that.
    KACHAT_DISK_SHORT_READ,
    /// The sync says that it is done, and has done nothing. No honest disk does that.
    KACHAT_DISK_SYNC_LIE,
    KACHAT_DISK_FAULTS,
} kachat_disk_fault;

/// A new empty disk, and the VFS that leads to it. NULL without memory.
kachat_disk *kachat_disk_create(uint64_t seed);
/// The disk is gone with its files; connections that are still open can be closed.
void kachat_disk_destroy(kachat_disk *disk);
/// The name under which SQLite finds the VFS.
const char *kachat_disk_vfs(const kachat_disk *disk);

/// The fault happens once, after this many more operations of its kind.
void kachat_disk_arm(kachat_disk *disk, kachat_disk_fault fault, uint64_t after);
void kachat_disk_disarm(kachat_disk *disk);
/// How often a fault happened.
uint64_t kachat_disk_count(const kachat_disk *disk, kachat_disk_fault fault);
/// While it is full, files do not grow, and writes that need it fail with ENOSPC.
void kachat_disk_set_full(kachat_disk *disk, bool is_full);
/// Reads, writes, syncs, truncations, openings and deletions since the start.
uint64_t kachat_disk_operations(const kachat_disk *disk);

/// The process is gone: its handles write no more, not even while they are closed. The files stay as they are read.
void kachat_disk_kill(kachat_disk *disk);
/// The power is gone: the seed keeps, tears or loses each write since the last sync of its file.
void kachat_disk_cut_power(kachat_disk *disk);
/// The power went; every operation fails until `revive`.
bool kachat_disk_is_dead(const kachat_disk *disk);
/// Files can be opened again.
void kachat_disk_revive(kachat_disk *disk);

/// Size of a file as it is read; -1 if there is none.
int64_t kachat_disk_size(const kachat_disk *disk, const char *name);
/// The bytes of a file as it is read; NULL if there is none or it is empty. Valid until the next operation.
const uint8_t *kachat_disk_bytes(const kachat_disk *disk, const char *name);
/// Flips bits of a stored byte. False if it is not there.
bool kachat_disk_rot(kachat_disk *disk, const char *name, uint64_t offset, uint8_t bits);
/// Removes a file as if it had never been there; no live process may have it open. False if it was not there.
bool kachat_disk_lose(kachat_disk *disk, const char *name);

/// The files as a backup would copy them now. NULL without memory.
kachat_disk_image *kachat_disk_copy(const kachat_disk *disk);
/// The files become those of the image, on this disk or on another; no live process may have one open.
void kachat_disk_restore(kachat_disk *disk, const kachat_disk_image *image);
void kachat_disk_image_free(kachat_disk_image *image);

#endif
