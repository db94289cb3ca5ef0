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

#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)
#define PROXY "http://127.0.0.1:" TEXT_OF(WORKER_PROXY_PORT)
#define KERNEL_MASK_BYTES sizeof(uint64_t)

static void check_program(const struct plan *plan, int file, bool executed) {
    struct stat status;
    if (fstat(file, &status) != 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        fail(plan, STEP_NOT_A_FILE, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    if (executed && (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) {
        fail(plan, STEP_NOT_EXECUTABLE, EACCES);
    }
    if ((status.st_mode & S_IWOTH) != 0) {
        fail(plan, STEP_WORLD_WRITABLE, EPERM);
    }
}

/* Beneath the host's folder descriptor: what lies above the folder needs no right to be searched, and no link leads
 * out of it. The file that is checked here is the file that runs. */
static int open_executable(const struct plan *plan) {
    const struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, /* a fifo must not hold us up */
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    const int file = (int)syscall(SYS_openat2, plan->bundle, plan->executable, &how, sizeof how);
    if (file < 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    check_program(plan, file, plan->interpreter == NULL);
    return file;
}

/* The kernel would start a script's interpreter in its place: a file that nobody has checked. */
static void refuse_script(const struct plan *plan) {
    char start[2] = {0};
    if (pread(plan->program, start, sizeof start, 0) < 0) {
        fail(plan, STEP_OPEN_EXECUTABLE, errno);
    }
    if (start[0] == '#' && start[1] == '!') {
        fail(plan, STEP_SCRIPT, ENOEXEC);
    }
}

/* With an interpreter, that file is the program, and the executable is something for it to read. */
void open_program(struct plan *plan) {
    if (plan->probe) {
        return;
    }
    plan->program = open_executable(plan);
    if (plan->interpreter != NULL) {
        (void)close(plan->program);
        plan->program = open(plan->interpreter->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (plan->program < 0) {
            fail(plan, STEP_OPEN_EXECUTABLE, errno);
        }
        check_program(plan, plan->program, true);
    }
    refuse_script(plan);
}

/* What rt_sigaction takes; libc's own wrapper refuses the two signals it keeps for itself, and a parent may have left
 * even those ignored. */
struct kernel_sigaction {
    unsigned long handler; /* 0 default, 1 ignore */
    unsigned long rest[3]; /* flags, restorer, mask */
};

/* A session of its own (no terminal), the same signal actions whatever the host was started with. An ignored SIGXFSZ
 * survives exec: a full disk is then an error to the program and not its death. */
void leave_session(const struct plan *plan) {
    if (setsid() < 0) {
        fail(plan, STEP_SESSION, errno);
    }
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
}

void reset_signals(const struct plan *plan) {
    const uint64_t none = 0;
    (void)umask(077);
    if (chdir("/") != 0 || syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, KERNEL_MASK_BYTES) != 0) {
        fail(plan, STEP_SESSION, errno);
    }
}

static void place(const struct plan *plan, int descriptor, int number, int flags) {
    if (dup3(descriptor, number, flags) < 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
}

/* The key files stay where the launcher has them; all else above goes, but what exec still needs. */
static void keep_keys(const struct plan *plan) {
    const unsigned int first = OPENER_FIRST_KEY_DESCRIPTOR;
    const unsigned int end = first + (plan->kind == LAUNCHER_OPENER ? plan->keys->count : 0);
    for (unsigned int key = first; key < end; key++) {
        if (fcntl((int)key, F_SETFD, 0) != 0) {
            fail(plan, STEP_DESCRIPTORS, errno);
        }
    }
    if (close_range(FIRST_FREE_DESCRIPTOR, first - 1, 0) != 0 || close_range(end, ~0U, 0) != 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
}

/* All of them lie above FIRST_FREE_DESCRIPTOR until here, so no placing closes one that is still to be placed. */
void place_descriptors(struct plan *plan) {
    place(plan, plan->null, STDIN_FILENO, 0);
    place(plan, plan->output, STDOUT_FILENO, 0);
    place(plan, plan->output, STDERR_FILENO, 0);
    place(plan, plan->socket, WORKER_SOCKET_DESCRIPTOR, 0);
    int next = OPENER_FIRST_REPLAY_DESCRIPTOR;
    if (plan->kind == LAUNCHER_OPENER) {
        for (int index = 0; index < REPLAY_FILES && plan->has_replay_files; index++) {
            place(plan, plan->replay_files[index], next++, 0);
        }
    }
    place(plan, plan->gate, GATE_DESCRIPTOR, O_CLOEXEC);
    plan->gate = GATE_DESCRIPTOR;
    if (plan->probe) {
        (void)close(EXECUTABLE_DESCRIPTOR);
    } else {
        place(plan, plan->program, EXECUTABLE_DESCRIPTOR, O_CLOEXEC);
        plan->program = EXECUTABLE_DESCRIPTOR;
    }
    if (close_range((unsigned int)next, GATE_DESCRIPTOR - 1, 0) != 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
    keep_keys(plan);
}

static const char **add_grants(const struct plan *plan, const char **variable) {
    if ((plan->flags & LAUNCHER_SCRATCH) != 0) {
        for (size_t index = 0; index < sizeof plan->folder_variables / sizeof plan->folder_variables[0]; index++) {
            *variable++ = plan->folder_variables[index];
        }
    }
    if ((plan->flags & LAUNCHER_NETWORK) != 0) {
        *variable++ = "http_proxy=" PROXY;
        *variable++ = "https_proxy=" PROXY;
        *variable++ = "HTTPS_PROXY=" PROXY;
    }
    return variable;
}

/* Nothing of the host's environment. */
static void write_final_page(const struct plan *plan) {
    const char **argument = plan->page->arguments;
    if (plan->interpreter != NULL) {
        *argument++ = plan->interpreter->path;
    }
    *argument++ = plan->program_path;
    *argument = NULL;
    const char **variable = plan->page->environment;
    *variable++ = "LANG=C.UTF-8";
    *variable++ = "SWIFT_BACKTRACE=enable=no";
    if (plan->zone[0] != '\0') {
        *variable++ = plan->zone;
    }
    variable = add_grants(plan, variable);
    *variable = NULL;
}

/* The report before the call tells the launcher that a gate closed without a word means success. */
void execute(const struct plan *plan) {
    write_final_page(plan);
    if (plan->probe) {
        test_confinement(plan);
    }
    const struct gate_report next_is_exec = {.step = STEP_EXECUTE, .error = 0};
    if (send(plan->gate, &next_is_exec, sizeof next_is_exec, MSG_NOSIGNAL) < 0) {
        _exit(127);
    }
    if (plan->probe) {
        _exit(0);
    }
    (void)syscall(SYS_execveat, EXECUTABLE_DESCRIPTOR, plan->page->no_path, plan->page->arguments,
                  plan->page->environment, AT_EMPTY_PATH);
    fail(plan, STEP_EXECUTE, errno);
}
