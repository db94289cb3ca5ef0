/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage 2: what a Swift extension needs once its libraries are loaded, over stage 1, which stays the boundary. Whatever
 * is in no list and under no rule kills. What ordinary libraries try, and go on without, answers an error.
 * docs/sandbox.md says what the two stages are for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "filter_code.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* clang-format off */
static const char *const memory[] = {"brk", "munmap", "madvise", "mlock", "mlock2", "munlock", NULL};

/* The thread pool of libdispatch reads /proc/TID/stat, and ends the process where it cannot. */
static const char *const files[] = {
    "close", "read", "write", "readv", "writev", "pread64", "lseek", "stat", "lstat", "fstat", "newfstatat", "statx",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "getdents64", "dup", "dup2", "dup3",
    "pipe", "pipe2", NULL};

static const char *const waiting[] = {
    "poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2",
    "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime", "nanosleep", "clock_nanosleep",
    "clock_gettime", "clock_getres", "gettimeofday", "time", NULL};

/* tgkill: stage 1 says to whom. */
static const char *const threads_and_signals[] = {
    "futex", "set_robust_list", "rseq", "membarrier", "sched_yield", "sched_getaffinity", "sched_getparam",
    "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min", "rt_sigaction", "rt_sigprocmask",
    "rt_sigreturn", "rt_sigsuspend", "sigaltstack", "tgkill", "pause", "restart_syscall", "exit", "exit_group", NULL};

static const char *const itself[] = {
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getrusage",
    "getcpu", "getrandom", "uname", "sysinfo", NULL};

static const char *const packets[] = {"sendto", "recvfrom", "sendmsg", "recvmsg", NULL};

/* As in stage 1: reallocations copy instead. */
static const char *const moved[] = {"mremap", NULL};
/* libdispatch's threads lower their priority, and on an error look for a log daemon. */
static const char *const pretended[] = {"setpriority", "ioprio_set", NULL};
static const char *const sockets[] = {"socket", NULL};
/* libcurl's first step; its next one tells the caller that there is no network. */
static const char *const socket_pairs[] = {"socketpair", NULL};
static const char *const old_open[] = {"open", NULL};
static const char *const terminals[] = {"ioctl", NULL};
/* Its flags are behind a pointer; libraries come back to clone. */
static const char *const new_clone[] = {"clone3", NULL};
static const char *const attributes[] = {
    "setxattr", "lsetxattr", "fsetxattr", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr",
    "flistxattr", "removexattr", "lremovexattr", "fremovexattr", NULL};

static const char *const changes[] = {
    "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2", "ftruncate", "fchmod",
    "pwrite64", "fallocate", "copy_file_range", "sendfile", "utimensat", "fsync", "fdatasync", "flock", NULL};
static const char *const modes[] = {"chmod", "fchmodat", NULL};
/* Code that copies files tries these, and goes on without. */
static const char *const owners_and_links[] = {
    "link", "linkat", "symlink", "symlinkat", "chown", "fchown", "lchown", "fchownat", "truncate", NULL};

static const char *const with_scratch[] = {"statfs", "fstatfs", "fadvise64", "chdir", "fchdir", "umask", NULL};

static const char *const connected[] = {
    "connect", "shutdown", "getsockopt", "getsockname", "getpeername", NULL};
/* clang-format on */

static const struct rule mmap_rule = {"mmap",
                                      ALLOW,
                                      {{ERROR(EACCES), {{2, PROT_EXEC, PROT_EXEC}}},
                                       {ERROR(ENOMEM), {{3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS}}},
                                       {ERROR(ENOMEM), {{3, MAP_GROWSDOWN, MAP_GROWSDOWN}}}}};

static const struct rule mprotect_rule = {"mprotect", ALLOW, {{ERROR(EACCES), {{2, PROT_EXEC, PROT_EXEC}}}}};

#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))
static const struct rule reading_rule = {"openat", ERROR(EROFS), {{ALLOW, {{2, WRITING, O_RDONLY}}}}};
/* Where, and with which modes, is stage 1's to say. */
static const struct rule writing_rule = {.name = "openat", .otherwise = ALLOW};

static const struct rule prctl_rule = {"prctl",
                                       SECCOMP_RET_KILL_PROCESS,
                                       {{ALLOW, {{0, LOW, PR_SET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_GET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_SET_VMA}}},
                                        {ALLOW, {{0, LOW, PR_SET_TIMERSLACK}}},
                                        {ALLOW, {{0, LOW, PR_GET_TIMERSLACK}}}}};

#define DESCRIPTOR_COMMANDS                                                                                            \
    {ALLOW, {{1, LOW, F_GETFL}}}, {ALLOW, {{1, LOW, F_SETFL}}}, {ALLOW, {{1, LOW, F_GETFD}}},                          \
        {ALLOW, {{1, LOW, F_SETFD}}}, {ALLOW, {{1, LOW, F_DUPFD}}}, {                                                  \
        ALLOW, {                                                                                                       \
            { 1, LOW, F_DUPFD_CLOEXEC }                                                                                \
        }                                                                                                              \
    }
/* EINVAL is what the kernel answers to a command it does not know. */
static const struct rule fcntl_rule = {"fcntl", ERROR(EINVAL), {DESCRIPTOR_COMMANDS}};
static const struct rule locking_rule = {
    "fcntl",
    ERROR(EINVAL),
    {DESCRIPTOR_COMMANDS, {ALLOW, {{1, LOW, F_GETLK}}}, {ALLOW, {{1, LOW, F_SETLK}}}, {ALLOW, {{1, LOW, F_SETLKW}}}}};

static const struct rule ioctl_rule = {
    "ioctl",
    ERROR(ENOTTY),
    {{ALLOW, {{1, LOW, FIONREAD}}}, {ALLOW, {{1, LOW, FIONBIO}}}, {ALLOW, {{1, LOW, TIOCOUTQ}}}}};

static void add_changes(struct filter_description *description, bool scratch) {
    add_list(description, scratch ? ALLOW : ERROR(EROFS), changes);
    add_list(description, scratch ? ERROR(0) : ERROR(EROFS), modes);
    add_list(description, ERROR(EPERM), owners_and_links);
    add_list(description, ERROR(EOPNOTSUPP), attributes);
    add_rule(description, scratch ? &writing_rule : &reading_rule);
    add_rule(description, scratch ? &locking_rule : &fcntl_rule);
    if (scratch) {
        add_list(description, ALLOW, with_scratch);
    }
}

void describe_stage2(struct filter_description *description, bool scratch, bool network, bool trap) {
    description->otherwise = trap ? SECCOMP_RET_TRAP : SECCOMP_RET_KILL_PROCESS;
    static const struct rule *const always[] = {&mmap_rule, &mprotect_rule, &clone_rule, &prlimit_rule};
    for (size_t index = 0; index < sizeof always / sizeof always[0]; index++) {
        add_rule(description, always[index]);
    }
    description->own = prctl_rule;
    description->own.otherwise = description->otherwise;
    add_rule(description, &description->own);
    static const char *const *const allowed[] = {memory, files, waiting, threads_and_signals, itself, packets};
    for (size_t index = 0; index < sizeof allowed / sizeof allowed[0]; index++) {
        add_list(description, ALLOW, allowed[index]);
    }
    add_list(description, ERROR(ENOMEM), moved);
    add_list(description, ERROR(0), pretended);
    add_list(description, ERROR(EAFNOSUPPORT), sockets);
    add_list(description, ERROR(ENOENT), old_open);
    add_list(description, ERROR(ENOTTY), terminals);
    add_list(description, ERROR(ENOSYS), new_clone);
    add_changes(description, scratch || network);
    if (network) {
        add_rule(description, &socket_rule);
        add_rule(description, &socketpair_rule);
        add_rule(description, &setsockopt_rule);
        add_rule(description, &ioctl_rule);
        add_list(description, ALLOW, connected);
    } else {
        add_list(description, ERROR(EPERM), socket_pairs);
    }
}
