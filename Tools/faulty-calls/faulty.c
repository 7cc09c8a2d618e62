// Preloaded into a node (docs/TESTING.md, "Tests with real processes"): its n-th call that changes something below a
// folder fails, is torn, or is its last.
//
//     KACHAT_FAULT_FOLDER=PATH KACHAT_FAULT_AT=N KACHAT_FAULT=kill|tear|fail|full KACHAT_FAULT_MARK=FILE
//
// kill: SIGKILL before the call. tear: half of a write, then SIGKILL. fail: EIO, full: ENOSPC, both once. FILE is made
// when it happens.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void mark(void) {
    const char *path = getenv("KACHAT_FAULT_MARK");
    int file = path ? creat(path, 0600) : -1;
    if (file >= 0) close(file);
}

static int is_below(const char *path) {
    const char *folder = getenv("KACHAT_FAULT_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return is_below(path);
}

// The fault of this call: its first letter, or 0. A process that is killed does not return.
static char fault(void) {
    const char *at = getenv("KACHAT_FAULT_AT"), *kind = getenv("KACHAT_FAULT");
    if (!at || !kind || atomic_fetch_add(&calls, 1) + 1 != atol(at)) return 0;
    mark();
    if (strcmp(kind, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(kind, "full") == 0) return errno = ENOSPC, 'f';
    if (strcmp(kind, "fail") == 0) return errno = EIO, 'f';
    return 't';
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
    char what = is_ours(file) ? fault() : 0;
    if (what == 'f') return -1;
    ssize_t done = REAL(write)(file, bytes, what == 't' ? count / 2 : count);
    if (what == 't') kill(getpid(), SIGKILL);
    return done;
}

#define PWRITE(name, offset_type)                                                            \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) {            \
        char what = is_ours(file) ? fault() : 0;                                             \
        if (what == 'f') return -1;                                                          \
        ssize_t done = REAL(name)(file, bytes, what == 't' ? count / 2 : count, offset);     \
        if (what == 't') kill(getpid(), SIGKILL);                                            \
        return done;                                                                         \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

// Calls that are done or not: a torn one is one that was not.
#define WHOLE(condition)                                                                     \
    char what = (condition) ? fault() : 0;                                                   \
    if (what == 't') kill(getpid(), SIGKILL);                                                \
    if (what == 'f') return -1

int fsync(int file) { WHOLE(is_ours(file)); return REAL(fsync)(file); }
int fdatasync(int file) { WHOLE(is_ours(file)); return REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) { WHOLE(is_ours(file)); return REAL(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) { WHOLE(is_ours(file)); return REAL(ftruncate64)(file, size); }
int rename(const char *from, const char *to) { WHOLE(is_below(to)); return REAL(rename)(from, to); }
int unlink(const char *path) { WHOLE(is_below(path)); return REAL(unlink)(path); }

#define OPEN(name)                                                                           \
    int name(const char *path, int flags, ...) {                                             \
        va_list rest;                                                                        \
        va_start(rest, flags);                                                               \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;            \
        va_end(rest);                                                                        \
        WHOLE(flags & O_CREAT && is_below(path));                                            \
        return REAL(name)(path, flags, mode);                                                \
    }
OPEN(open)
OPEN(open64)
