/* Loaded before libc: makes the n-th file operation of the process fail, or kills the process at this operation. Ignores
 * pipes and terminals. FAULT_AT: n, from 1. FAULT_KIND: "once" (an input/output error), "full" (no space from then on),
 * "kill" (kills the process), "torn" (kills the process after half of a write). FAULT_COUNT: a file that receives the
 * number of operations at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long count;
static long at;
static const char *kind;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("FAULT_AT");
    kind = getenv("FAULT_KIND");
    at = number ? atol(number) : 0;
    /* Child processes, such as engines, are not affected. */
    unsetenv("FAULT_AT");
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path && at ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)count);
        fclose(file);
    }
}

static void die(void) { kill(getpid(), SIGKILL); }

/* Returns 1 if this operation must fail. For "torn", calls `torn` to do half of it. */
static int fails(void (*torn)(void *), void *of) {
    long number = ++count;
    if (!at || number < at || (number > at && strcmp(kind, "full"))) return 0;
    if (!strcmp(kind, "torn") && torn) torn(of);
    if (!strcmp(kind, "torn") || !strcmp(kind, "kill")) die();
    errno = !strcmp(kind, "full") ? ENOSPC : EIO;
    return 1;
}

static int is_file(int fd) {
    struct stat status;
    return fd > 2 && !fstat(fd, &status) && S_ISREG(status.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct part { int fd; const void *bytes; size_t length; };

static void half(void *of) {
    struct part *part = of;
    ssize_t done = REAL(write)(part->fd, part->bytes, part->length / 2);
    (void)done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    struct part part = {fd, bytes, length};
    return is_file(fd) && fails(half, &part) ? -1 : REAL(write)(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int number) {
    return is_file(fd) && fails(NULL, NULL) ? -1 : REAL(writev)(fd, parts, number);
}

/* Counts the opening of a regular file, also of a new one, but not of the system's own files. */
static int is_opened(const char *path, int flags) {
    struct stat status;
    if (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5)) return 0;
    return flags & O_CREAT || (!stat(path, &status) && S_ISREG(status.st_mode));
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return is_opened(path, flags) && fails(NULL, NULL) ? -1 : REAL(open64)(path, flags, mode);
}

int fsync(int fd) { return fails(NULL, NULL) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(NULL, NULL) ? -1 : REAL(fdatasync)(fd); }
int ftruncate64(int fd, off64_t length) { return fails(NULL, NULL) ? -1 : REAL(ftruncate64)(fd, length); }
int rename(const char *from, const char *to) { return fails(NULL, NULL) ? -1 : REAL(rename)(from, to); }
int link(const char *from, const char *to) { return fails(NULL, NULL) ? -1 : REAL(link)(from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return fails(NULL, NULL) ? -1 : REAL(linkat)(a, from, b, to, flags);
}
int unlink(const char *path) { return fails(NULL, NULL) ? -1 : REAL(unlink)(path); }
