#include "disk.h"

#include <stdlib.h>
#include <string.h>

/// The number of bytes that a disk writes at once.
enum { sector = 512 };

/// SplitMix64.
uint64_t disk_draw(kachat_disk *disk) {
    uint64_t z = disk->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

bool disk_hits(kachat_disk *disk, kachat_disk_fault fault) {
    if (disk->armed[fault] == 0 || --disk->armed[fault] > 0) return false;
    disk->counts[fault]++;
    return true;
}

// MARK: Buffers

static bool reserve(disk_buffer *buffer, size_t count) {
    if (count <= buffer->capacity) return true;
    size_t capacity = buffer->capacity * 2 > count ? buffer->capacity * 2 : count;
    uint8_t *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) return false;
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

static bool resize(disk_buffer *buffer, size_t count) {
    if (!reserve(buffer, count)) return false;
    if (count > buffer->count) memset(buffer->bytes + buffer->count, 0, count - buffer->count);
    buffer->count = count;
    return true;
}

static bool put(disk_buffer *buffer, const uint8_t *bytes, size_t count, size_t offset) {
    if (offset + count > buffer->count && !resize(buffer, offset + count)) return false;
    memcpy(buffer->bytes + offset, bytes, count);
    return true;
}

static bool copy(disk_buffer *to, const disk_buffer *from) {
    to->count = 0;
    if (!resize(to, from->count)) return false;
    if (from->count > 0) memcpy(to->bytes, from->bytes, from->count);
    return true;
}

// MARK: Files

disk_file *disk_find(const kachat_disk *disk, const char *name) {
    for (int i = 0; i < disk_files; i++) {
        const disk_file *file = &disk->files[i];
        if (file->name && !file->is_deleted && strcmp(file->name, name) == 0) return (disk_file *)file;
    }
    return NULL;
}

static void forget_changes(disk_file *file) {
    while (file->first) {
        disk_change *change = file->first;
        file->first = change->next;
        free(change);
    }
    file->last = &file->first;
}

static void erase(disk_file *file) {
    forget_changes(file);
    free(file->name);
    free(file->seen.bytes);
    free(file->stored.bytes);
    *file = (disk_file){0};
}

disk_file *disk_make(kachat_disk *disk, const char *name) {
    disk_file *place = NULL;
    for (int i = 0; i < disk_files && !place; i++) {
        if (!disk->files[i].name) place = &disk->files[i];
    }
    for (int i = 0; i < disk_files && !place; i++) {
        if (disk->files[i].is_deleted) place = &disk->files[i];
    }
    if (!place) return NULL;
    erase(place);
    place->name = strdup(name);
    place->last = &place->first;
    return place->name ? place : NULL;
}

void disk_delete(disk_file *file) {
    if (!file->is_known) return erase(file);
    file->is_deleted = true;
}

static bool remember(disk_file *file, disk_change change, const void *bytes) {
    disk_change *kept = malloc(sizeof *kept + (bytes ? change.count : 0));
    if (!kept) return false;
    *kept = change;
    if (bytes) memcpy(kept->bytes, bytes, change.count);
    *file->last = kept;
    file->last = &kept->next;
    return true;
}

bool disk_write(disk_file *file, const void *bytes, size_t count, size_t offset) {
    return put(&file->seen, bytes, count, offset)
        && remember(file, (disk_change){.offset = offset, .count = count}, bytes);
}

bool disk_truncate(disk_file *file, size_t count) {
    return resize(&file->seen, count) && remember(file, (disk_change){.is_truncation = true, .count = count}, NULL);
}

static void store(disk_file *file, const disk_change *change) {
    if (change->is_truncation) {
        resize(&file->stored, change->count);
    } else {
        put(&file->stored, change->bytes, change->count, change->offset);
    }
}

/// The folder's changes go with the next sync of a file in it, as on file systems with a journal.
static void sync_folder(kachat_disk *disk) {
    for (int i = 0; i < disk_files; i++) {
        if (disk->files[i].is_deleted) erase(&disk->files[i]);
    }
}

void disk_sync(kachat_disk *disk, disk_file *file) {
    for (const disk_change *change = file->first; change; change = change->next) store(file, change);
    forget_changes(file);
    file->is_known = true;
    sync_folder(disk);
}

void disk_fail_sync(kachat_disk *disk, disk_file *file) {
    for (const disk_change *change = file->first; change; change = change->next) {
        if (disk_draw(disk) & 1) store(file, change);
    }
    forget_changes(file);
}

// MARK: Power

/// The effect of a power cut on the changes since the last sync.
typedef enum {
    leaves_nothing,
    leaves_all,
    /// The first ones, and a part of the next.
    leaves_prefix,
    /// Any, torn or not: later ones may be there without earlier ones.
    leaves_any,
    leavings,
} leaving;

static void tear(kachat_disk *disk, disk_file *file, const disk_change *change, bool from_start) {
    size_t kept = change->count > 0 ? disk_draw(disk) % change->count : 0;
    if (from_start) {
        put(&file->stored, change->bytes, kept / sector * sector, change->offset);
        return;
    }
    for (size_t at = 0; at < change->count; at += sector) {
        size_t count = change->count - at < sector ? change->count - at : sector;
        if (disk_draw(disk) & 1) put(&file->stored, change->bytes + at, count, change->offset + at);
    }
}

static void lose_changes(kachat_disk *disk, disk_file *file, leaving how) {
    size_t count = 0;
    for (const disk_change *change = file->first; change; change = change->next) count++;
    size_t through = count > 0 ? disk_draw(disk) % count : 0;
    size_t number = 0;
    for (const disk_change *change = file->first; change; change = change->next, number++) {
        bool is_kept = how == leaves_all || (how == leaves_prefix && number < through);
        bool is_torn = how == leaves_prefix && number == through;
        if (how == leaves_any) {
            uint64_t drawn = disk_draw(disk) % 3;
            is_kept = drawn == 0;
            is_torn = drawn == 1;
        }
        if (is_kept) store(file, change);
        if (is_torn && !change->is_truncation) tear(disk, file, change, how == leaves_prefix);
    }
    forget_changes(file);
    copy(&file->seen, &file->stored);
}

void kachat_disk_kill(kachat_disk *disk) { disk->life++; }

void kachat_disk_cut_power(kachat_disk *disk) {
    kachat_disk_kill(disk);
    disk->is_dead = true;
    leaving how = (leaving)(disk_draw(disk) % leavings);
    for (int i = 0; i < disk_files; i++) {
        disk_file *file = &disk->files[i];
        if (!file->name) continue;
        lose_changes(disk, file, how);
        if (file->is_deleted) {
            file->is_deleted = false;
            bool is_back = disk_find(disk, file->name) == file && (disk_draw(disk) & 1);
            if (!is_back) erase(file);
        } else if (!file->is_known) {
            if (disk_draw(disk) & 1) erase(file); else file->is_known = true;
        }
    }
}

bool kachat_disk_is_dead(const kachat_disk *disk) { return disk->is_dead; }

void kachat_disk_revive(kachat_disk *disk) { disk->is_dead = false; }

// MARK: Faults

void kachat_disk_arm(kachat_disk *disk, kachat_disk_fault fault, uint64_t after) { disk->armed[fault] = after + 1; }

void kachat_disk_disarm(kachat_disk *disk) { memset(disk->armed, 0, sizeof disk->armed); }

uint64_t kachat_disk_count(const kachat_disk *disk, kachat_disk_fault fault) { return disk->counts[fault]; }

void kachat_disk_set_full(kachat_disk *disk, bool is_full) { disk->is_full = is_full; }

uint64_t kachat_disk_operations(const kachat_disk *disk) { return disk->operations; }

// MARK: Looking and damaging

int64_t kachat_disk_size(const kachat_disk *disk, const char *name) {
    const disk_file *file = disk_find(disk, name);
    return file ? (int64_t)file->seen.count : -1;
}

const uint8_t *kachat_disk_bytes(const kachat_disk *disk, const char *name) {
    const disk_file *file = disk_find(disk, name);
    return file ? file->seen.bytes : NULL;
}

bool kachat_disk_rot(kachat_disk *disk, const char *name, uint64_t offset, uint8_t bits) {
    disk_file *file = disk_find(disk, name);
    if (!file || offset >= file->seen.count) return false;
    file->seen.bytes[offset] ^= bits;
    if (offset < file->stored.count) file->stored.bytes[offset] ^= bits;
    return true;
}

bool kachat_disk_lose(kachat_disk *disk, const char *name) {
    disk_file *file = disk_find(disk, name);
    if (!file) return false;
    erase(file);
    return true;
}

// MARK: Copies

struct kachat_disk_image {
    struct {
        char *name;
        disk_buffer bytes;
    } files[disk_files];
};

kachat_disk_image *kachat_disk_copy(const kachat_disk *disk) {
    kachat_disk_image *image = calloc(1, sizeof *image);
    for (int i = 0; image && i < disk_files; i++) {
        const disk_file *file = &disk->files[i];
        if (!file->name || file->is_deleted) continue;
        image->files[i].name = strdup(file->name);
        if (image->files[i].name && copy(&image->files[i].bytes, &file->seen)) continue;
        kachat_disk_image_free(image);
        image = NULL;
    }
    return image;
}

void kachat_disk_restore(kachat_disk *disk, const kachat_disk_image *image) {
    for (int i = 0; i < disk_files; i++) erase(&disk->files[i]);
    for (int i = 0; i < disk_files; i++) {
        if (!image->files[i].name) continue;
        disk_file *file = disk_make(disk, image->files[i].name);
        if (!file) continue;
        file->is_known = true;
        copy(&file->seen, &image->files[i].bytes);
        copy(&file->stored, &image->files[i].bytes);
    }
}

void kachat_disk_image_free(kachat_disk_image *image) {
    if (!image) return;
    for (int i = 0; i < disk_files; i++) {
        free(image->files[i].name);
        free(image->files[i].bytes.bytes);
    }
    free(image);
}

// MARK: The disk

kachat_disk *kachat_disk_create(uint64_t seed) {
    kachat_disk *disk = calloc(1, sizeof *disk);
    if (!disk) return NULL;
    disk->random = seed;
    disk->life = 1;
    disk_register(disk);
    return disk;
}

static void end(kachat_disk *disk) {
    sqlite3_vfs_unregister(&disk->vfs);
    for (int i = 0; i < disk_files; i++) erase(&disk->files[i]);
    free(disk);
}

void disk_release(kachat_disk *disk) {
    if (--disk->handles == 0 && disk->is_released) end(disk);
}

void kachat_disk_destroy(kachat_disk *disk) {
    if (!disk) return;
    kachat_disk_kill(disk);
    disk->is_released = true;
    if (disk->handles == 0) end(disk);
}

const char *kachat_disk_vfs(const kachat_disk *disk) { return disk->vfs_name; }
