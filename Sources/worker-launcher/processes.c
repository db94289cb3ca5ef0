/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"

struct process *free_place(struct launcher *launcher) {
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        if (launcher->processes[index].state == PROCESS_NONE) {
            return &launcher->processes[index];
        }
    }
    return NULL;
}

struct process *find_process(struct launcher *launcher, uint64_t serial) {
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        struct process *process = &launcher->processes[index];
        if (process->state > PROCESS_WAITING && process->serial == serial) {
            return process;
        }
    }
    return NULL;
}

void kill_remains(const struct launcher *launcher, const struct process *process) {
    kill_in_group(process);
    if ((launcher->confinement.namespaces & LAUNCHER_NAMESPACE_PID) == 0) {
        (void)kill(-process->pid, SIGKILL);
    }
}

void kill_process(const struct launcher *launcher, const struct process *process) {
    (void)linux_pidfd_send_signal(process->pidfd, SIGKILL);
    kill_remains(launcher, process);
}

/* One that has ended meanwhile is no error. */
void kill_by_serial(struct launcher *launcher, const struct order *order) {
    const struct process *const process = find_process(launcher, order->packet.kill.serial);
    if (process != NULL) {
        kill_process(launcher, process);
    }
}

void close_if_open(int descriptor) {
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
}

void release_process(const struct launcher *launcher, struct process *process) {
    (void)close(process->pidfd);
    close_if_open(process->gate);
    close_if_open(process->status);
    close_if_open(process->scratch);
    close_if_open(process->listener);
    remove_group(launcher, process);
    memset(process, 0, sizeof *process);
}

void end_child(struct launcher *launcher, struct process *process) {
    kill_process(launcher, process);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    release_process(launcher, process);
}

static int64_t milliseconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void end_all(struct launcher *launcher) {
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        if (launcher->processes[index].state != PROCESS_NONE) {
            kill_process(launcher, &launcher->processes[index]);
        }
    }
    const int64_t deadline = milliseconds_now() + 5000;
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        struct process *process = &launcher->processes[index];
        if (process->state == PROCESS_NONE) {
            continue;
        }
        const int64_t left = deadline - milliseconds_now();
        struct pollfd end = {.fd = process->pidfd, .events = POLLIN};
        if (poll(&end, 1, left > 0 ? (int)left : 0) == 1) {
            (void)waitpid(process->pid, NULL, WNOHANG);
        }
        release_process(launcher, process);
    }
}
