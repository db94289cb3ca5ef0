/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a process has come: it reports its steps through the gate, and the kernel its end through the pidfd.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

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
    kill_remains(launcher, process); /* while the unreaped leader still keeps the number from being used again */
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
    keep_scratch(launcher, process);
    release_process(launcher, process);
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
}
