/* SPDX-License-Identifier: Apache-2.0
 *
 * Other processes and programs: 6 (signals), 7 (memory of others), 8 (namespaces), 10 (executing), 11 (forking),
 * 12 (threads), 15 (stopping), 23 (rights and limits).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "attempts.h"

extern char **environ;

static void signal_number(const char *pid) { say_result(kill((pid_t)atoi(pid), SIGKILL)); }

/* The kernel has more than one way to send a signal. */
static void signal_otherwise(const char *text) {
    const pid_t pid = (pid_t)atoi(text);
    siginfo_t information = {.si_signo = SIGKILL, .si_code = SI_QUEUE};
    say_result(syscall(SYS_tkill, pid, SIGKILL));
    say_result(syscall(SYS_rt_sigqueueinfo, pid, SIGKILL, &information));
    say_result(syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGKILL, &information));
    say_result(syscall(SYS_pidfd_send_signal, 3, SIGKILL, NULL, 0));
}

static void signal_thread(const char *text) {
    const pid_t pid = (pid_t)atoi(text);
    say_result(syscall(SYS_tgkill, pid, pid, SIGKILL));
}

/* The kernel would send it when the socket becomes readable. */
static void signal_by_socket(const char *text) {
    struct f_owner_ex owner = {F_OWNER_PID, (pid_t)atoi(text)};
    say_result(fcntl(3, F_SETSIG, SIGKILL));
    say_result(fcntl(3, F_SETOWN, owner.pid));
    say_result(fcntl(3, F_SETOWN_EX, &owner));
    (void)fcntl(3, F_SETFL, O_ASYNC);
}

/* Whoever opens the file for writing would wait for this process, for as long as the system lets it. */
static void lease(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    say_result(fcntl(file, F_SETLEASE, F_RDLCK));
    say_result(fcntl(folder, F_NOTIFY, DN_ACCESS | DN_MULTISHOT));
    (void)close(file);
    (void)close(folder);
}

static void spy(const char *text) {
    const pid_t pid = (pid_t)atoi(text);
    char bytes[16];
    struct iovec here = {bytes, sizeof bytes};
    struct iovec there = {(void *)(uintptr_t)&environ, sizeof bytes};
    say_result(ptrace(PTRACE_ATTACH, pid, NULL, NULL));
    say_result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    say_result(process_vm_readv(pid, &here, 1, &there, 1, 0));
    say_result(process_vm_writev(pid, &here, 1, &there, 1, 0));
    say_result(syscall(SYS_pidfd_open, pid, 0));
    say_result(syscall(SYS_pidfd_getfd, 3, 0, 0));
    say_result(syscall(SYS_kcmp, getpid(), pid, 0, 0, 0));
}

static int nothing(void *unused) {
    (void)unused;
    return 0;
}

static void namespaces(const char *unused) {
    (void)unused;
    static char stack[8192] __attribute__((aligned(16)));
    static const int flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET};
    for (size_t index = 0; index < sizeof flags / sizeof flags[0]; index++) {
        say_result(unshare(flags[index]));
        say_result(clone(nothing, stack + sizeof stack, flags[index] | SIGCHLD, NULL));
    }
    say_result(setns(3, 0));
}

/* As a thread, so that the rule for threads fits. */
static void namespaces_as_thread(const char *unused) {
    (void)unused;
    const unsigned long thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    say_result(syscall(SYS_clone, thread | CLONE_NEWUSER, 0UL, NULL, NULL, 0UL));
    say_result(syscall(SYS_clone, thread | CLONE_NEWNET, 0UL, NULL, NULL, 0UL));
}

/* A thread with a table of its own has as many descriptors again. */
static void descriptors_as_thread(const char *unused) {
    (void)unused;
    const unsigned long thread = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD;
    say_result(syscall(SYS_clone, thread, 0UL, NULL, NULL, 0UL));
}

static void clone3_call(const char *unused) {
    (void)unused;
    uint64_t arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    say_result(syscall(SYS_clone3, arguments, sizeof arguments));
}

static void fork_calls(const char *unused) {
    (void)unused;
    const pid_t child = fork();
    if (child == 0) {
        for (;;) {
            pause();
        }
    }
    say_result(child);
    const long other = syscall(SYS_vfork);
    if (other == 0) {
        _exit(0);
    }
    say_result(other);
}

static void execute(const char *path) {
    char *const arguments[] = {(char *)(uintptr_t)path, NULL};
    say_result(execve(path, arguments, environ));
}

/* The five values are those of the launcher, as far as anybody can know them. */
static void execute_at(const char *path) {
    char *const arguments[] = {(char *)(uintptr_t)path, NULL};
    const int file = open(path, O_RDONLY);
    (void)dup2(file < 0 ? 0 : file, 63);
    say_result(syscall(SYS_execveat, 63, "", arguments, environ, AT_EMPTY_PATH));
}

static void execute_memory(const char *unused) {
    (void)unused;
    say_result(syscall(SYS_memfd_create, "program", 0U));
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *unused) {
    (void)pthread_mutex_lock(&gate);
    (void)pthread_mutex_unlock(&gate);
    return unused;
}

static void threads(const char *unused) {
    (void)unused;
    int count = 0;
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, 65536);
    (void)pthread_mutex_lock(&gate);
    for (pthread_t thread; count < 2000 && pthread_create(&thread, &attributes, wait_at_gate, NULL) == 0; count++) {
    }
    (void)pthread_mutex_unlock(&gate);
    say("%d", count + 1);
}

static void stop_itself(const char *unused) {
    (void)unused;
    say_result(raise(SIGSTOP));
}

static void limits(const char *parent) {
    const struct rlimit high = {1 << 20, 1 << 20};
    const pid_t pid = (pid_t)atoi(parent);
    say_result(setrlimit(RLIMIT_NOFILE, &high));
    say_result(syscall(SYS_setrlimit, RLIMIT_NOFILE, &high));
    say_result(prlimit(0, RLIMIT_FSIZE, &high, NULL));
    say_result(prlimit(pid, RLIMIT_NOFILE, NULL, (struct rlimit *)(uintptr_t)&high));
    say_result(prlimit(getpid(), RLIMIT_NOFILE, NULL, (struct rlimit *)(uintptr_t)&high));
}

static void scheduling(const char *parent) {
    const pid_t pid = (pid_t)atoi(parent);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    const struct sched_param urgent = {.sched_priority = 1};
    say_result(sched_setaffinity(pid, sizeof one, &one));
    say_result(sched_setscheduler(pid, SCHED_FIFO, &urgent));
}

/* Pretended to have worked; the test looks at the parent. */
static void priority(const char *parent) { say_result(setpriority(PRIO_PROCESS, (id_t)atoi(parent), 19)); }

static void privileges(const char *unused) {
    (void)unused;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
    say_result(syscall(SYS_setuid, 0));
    say_result(syscall(SYS_setresuid, 0, 0, 0));
    say_result(syscall(SYS_setgroups, 0, NULL));
    say_result(syscall(SYS_capset, &header, all));
    say_result(syscall(SYS_personality, 0x0040000UL)); /* ADDR_NO_RANDOMIZE */
}

static void attributes(const char *unused) {
    (void)unused;
    say_result(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
    say_result(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
    say_result(prctl(PR_SET_SECUREBITS, 0, 0, 0, 0));
    say_result(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    say_result(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
}

/* Of all numbers a capability may have, those that an exec could still give. */
static void capabilities(const char *unused) {
    (void)unused;
    int count = 0;
    for (int number = 0; number < 64; number++) {
        count += prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1 ? 1 : 0;
    }
    say("%d", count);
}

const struct attempt process_attempts[] = {
    {"signal", signal_number},
    {"signal-otherwise", signal_otherwise},
    {"signal-thread", signal_thread},
    {"signal-by-socket", signal_by_socket},
    {"lease", lease},
    {"descriptors-as-thread", descriptors_as_thread},
    {"spy", spy},
    {"namespaces", namespaces},
    {"namespaces-as-thread", namespaces_as_thread},
    {"clone3", clone3_call},
    {"fork", fork_calls},
    {"execute", execute},
    {"execute-at", execute_at},
    {"execute-memory", execute_memory},
    {"threads", threads},
    {"stop", stop_itself},
    {"limits", limits},
    {"scheduling", scheduling},
    {"priority", priority},
    {"privileges", privileges},
    {"attributes", attributes},
    {"capabilities", capabilities},
    {NULL, NULL},
};
