/* A library to preload: it counts the system calls on files below a folder, and at the N-th lets
 * one fail, end the process, or take half of what is written; before any one of them, or all from
 * one on, it can act as a client that appends a line, with a number in the place of "@@@". `faults_arm` sets it up in a child that was just forked; what
 * happened lies in shared memory, so that the parent can read it after a kill. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOTHING, KILL, FAIL, FAIL_ALWAYS, SHORT, SHORT_FULL, SHORT_KILL };
enum { GAPS = 4096, FDS = 4096, NAME = 16 };

struct report {
    long calls;               /* how many calls there were */
    long hit;                 /* whether the fault happened */
    long appended;            /* how many lines the client got written */
    char names[GAPS][NAME];   /* what each call was */
};

struct plan {
    char below[512];
    long at;
    int fault, error;
    long client_at;
    char client_path[512], client_other[512];
    int client_every, client_fd, client_creates;
    char line[2048];
};

static struct report *seen;
static struct plan plan;
static int armed, full;
static char ours[FDS];

/* Memory that this process shares with the children it forks from now on. */
void faults_start(void) {
    seen = mmap(0, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

struct report *faults_report(void) { return seen; }
void faults_reset(void) { memset(seen, 0, sizeof *seen); }

void faults_arm(const struct plan *wanted) {
    plan = *wanted;
    memset(ours, 0, sizeof ours);
    full = 0;
    armed = 1;
}

void faults_disarm(void) { armed = 0; }

static int open_raw(const char *path, int flags, mode_t mode) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* What a client does: one append of one whole line, through the kernel itself. */
static void append_as_client(void) {
    int fd = plan.client_fd, own = 0;
    if (fd < 0) {
        int flags = O_WRONLY | O_APPEND | (plan.client_creates ? O_CREAT : 0);
        fd = open_raw(plan.client_path, flags, 0600);
        if (fd < 0 && plan.client_other[0])
            fd = open_raw(plan.client_other, O_WRONLY | O_APPEND, 0);
        own = 1;
    }
    if (fd < 0)
        return;
    char line[sizeof plan.line + 20];
    const char *number = strstr(plan.line, "@@@");
    int start = number ? (int)(number - plan.line) : 0;
    long length = number ? snprintf(line, sizeof line, "%.*s%ld%s", start, plan.line,
                                    seen->appended + 1, number + 3)
                         : snprintf(line, sizeof line, "%s", plan.line);
    if (syscall(SYS_write, fd, line, length) == length)
        seen->appended++;
    if (own)
        syscall(SYS_close, fd);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Tells what a call does: 0 goes on, 1 fails, 2 takes half. */
static int meet(const char *name, int writes) {
    if (full && writes) {
        errno = ENOSPC;
        return 1;
    }
    long count = ++seen->calls;
    if (count < GAPS)
        strncpy(seen->names[count], name, NAME - 1);
    /* Before every read it would never let a reader come to the end. */
    int again = plan.client_every && count > plan.client_at && strcmp(name, "read") != 0;
    if (count == plan.client_at || again)
        append_as_client();
    if (count != plan.at && !(plan.fault == FAIL_ALWAYS && plan.at && count > plan.at))
        return 0;
    seen->hit = 1;
    switch (plan.fault) {
    case KILL:
        die();
        break;
    case FAIL:
    case FAIL_ALWAYS:
        errno = plan.error;
        return 1;
    case SHORT:
    case SHORT_FULL:
    case SHORT_KILL:
        return 2;
    default:
        break;
    }
    return 0;
}

static int is_ours(const char *path) {
    return armed && path && strncmp(path, plan.below, strlen(plan.below)) == 0;
}

static int is_our_fd(int fd) { return armed && fd >= 0 && fd < FDS && ours[fd]; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_PATH(result, name, given, passed, path)                                                 \
    result name given {                                                                            \
        static __typeof__(&name) real;                                                             \
        if (!real)                                                                                 \
            real = REAL(name);                                                                     \
        if (is_ours(path) && meet(#name, 0) == 1)                                                  \
            return -1;                                                                             \
        return real passed;                                                                        \
    }

ON_PATH(int, rename, (const char *from, const char *to), (from, to), to)
ON_PATH(int, link, (const char *from, const char *to), (from, to), to)
ON_PATH(int, unlink, (const char *path), (path), path)
ON_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), path)
ON_PATH(int, rmdir, (const char *path), (path), path)
ON_PATH(int, chmod, (const char *path, mode_t mode), (path, mode), path)
ON_PATH(int, fchmodat, (int folder, const char *path, mode_t mode, int flags),
        (folder, path, mode, flags), path)
ON_PATH(int, truncate64, (const char *path, off64_t size), (path, size), path)
ON_PATH(int, stat64, (const char *path, struct stat64 *found), (path, found), path)
ON_PATH(int, lstat64, (const char *path, struct stat64 *found), (path, found), path)
ON_PATH(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags),
        (folder, path, times, flags), path)

static int open_counted(const char *path, int flags, mode_t mode) {
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    if (is_ours(path) && meet(flags & O_CREAT ? "create" : writes ? "open" : "open-read", 0) == 1)
        return -1;
    int fd = open_raw(path, flags | O_LARGEFILE, mode);
    if (fd >= 0 && fd < FDS)
        ours[fd] = is_ours(path);
    return fd;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                  \
        va_end(more);                                                                              \
        return open_counted(path, flags, mode);                                                    \
    }

OPEN(open)
OPEN(open64)

DIR *opendir(const char *path) {
    static __typeof__(&opendir) real;
    if (!real)
        real = REAL(opendir);
    if (is_ours(path) && meet("opendir", 0) == 1)
        return NULL;
    return real(path);
}

int close(int fd) {
    if (fd >= 0 && fd < FDS)
        ours[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

int fstat64(int fd, struct stat64 *found) {
    static __typeof__(&fstat64) real;
    if (!real)
        real = REAL(fstat64);
    if (is_our_fd(fd) && meet("fstat64", 0) == 1)
        return -1;
    return real(fd, found);
}

ssize_t read(int fd, void *buffer, size_t count) {
    if (is_our_fd(fd) && meet("read", 0) == 1)
        return -1;
    return syscall(SYS_read, fd, buffer, count);
}

ssize_t write(int fd, const void *buffer, size_t count) {
    int what = is_our_fd(fd) ? meet("write", 1) : 0;
    if (what == 1)
        return -1;
    if (what == 2) {
        ssize_t half = syscall(SYS_write, fd, buffer, count / 2);
        if (plan.fault == SHORT_KILL)
            die();
        full = plan.fault == SHORT_FULL;
        return half;
    }
    return syscall(SYS_write, fd, buffer, count);
}

/* A database reads and writes at places. */
static ssize_t write_at(int fd, const void *buffer, size_t count, off64_t at) {
    int what = is_our_fd(fd) ? meet("pwrite", 1) : 0;
    if (what == 1)
        return -1;
    if (what == 2) {
        ssize_t half = syscall(SYS_pwrite64, fd, buffer, count / 2, at);
        if (plan.fault == SHORT_KILL)
            die();
        full = plan.fault == SHORT_FULL;
        return half;
    }
    return syscall(SYS_pwrite64, fd, buffer, count, at);
}

static ssize_t read_at(int fd, void *buffer, size_t count, off64_t at) {
    if (is_our_fd(fd) && meet("pread", 0) == 1)
        return -1;
    return syscall(SYS_pread64, fd, buffer, count, at);
}

ssize_t pwrite(int fd, const void *buffer, size_t count, off_t at) {
    return write_at(fd, buffer, count, at);
}
ssize_t pwrite64(int fd, const void *buffer, size_t count, off64_t at) {
    return write_at(fd, buffer, count, at);
}
ssize_t pread(int fd, void *buffer, size_t count, off_t at) {
    return read_at(fd, buffer, count, at);
}
ssize_t pread64(int fd, void *buffer, size_t count, off64_t at) {
    return read_at(fd, buffer, count, at);
}

static int cut(int fd, off64_t size) {
    if (is_our_fd(fd) && meet("ftruncate", 0) == 1)
        return -1;
    return (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off64_t size) { return cut(fd, size); }

int fdatasync(int fd) {
    if (is_our_fd(fd) && meet("fdatasync", 0) == 1)
        return -1;
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd) {
    static __typeof__(&fsync) real;
    if (!real)
        real = REAL(fsync);
    if (is_our_fd(fd) && meet("fsync", 0) == 1)
        return -1;
    return real(fd);
}
