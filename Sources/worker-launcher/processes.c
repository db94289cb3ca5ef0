/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

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

/* Everything that is left of a worker without a pid namespace, as far as it stayed in its process group; in a cgroup
 * it cannot leave. */
static void kill_group(const struct launcher *launcher, const struct process *process) {
    kill_in_group(process);
    if ((launcher->confinement.namespaces & LAUNCHER_NAMESPACE_PID) == 0) {
        (void)kill(-process->pid, SIGKILL);
    }
}

void kill_process(const struct launcher *launcher, const struct process *process) {
    (void)linux_pidfd_send_signal(process->pidfd, SIGKILL);
    kill_group(launcher, process);
}

static void close_if_open(int descriptor) {
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

/* Before exec: the child has said why, or has died of a signal; it was never started for the host. */
static void end_unstarted(struct launcher *launcher, struct process *process, enum step step, int error) {
    const uint64_t serial = process->serial;
    end_child(launcher, process);
    tell_failed(launcher, serial, step_name(step), error);
}

/* The host's own user, in every respect. */
static bool shares_user(const struct launcher *launcher) {
    return !launcher->confinement.own_identity && (launcher->confinement.namespaces & LAUNCHER_NAMESPACE_USER) == 0;
}

static void tell_started(struct launcher *launcher, struct process *process) {
    (void)close(process->gate);
    process->gate = -1;
    process->state = PROCESS_RUNNING;
    const struct launcher_started packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_STARTED},
        .serial = process->serial,
        .pid = process->pid,
        .namespaces = launcher->confinement.namespaces,
        .profile = (uint32_t)launcher->confinement.profile,
        .flags = process->flags,
        .shared_uid = shares_user(launcher) ? 1 : 0,
    };
    const int descriptors[] = {process->pidfd, process->status, process->listener};
    tell_host(launcher, &packet, sizeof packet, descriptors, process->listener >= 0 ? 3 : 2);
    (void)close(process->status);
    process->status = -1;
    close_if_open(process->listener); /* the host's from here on: a connection waits there, not with us */
    process->listener = -1;
}

static void keep(struct process *process, const int *descriptors, int count) {
    process->status = count > 0 ? descriptors[0] : -1;
    process->scratch = count > 1 ? descriptors[1] : -1;
    process->listener = count > 2 ? descriptors[2] : -1;
}

void hear_gate(struct launcher *launcher, struct process *process) {
    if (process->state == PROCESS_WAITING) {
        /* It died, or a step failed that will fail the next start too. */
        launcher->spare = NULL;
        end_child(launcher, process);
        return;
    }
    struct gate_report report = {0};
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int count = 0;
    ssize_t received = linux_receive_packet(process->gate, &report, sizeof report, descriptors, &count);
    if (received == -ECONNRESET) {
        /* It ended without having read its plan, which is told before what it said. */
        received = linux_receive_packet(process->gate, &report, sizeof report, descriptors, &count);
    }
    if (received == -EAGAIN) {
        return;
    }
    if (received != (ssize_t)sizeof report) {
        if (process->state == PROCESS_EXECUTING) {
            tell_started(launcher, process);
        } else {
            end_unstarted(launcher, process, STEP_BEFORE_EXECUTE, ESRCH);
        }
    } else if (report.step == STEP_HAND_OVER && report.error == 0) {
        keep(process, descriptors, count);
    } else if (report.step == STEP_EXECUTE && report.error == 0) {
        process->state = PROCESS_EXECUTING;
        set_first_priority(launcher, process);
    } else {
        end_unstarted(launcher, process, (enum step)report.step, report.error);
    }
}

void hear_end(struct launcher *launcher, struct process *process) {
    int status = 0;
    struct rusage usage;
    kill_group(launcher, process); /* while the unreaped leader still keeps the number from being used again */
    if (wait4(process->pid, &status, WNOHANG, &usage) != process->pid) {
        return;
    }
    struct launcher_exited packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_EXITED},
        .serial = process->serial,
        .code = CLD_EXITED,
        .status = WEXITSTATUS(status),
        .peak_resident_bytes = (uint64_t)usage.ru_maxrss * 1024,
    };
    if (WIFSIGNALED(status)) {
        packet.code = WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
        packet.status = WTERMSIG(status);
    }
    count_group(process, &packet);
    release_process(launcher, process);
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
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
