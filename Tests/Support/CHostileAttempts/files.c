/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: 1 (reading), 2 (through descriptors), 3 (writing), 24 (what was inherited), 25 (proc), 26 (ioctls); 18 (what
 * is given).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "attempts.h"

static void read_file(const char *path) {
    char byte;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    say_result(file < 0 ? file : read(file, &byte, 1));
}

/* Upwards from every folder that there is a way to hold, and from every descriptor that is open already. */
static void climb(const char *path) {
    static const char *const folders[] = {"/", "/usr/lib", "/proc", ".", "/proc/self/cwd", "/proc/self/root"};
    char up[512] = "../../../../../../..";
    strncat(up, path, sizeof up - strlen(up) - 1);
    for (size_t index = 0; index < sizeof folders / sizeof folders[0]; index++) {
        const int folder = open(folders[index], O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            say_result(openat(folder, up, O_RDONLY | O_CLOEXEC));
            (void)close(folder);
        }
    }
    for (int descriptor = 0; descriptor < 64; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            const int file = openat(descriptor, up + 3, O_RDONLY | O_CLOEXEC);
            if (file >= 0 || errno != ENOTDIR) {
                say_result(file);
            }
        }
    }
}

static void create(const char *folder) {
    char path[512];
    (void)strcpy(path, folder);
    (void)strncat(path, "/created-by-a-worker", sizeof path - strlen(path) - 1);
    say_result(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

static void change(const char *path) {
    say_result(open(path, O_WRONLY | O_CLOEXEC));
    say_result(open(path, O_RDWR | O_TRUNC | O_CLOEXEC));
}

/* Everything that alters a folder, by every name the kernel has for it. */
static void rearrange(const char *path) {
    say_result(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
    say_result(syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, "/elsewhere", 0));
    say_result(syscall(SYS_mkdirat, AT_FDCWD, "/folder", 0700));
    say_result(syscall(SYS_fchmodat, AT_FDCWD, path, 0777));
    say_result(syscall(SYS_utimensat, AT_FDCWD, path, NULL, 0));
}

static void linking(const char *path) {
    say_result(syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, "/link", 0));
    say_result(syscall(SYS_symlinkat, path, AT_FDCWD, "/link"));
    say_result(syscall(SYS_mknodat, AT_FDCWD, "/node", S_IFCHR | 0666, (1 << 8) | 3));
    say_result(syscall(SYS_fchownat, AT_FDCWD, path, 0, 0, 0));
    say_result(syscall(SYS_truncate, path, 0L));
}

static void descriptors(const char *unused) {
    (void)unused;
    for (int descriptor = 0; descriptor < 4096; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            say("%d,", descriptor);
        }
    }
}

/* How many processes can be seen, other than this one. */
static void processes(const char *unused) {
    (void)unused;
    DIR *const folder = opendir("/proc");
    if (folder == NULL) {
        say_result(-1);
        return;
    }
    int count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const long number = strtol(entry->d_name, NULL, 10);
        count += number > 0 && number != getpid() ? 1 : 0;
    }
    say_words(count == 0 ? "alone" : "others");
}

static void control(const char *unused) {
    (void)unused;
    char byte = 'x';
    struct termios terminal = {0};
    int number = 0;
    for (int descriptor = 0; descriptor <= 3; descriptor++) {
        say_result(ioctl(descriptor, TIOCSTI, &byte));
        say_result(ioctl(descriptor, TCGETS, &terminal));
        say_result(ioctl(descriptor, TIOCSCTTY, 1));
        say_result(ioctl(descriptor, FIOASYNC, &number));
        say_result(ioctl(descriptor, FS_IOC_GETFLAGS, &number));
    }
}

/* Packets that carry standard error; the answer follows the last. */
static void give_descriptors(const char *count) {
    for (int number = atoi(count); number > 0; number--) {
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int))];
        } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
        const int gift = STDERR_FILENO;
        memcpy(CMSG_DATA(&control.header), &gift, sizeof gift);
        struct iovec part = {"x", 1};
        const struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t sent;
        do {
            sent = sendmsg(3, &message, MSG_NOSIGNAL); /* the kernel bounds how many are on their way */
        } while (sent < 0 && errno == ETOOMANYREFS && sched_yield() == 0);
    }
    say_words("given");
}

const struct attempt file_attempts[] = {
    {"read", read_file},
    {"climb", climb},
    {"create", create},
    {"change", change},
    {"rearrange", rearrange},
    {"link", linking},
    {"descriptors", descriptors},
    {"processes", processes},
    {"control", control},
    {"give-descriptors", give_descriptors},
    {NULL, NULL},
};
