/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage 1. Whatever is in no list and under no rule answers ENOSYS: libraries then fall back, and a call that is
 * younger than this table is closed. A refusal by name is only a clearer message, and a list of what is tested.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/prctl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "filter_code.h"
#include "plan.h"

/* clang-format off */
static const char *const memory[] = {
    "brk", "munmap", "mprotect", "madvise", "mlock", "mlock2", "munlock", "mincore", "msync", NULL};

/* What can be opened at all is decided by the view and by Landlock. */
static const char *const files[] = {
    "open", "openat", "close", "close_range", "read", "write", "readv", "writev", "pread64", "preadv", "lseek", "stat",
    "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getcwd", "chdir", "fchdir", "getdents", "getdents64", "dup", "dup2", "dup3", "pipe", "pipe2",
    "flock", "fsync", "fdatasync", "fadvise64", "umask", NULL};

static const char *const waiting[] = {
    "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "eventfd", "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime", "timer_create",
    "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete", "signalfd", "signalfd4", "setitimer",
    "getitimer", "alarm", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time",
    NULL};

static const char *const threads_and_signals[] = {
    "futex", "set_robust_list", "rseq", "membarrier", "set_tid_address", "arch_prctl", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait", "rt_sigsuspend", "sigaltstack", "pause",
    "exit", "exit_group", "wait4", "waitid", "restart_syscall", NULL};

/* seccomp: a second filter can only take more away. */
static const char *const itself[] = {
    "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getrusage", "sysinfo", "uname", "getcpu", "getrandom", "sched_yield",
    "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "sched_rr_get_interval", "seccomp", NULL};

/* On the socket it was given; there is no other. */
static const char *const packets[] = {
    "sendto", "recvfrom", "sendmsg", "recvmsg", "getsockopt", "getsockname", "getpeername", NULL};

/* A stack that is made larger is not counted by RLIMIT_DATA; whoever wants more memory asks for it anew. */
static const char *const moved[] = {"mremap", NULL};

/* Libraries end the process, or look for a log daemon, when these fail. */
static const char *const pretended[] = {"setpriority", "ioprio_set", NULL};

static const char *const attributes[] = {
    "setxattr", "lsetxattr", "fsetxattr", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr",
    "flistxattr", "removexattr", "lremovexattr", "fremovexattr", NULL};

static const char *const sockets[] = {"socket", NULL};

/* In a scratch folder; where that is, Landlock and the view know. */
static const char *const changes[] = {
    "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2", "fallocate", NULL};
/* Landlock knows nothing of these: they reach what the user owns anywhere, unless the view is all there is. */
static const char *const properties[] = {"utime", "utimes", "utimensat", "futimesat", "fchmod", NULL};

/* A file of one user needs no modes, and code that sets them goes on. */
static const char *const modes[] = {"chmod", "fchmodat", NULL};

static const char *const copying[] = {"pwrite64", "ftruncate", "copy_file_range", "sendfile", NULL};

static const char *const refused[] = {
    /* other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "fork", "vfork", "execve",
    /* namespaces and mounts */
    "unshare", "setns", "mount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick",
    "mount_setattr", "pivot_root", "chroot",
    /* large kernel surfaces */
    "bpf", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "userfaultfd",
    "add_key", "request_key", "keyctl",
    /* the machine */
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "quotactl", "quotactl_fd", "acct", "syslog",
    /* files that no extension makes */
    "mknod", "mknodat", "open_by_handle_at", "name_to_handle_at", "link", "linkat", "symlink", "symlinkat", "chown",
    "fchown", "lchown", "fchownat", "truncate", "memfd_create", "memfd_secret", "inotify_init", "inotify_init1",
    "inotify_add_watch", "inotify_rm_watch", "fanotify_init", "fanotify_mark", "splice", "tee", "vmsplice",
    /* memory and messages that outlive a process */
    "shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv",
    "msgctl", "mq_open", "mq_unlink",
    /* rights and limits */
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid",
    "capset", "personality", "setrlimit", "sched_setparam", "sched_setscheduler", "sched_setaffinity",
    "sched_setattr",
    /* sockets */
    "bind", "listen", "accept", "accept4", NULL};

static const char *const connections[] = {"connect", "socketpair", NULL};

static const char *const connected[] = {"connect", "shutdown", NULL};

static const char *const own_files[] = {"pwrite64", "ftruncate", NULL};
/* clang-format on */

#define SHARED_ANONYMOUS (MAP_SHARED | MAP_ANONYMOUS)
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* RLIMIT_DATA counts neither memory that could be shared, and there is nobody to share it with, nor growing stacks. */
static const struct rule mmap_rule = {
    "mmap",
    ALLOW,
    {{ERROR(ENOMEM), {{3, SHARED_ANONYMOUS, SHARED_ANONYMOUS}}}, {ERROR(ENOMEM), {{3, MAP_GROWSDOWN, MAP_GROWSDOWN}}}}};

static const struct rule ioctl_rule = {"ioctl",
                                       ERROR(ENOTTY),
                                       {{ALLOW, {{1, LOW, FIONREAD}}},
                                        {ALLOW, {{1, LOW, FIONBIO}}},
                                        {ALLOW, {{1, LOW, FIOCLEX}}},
                                        {ALLOW, {{1, LOW, TIOCOUTQ}}}}};

/* For all threads at once: of filters for one thread each, a process could have more than memory lasts for. No listener
 * either, which would be a descriptor more. */
static const struct rule seccomp_rule = {
    "seccomp",
    ERROR(EPERM),
    {{ALLOW, {{0, LOW, SECCOMP_SET_MODE_FILTER}, {1, LOW, SECCOMP_FILTER_FLAG_TSYNC}}},
     {ALLOW, {{0, LOW, SECCOMP_GET_ACTION_AVAIL}}}}};
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
/* Who is at the other end is the host, and none of the worker's business. */
static const struct rule getsockopt_rule = {"getsockopt",
                                            ALLOW,
                                            {{ERROR(ENOPROTOOPT), {{1, LOW, SOL_SOCKET}, {2, LOW, SO_PEERPIDFD}}},
                                             {ERROR(ENOPROTOOPT), {{1, LOW, SOL_SOCKET}, {2, LOW, SO_PEERGROUPS}}}}};
/* Rare ways to send, each with a history of its own in the kernel. */
#define NEVER_SENT(argument)                                                                                           \
    {                                                                                                                  \
        {ERROR(EOPNOTSUPP), {{argument, MSG_OOB, MSG_OOB}}}, {                                                         \
            ERROR(EOPNOTSUPP), {                                                                                       \
                { argument, MSG_FASTOPEN, MSG_FASTOPEN }                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
static const struct rule sendto_rule = {"sendto", ALLOW, NEVER_SENT(3)};
static const struct rule sendmsg_rule = {"sendmsg", ALLOW, NEVER_SENT(2)};
static const struct rule prctl_rule = {"prctl",
                                       ERROR(EPERM),
                                       {{ALLOW, {{0, LOW, PR_SET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_GET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_SET_VMA}}},
                                        {ALLOW, {{0, LOW, PR_SET_TIMERSLACK}}},
                                        {ALLOW, {{0, LOW, PR_GET_TIMERSLACK}}},
                                        {ALLOW, {{0, LOW, PR_GET_DUMPABLE}}},
                                        {ALLOW, {{0, LOW, PR_SET_DUMPABLE}, {1, WHOLE, 0}}},
                                        {ALLOW, {{0, LOW, PR_SET_NO_NEW_PRIVS}}},
                                        {ALLOW, {{0, LOW, PR_GET_NO_NEW_PRIVS}}},
                                        {ALLOW, {{0, LOW, PR_GET_SECCOMP}}},
                                        {ALLOW, {{0, LOW, PR_CAPBSET_READ}}}}};

/* What would keep the owner of a file waiting (a lease on its bundle), or have the kernel send signals for it. */
static const struct rule fcntl_rule = {"fcntl",
                                       ALLOW,
                                       {{ERROR(EPERM), {{1, LOW, F_SETLEASE}}},
                                        {ERROR(EPERM), {{1, LOW, F_NOTIFY}}},
                                        {ERROR(EPERM), {{1, LOW, F_SETOWN}}},
                                        {ERROR(EPERM), {{1, LOW, F_SETOWN_EX}}},
                                        {ERROR(EPERM), {{1, LOW, F_SETSIG}}}}};

static const struct rule tgkill_rule = {"tgkill", ERROR(EPERM), {{ALLOW, {{0, LOW, 1}}}}};
/* Without a pid namespace its own number is not known yet: Landlock's scope, or its own uid, keeps signals inside. */
static const struct rule free_tgkill_rule = {.name = "tgkill", .otherwise = ALLOW};

/* No bits that would change the user of whoever executes the file; without a view of its own, none at all. */
static const struct rule shared_fchmod_rule = {
    "fchmod", ERROR(EPERM), {{ERROR(0), {{1, S_ISUID | S_ISGID | S_ISVTX, 0}}}}};
static const struct rule fchmod_rule = {"fchmod", ERROR(EPERM), {{ALLOW, {{1, S_ISUID | S_ISGID | S_ISVTX, 0}}}}};
#define NO_IDENTITY_FOR_NEW(argument, flag)                                                                            \
    {ERROR(EPERM), {{argument, flag, flag}, {argument + 1, S_ISUID, S_ISUID}}}, {                                      \
        ERROR(EPERM), {                                                                                                \
            {argument, flag, flag}, { argument + 1, S_ISGID, S_ISGID }                                                 \
        }                                                                                                              \
    }
#define ONLY_TMPFILE (O_TMPFILE & ~O_DIRECTORY)
static const struct rule openat_rule = {
    "openat", ALLOW, {NO_IDENTITY_FOR_NEW(2, O_CREAT), NO_IDENTITY_FOR_NEW(2, ONLY_TMPFILE)}};
static const struct rule open_rule = {
    "open", ALLOW, {NO_IDENTITY_FOR_NEW(1, O_CREAT), NO_IDENTITY_FOR_NEW(1, ONLY_TMPFILE)}};
static const struct rule creat_rule = {"creat", ERROR(EPERM), {{ALLOW, {{1, S_ISUID | S_ISGID, 0}}}}};
/* A whiteout is a device. */
static const struct rule rename_rule = {"renameat2", ALLOW, {{ERROR(EINVAL), {{4, RENAME_WHITEOUT, RENAME_WHITEOUT}}}}};

static void add_rules(struct filter_description *description, bool own_pids, enum filter_grant grant,
                      const struct filter_execution *execution) {
    description->own = (struct rule){"execveat",
                                     SECCOMP_RET_KILL_PROCESS,
                                     {{ALLOW,
                                       {{0, LOW, EXECUTABLE_DESCRIPTOR},
                                        {1, WHOLE, execution->path},
                                        {2, WHOLE, execution->arguments},
                                        {3, WHOLE, execution->environment},
                                        {4, LOW, AT_EMPTY_PATH}}}}};
    static const struct rule *const always[] = {&mmap_rule,   &ioctl_rule,   &fcntl_rule,   &clone_rule,
                                                &prctl_rule,  &prlimit_rule, &seccomp_rule, &getsockopt_rule,
                                                &sendto_rule, &sendmsg_rule};
    static const struct rule *const with_scratch[] = {&openat_rule, &open_rule, &creat_rule, &rename_rule};
    static const struct rule *const with_network[] = {&socket_rule, &socketpair_rule, &setsockopt_rule};
    for (size_t index = 0; index < sizeof always / sizeof always[0]; index++) {
        add_rule(description, always[index]);
    }
    add_rule(description, own_pids ? &tgkill_rule : &free_tgkill_rule);
    add_rule(description, &description->own);
    if (grant >= FILTER_SCRATCH) {
        add_rule(description, own_pids ? &fchmod_rule : &shared_fchmod_rule);
    }
    for (size_t index = 0; grant >= FILTER_SCRATCH && index < sizeof with_scratch / sizeof with_scratch[0]; index++) {
        add_rule(description, with_scratch[index]);
    }
    for (size_t index = 0; grant == FILTER_NETWORK && index < sizeof with_network / sizeof with_network[0]; index++) {
        add_rule(description, with_network[index]);
    }
}

void describe_stage1(struct filter_description *description, bool own_pids, enum filter_grant grant,
                     const struct filter_execution *execution) {
    const bool scratch = grant == FILTER_SCRATCH || grant == FILTER_NETWORK;
    const bool network = grant == FILTER_NETWORK;
    description->otherwise = ERROR(ENOSYS);
    add_rules(description, own_pids, grant, execution);
    static const char *const *const allowed[] = {memory, files, waiting, itself, packets, threads_and_signals};
    for (size_t index = 0; index < sizeof allowed / sizeof allowed[0]; index++) {
        add_list(description, ALLOW, allowed[index]);
    }
    add_list(description, ERROR(ENOMEM), moved);
    add_list(description, ERROR(0), pretended);
    add_list(description, ERROR(EOPNOTSUPP), attributes);
    add_list(description, ERROR(EAFNOSUPPORT), sockets);
    add_list(description, ERROR(EPERM), refused);
    add_list(description, scratch ? ALLOW : ERROR(EROFS), changes);
    add_list(description, scratch ? own_pids ? ALLOW : ERROR(0) : ERROR(EROFS), properties);
    add_list(description, scratch ? ERROR(0) : ERROR(EROFS), modes);
    if (scratch) {
        add_list(description, ALLOW, copying);
    }
    if (grant == FILTER_OWN_FILES) {
        add_list(description, ALLOW, own_files);
    }
    add_list(description, network ? ALLOW : ERROR(EPERM), network ? connected : connections);
}
