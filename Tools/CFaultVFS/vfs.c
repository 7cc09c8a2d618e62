#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"

/// Regions of 32 KiB: more than a log's index ever needs here.
enum { shared_regions = 64 };

/// An open file, as SQLite holds it.
typedef struct {
    sqlite3_file base;
    kachat_disk *disk;
    disk_file *file;
    uint64_t life;
    /// Removed when it is closed.
    bool is_temporary;
    /// The log's index: of this handle alone, since there is one connection.
    void *shared[shared_regions];
} handle;

static int fail(kachat_disk *disk, int code, int error) {
    disk->error = errno = error;
    return code;
}

/// Counts an operation. True if it cannot happen: the power is or has just gone, or this process is dead.
static bool is_gone(handle *file) {
    kachat_disk *disk = file->disk;
    if (file->life != disk->life || disk->is_dead) return true;
    disk->operations++;
    if (!disk_hits(disk, KACHAT_DISK_POWER_CUT)) return false;
    kachat_disk_cut_power(disk);
    return true;
}

// MARK: Files

static void unshare(handle *file) {
    for (int i = 0; i < shared_regions; i++) free(file->shared[i]);
    memset(file->shared, 0, sizeof file->shared);
}

static int vfs_close(sqlite3_file *base) {
    handle *file = (handle *)base;
    if (file->is_temporary && file->life == file->disk->life) disk_delete(file->file);
    unshare(file);
    disk_release(file->disk);
    return SQLITE_OK;
}

static int vfs_read(sqlite3_file *base, void *into, int count, sqlite3_int64 offset) {
    handle *file = (handle *)base;
    if (is_gone(file)) return fail(file->disk, SQLITE_IOERR_READ, EIO);
    if (disk_hits(file->disk, KACHAT_DISK_READ_ERROR)) return fail(file->disk, SQLITE_IOERR_READ, EIO);
    const disk_buffer *seen = &file->file->seen;
    size_t there = (size_t)offset < seen->count ? seen->count - (size_t)offset : 0;
    if (there > (size_t)count) there = (size_t)count;
    if (there > 0 && disk_hits(file->disk, KACHAT_DISK_SHORT_READ)) there = disk_draw(file->disk) % there;
    if (there > 0) memcpy(into, seen->bytes + offset, there);
    if (there == (size_t)count) return SQLITE_OK;
    memset((char *)into + there, 0, (size_t)count - there);
    return SQLITE_IOERR_SHORT_READ;
}

static int vfs_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    handle *file = (handle *)base;
    kachat_disk *disk = file->disk;
    // The write at which the power goes is torn like those before it.
    bool is_last = disk->armed[KACHAT_DISK_POWER_CUT] == 1 && file->life == disk->life && !disk->is_dead;
    if (is_last) disk_write(file->file, bytes, (size_t)count, (size_t)offset);
    if (is_gone(file)) return fail(disk, SQLITE_IOERR_WRITE, EIO);
    if (disk->is_full && (size_t)offset + (size_t)count > file->file->seen.count) {
        return fail(disk, SQLITE_FULL, ENOSPC);
    }
    if (disk_hits(disk, KACHAT_DISK_WRITE_ERROR)) {
        size_t done = disk_draw(disk) % (size_t)(count + 1);
        if (done > 0) disk_write(file->file, bytes, done, (size_t)offset);
        return fail(disk, SQLITE_IOERR_WRITE, EIO);
    }
    bool is_done = disk_write(file->file, bytes, (size_t)count, (size_t)offset);
    return is_done ? SQLITE_OK : fail(disk, SQLITE_IOERR_NOMEM, ENOMEM);
}

static int vfs_truncate(sqlite3_file *base, sqlite3_int64 count) {
    handle *file = (handle *)base;
    if (is_gone(file)) return fail(file->disk, SQLITE_IOERR_TRUNCATE, EIO);
    bool is_done = disk_truncate(file->file, (size_t)count);
    return is_done ? SQLITE_OK : fail(file->disk, SQLITE_IOERR_NOMEM, ENOMEM);
}

static int vfs_sync(sqlite3_file *base, int flags) {
    (void)flags;
    handle *file = (handle *)base;
    kachat_disk *disk = file->disk;
    if (is_gone(file)) return fail(disk, SQLITE_IOERR_FSYNC, EIO);
    if (disk_hits(disk, KACHAT_DISK_SYNC_ERROR)) {
        disk_fail_sync(disk, file->file);
        return fail(disk, SQLITE_IOERR_FSYNC, EIO);
    }
    if (!disk_hits(disk, KACHAT_DISK_SYNC_LIE)) disk_sync(disk, file->file);
    return SQLITE_OK;
}

static int vfs_file_size(sqlite3_file *base, sqlite3_int64 *size) {
    handle *file = (handle *)base;
    if (file->life != file->disk->life) return fail(file->disk, SQLITE_IOERR_FSTAT, EIO);
    *size = (sqlite3_int64)file->file->seen.count;
    return SQLITE_OK;
}

/// A dead process holds no lock, and must not find that it may write.
static int vfs_lock(sqlite3_file *base, int level) {
    (void)level;
    handle *file = (handle *)base;
    return file->life == file->disk->life && !file->disk->is_dead ? SQLITE_OK : SQLITE_IOERR_LOCK;
}

static int vfs_unlock(sqlite3_file *base, int level) {
    (void)base, (void)level;
    return SQLITE_OK;
}

static int vfs_check_reserved_lock(sqlite3_file *base, int *is_held) {
    (void)base;
    *is_held = 0;
    return SQLITE_OK;
}

static int vfs_file_control(sqlite3_file *base, int operation, void *argument) {
    (void)base, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

static int vfs_sector_size(sqlite3_file *base) {
    (void)base;
    return 512;
}

/// None, not even that a write leaves the bytes around it alone within a sector.
static int vfs_characteristics(sqlite3_file *base) {
    (void)base;
    return 0;
}

// MARK: Shared memory

static int vfs_shm_map(sqlite3_file *base, int region, int size, int may_extend, void volatile **at) {
    handle *file = (handle *)base;
    if (region >= shared_regions) return SQLITE_IOERR_SHMMAP;
    if (!file->shared[region] && may_extend) file->shared[region] = calloc(1, (size_t)size);
    *at = file->shared[region];
    return *at || !may_extend ? SQLITE_OK : SQLITE_IOERR_NOMEM;
}

static int vfs_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    (void)base, (void)offset, (void)count, (void)flags;
    return SQLITE_OK;
}

static void vfs_shm_barrier(sqlite3_file *base) {
    (void)base;
    atomic_thread_fence(memory_order_seq_cst);
}

static int vfs_shm_unmap(sqlite3_file *base, int is_deleted) {
    (void)is_deleted;
    unshare((handle *)base);
    return SQLITE_OK;
}

// MARK: The file system

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = vfs_close,
    .xRead = vfs_read,
    .xWrite = vfs_write,
    .xTruncate = vfs_truncate,
    .xSync = vfs_sync,
    .xFileSize = vfs_file_size,
    .xLock = vfs_lock,
    .xUnlock = vfs_unlock,
    .xCheckReservedLock = vfs_check_reserved_lock,
    .xFileControl = vfs_file_control,
    .xSectorSize = vfs_sector_size,
    .xDeviceCharacteristics = vfs_characteristics,
    .xShmMap = vfs_shm_map,
    .xShmLock = vfs_shm_lock,
    .xShmBarrier = vfs_shm_barrier,
    .xShmUnmap = vfs_shm_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *flags_out) {
    handle *file = (handle *)base;
    *file = (handle){.disk = vfs->pAppData};
    file->life = file->disk->life;
    if (is_gone(file)) return fail(file->disk, SQLITE_CANTOPEN, EIO);
    file->is_temporary = !name;
    file->file = disk_find(file->disk, name ? name : "temporary");
    if (!file->file && (flags & SQLITE_OPEN_CREATE)) {
        if (file->disk->is_full) return fail(file->disk, SQLITE_FULL, ENOSPC);
        file->file = disk_make(file->disk, name ? name : "temporary");
    }
    if (!file->file) return fail(file->disk, SQLITE_CANTOPEN, ENOENT);
    if (flags_out) *flags_out = flags;
    file->disk->handles++;
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
    handle process = {.disk = vfs->pAppData, .life = ((kachat_disk *)vfs->pAppData)->life};
    if (is_gone(&process)) return fail(process.disk, SQLITE_IOERR_DELETE, EIO);
    disk_file *file = disk_find(process.disk, name);
    if (!file) return SQLITE_IOERR_DELETE_NOENT;
    if (syncs_folder) file->is_known = false;
    disk_delete(file);
    return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *is_there) {
    const disk_file *file = disk_find(vfs->pAppData, name);
    // SQLite takes an empty log for none.
    *is_there = file && (flags != SQLITE_ACCESS_EXISTS || file->seen.count > 0);
    return SQLITE_OK;
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int room, char *into) {
    (void)vfs;
    return snprintf(into, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *into) {
    for (int i = 0; i < count; i++) into[i] = (char)disk_draw(vfs->pAppData);
    return count;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

/// 1970-01-01, in milliseconds of the Julian day: nothing in a store may depend on it.
static int vfs_time(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    (void)vfs;
    *milliseconds = 210866760000000;
    return SQLITE_OK;
}

static int vfs_last_error(sqlite3_vfs *vfs, int room, char *into) {
    (void)room, (void)into;
    return ((kachat_disk *)vfs->pAppData)->error;
}

void disk_register(kachat_disk *disk) {
    static atomic_uint numbers;
    snprintf(disk->vfs_name, sizeof disk->vfs_name, "kachat-disk-%u", atomic_fetch_add(&numbers, 1));
    disk->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = sizeof(handle),
        .mxPathname = 256,
        .zName = disk->vfs_name,
        .pAppData = disk,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_pathname,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTimeInt64 = vfs_time,
        .xGetLastError = vfs_last_error,
    };
    sqlite3_vfs_register(&disk->vfs, 0);
}
