/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

#define KERNEL_MASK_BYTES sizeof(uint64_t)

static void check_program(const struct plan *plan) {
    struct stat status;
    if (fstat(plan->program, &status) != 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        fail(plan, STEP_NOT_A_FILE, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    if ((status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) {
        fail(plan, STEP_NOT_EXECUTABLE, EACCES);
    }
    if ((status.st_mode & S_IWOTH) != 0) {
        fail(plan, STEP_WORLD_WRITABLE, EPERM);
    }
}

/* Beneath the host's folder descriptor: what lies above the folder needs no right to be searched, and no link leads
 * out of it. The file that is checked here is the file that runs. */
void open_program(struct plan *plan) {
    if (plan->probe) {
        return;
    }
    const struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, /* a fifo must not hold us up */
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    plan->program = (int)syscall(SYS_openat2, plan->bundle, plan->executable, &how, sizeof how);
    if (plan->program < 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    check_program(plan);
    char start[2] = {0};
    if (pread(plan->program, start, sizeof start, 0) < 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    plan->interpreted = start[0] == '#' && start[1] == '!';
}

/* What rt_sigaction takes; libc's own wrapper refuses the two signals it keeps for itself, and a parent may have left
 * even those ignored. */
struct kernel_sigaction {
    unsigned long handler; /* 0 default, 1 ignore */
    unsigned long rest[3]; /* flags, restorer, mask */
};

/* A session of its own (no terminal), the same signal state whatever the host was started with. An ignored SIGXFSZ
 * survives exec: a full disk is then an error to the program and not its death. */
void leave_session(const struct plan *plan) {
    if (setsid() < 0 || chdir("/") != 0) {
        fail(plan, STEP_SESSION, errno);
    }
    (void)umask(077);
    for (int number = 1; number < NSIG; number++) {
        if (number == SIGKILL || number == SIGSTOP) {
            continue;
        }
        const bool silent = number == SIGXFSZ || number == SIGPIPE;
        const struct kernel_sigaction action = {.handler = silent ? 1 : 0};
        if (syscall(SYS_rt_sigaction, number, &action, NULL, KERNEL_MASK_BYTES) != 0) {
            fail(plan, STEP_SESSION, errno);
        }
    }
    const uint64_t none = 0;
    if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, KERNEL_MASK_BYTES) != 0) {
        fail(plan, STEP_SESSION, errno);
    }
}

static void place(const struct plan *plan, int descriptor, int number, int flags) {
    if (dup3(descriptor, number, flags) < 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
}

/* All of them lie above FIRST_FREE_DESCRIPTOR until here, so no placing closes one that is still to be placed. */
void place_descriptors(struct plan *plan) {
    place(plan, plan->null, STDIN_FILENO, 0);
    place(plan, plan->output, STDOUT_FILENO, 0);
    place(plan, plan->output, STDERR_FILENO, 0);
    place(plan, plan->socket, WORKER_SOCKET_DESCRIPTOR, 0);
    int next = OPENER_FIRST_KEY_DESCRIPTOR;
    if (plan->kind == LAUNCHER_OPENER) {
        for (uint32_t index = 0; index < plan->keys->count; index++) {
            place(plan, plan->keys->descriptors[index], next++, 0);
        }
        for (int index = 0; index < REPLAY_FILES && plan->replay_files != NULL; index++) {
            place(plan, plan->replay_files[index], next++, 0);
        }
    }
    place(plan, plan->gate, GATE_DESCRIPTOR, O_CLOEXEC);
    plan->gate = GATE_DESCRIPTOR;
    unsigned int last_gap = EXECUTABLE_DESCRIPTOR;
    if (!plan->probe) {
        /* The kernel hands a script to its interpreter as /dev/fd/63: it has to stay open. */
        place(plan, plan->program, EXECUTABLE_DESCRIPTOR, plan->interpreted ? 0 : O_CLOEXEC);
        plan->program = EXECUTABLE_DESCRIPTOR;
        last_gap = EXECUTABLE_DESCRIPTOR + 1;
    }
    if (close_range((unsigned int)next, GATE_DESCRIPTOR - 1, 0) != 0 || close_range(last_gap, ~0U, 0) != 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
}

/* The report before the call tells the launcher that a gate closed without a word means success. */
void execute(const struct plan *plan) {
    const struct gate_report next_is_exec = {.step = STEP_EXECUTE, .error = 0};
    if (send(plan->gate, &next_is_exec, sizeof next_is_exec, MSG_NOSIGNAL) < 0) {
        _exit(127);
    }
    if (plan->probe) {
        _exit(0);
    }
    /* Nothing of the host's environment. TMPDIR, HOME and CFFIXED_USER_HOME come with the scratch folder. */
    const char *const arguments[] = {plan->program_path, NULL};
    const char *const environment[] = {"LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
                                       plan->zone[0] != '\0' ? plan->zone : NULL, NULL};
    (void)syscall(SYS_execveat, plan->program, "", arguments, environment, AT_EMPTY_PATH);
    fail(plan, STEP_EXECUTE, errno);
}
