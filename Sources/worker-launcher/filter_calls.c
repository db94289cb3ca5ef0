/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage 1 by name. Whatever is in no list answers ENOSYS: libraries then fall back, and a call that is younger than
 * this table is closed. A refusal by name is only a clearer message, and a list of what is tested.
 */
#include <errno.h>
#include <linux/seccomp.h>

#include "filter.h"

/* clang-format off */
static const char *const memory[] = {
    "brk", "munmap", "mremap", "mprotect", "madvise", "mlock", "mlock2", "munlock", "mincore", "msync", NULL};

/* What can be opened at all is decided by the view and by Landlock. */
static const char *const files[] = {
    "open", "openat", "close", "close_range", "read", "write", "readv", "writev", "pread64", "preadv", "lseek", "stat",
    "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getcwd", "chdir", "fchdir", "getdents", "getdents64", "dup", "dup2", "dup3", "fcntl", "pipe",
    "pipe2", "flock", "fsync", "fdatasync", "fadvise64", "umask", NULL};

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

/* Libraries end the process, or look for a log daemon, when these fail. */
static const char *const pretended[] = {"setpriority", "ioprio_set", NULL};

static const char *const attributes[] = {
    "setxattr", "lsetxattr", "fsetxattr", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr",
    "flistxattr", "removexattr", "lremovexattr", "fremovexattr", NULL};

static const char *const sockets[] = {"socket", NULL};

static const char *const changes[] = {
    "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2", "fallocate",
    "utime", "utimes", "utimensat", "futimesat", "chmod", "fchmod", "fchmodat", NULL};

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
    "bind", "listen", "accept", "accept4", "connect", "socketpair", NULL};

static const char *const own_files[] = {"pwrite64", "ftruncate", NULL};
/* clang-format on */

#define ERROR(number) (SECCOMP_RET_ERRNO | (number))

const struct filter_calls filter_calls[] = {
    {SECCOMP_RET_ALLOW, memory},    {SECCOMP_RET_ALLOW, files},   {SECCOMP_RET_ALLOW, waiting},
    {SECCOMP_RET_ALLOW, itself},    {SECCOMP_RET_ALLOW, packets}, {SECCOMP_RET_ALLOW, threads_and_signals},
    {ERROR(0), pretended},          {ERROR(EROFS), changes},      {ERROR(EOPNOTSUPP), attributes},
    {ERROR(EAFNOSUPPORT), sockets}, {ERROR(EPERM), refused},
};
const size_t filter_calls_count = sizeof filter_calls / sizeof filter_calls[0];
const struct filter_calls filter_calls_with_own_files = {SECCOMP_RET_ALLOW, own_files};
