/* SPDX-License-Identifier: Apache-2.0
 *
 * Children, in two movements: cloned, which costs most of a start and needs no order, and let go with a plan. One child
 * is kept waiting between the two, so that the next start pays only for the second.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

/* All but the cgroup namespace: its root is the group of whoever makes it, so the child has to. */
static uint64_t clone_flags(uint32_t namespaces) {
    static const struct {
        uint32_t namespace;
        uint64_t flag;
    } table[] = {
        {LAUNCHER_NAMESPACE_USER, CLONE_NEWUSER}, {LAUNCHER_NAMESPACE_MOUNT, CLONE_NEWNS},
        {LAUNCHER_NAMESPACE_PID, CLONE_NEWPID},   {LAUNCHER_NAMESPACE_NET, CLONE_NEWNET},
        {LAUNCHER_NAMESPACE_IPC, CLONE_NEWIPC},   {LAUNCHER_NAMESPACE_UTS, CLONE_NEWUTS},
    };
    uint64_t flags = 0;
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        flags |= (namespaces & table[index].namespace) != 0 ? table[index].flag : 0;
    }
    return flags;
}

static int write_map_file(pid_t pid, const char *name, const char *map) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return -errno;
    }
    const int error = write(file, map, strlen(map)) < 0 ? -errno : 0;
    (void)close(file);
    return error;
}

/* As root: every app is a user of its own outside too, which only the parent may grant. */
static int write_id_maps(pid_t pid, const struct plan *plan) {
    if ((plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) == 0 || !plan->confinement.own_identity) {
        return 0;
    }
    const int error = write_map_file(pid, "uid_map", plan->uid_map);
    return error != 0 ? error : write_map_file(pid, "gid_map", plan->gid_map);
}

/* In the child, which may wait for long: a launcher that dies must be seen at its gate, and what belongs to other
 * processes must go with them. The host's socket keeps its number occupied, as all that a child hands out. */
static _Noreturn void enter_child(const struct launcher *launcher, struct plan *plan, const int gate[2]) {
    (void)close(gate[0]);
    (void)dup3(launcher->null, LAUNCHER_SOCKET_DESCRIPTOR, O_CLOEXEC);
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        const struct process *const other = &launcher->processes[index];
        if (other->state != PROCESS_NONE) {
            close_if_open(other->pidfd);
            close_if_open(other->gate);
            close_if_open(other->status);
            close_if_open(other->scratch);
            close_if_open(other->listener);
            close_if_open(other->group);
        }
    }
    for (size_t index = 0; index < sizeof launcher->left.folders / sizeof launcher->left.folders[0]; index++) {
        if (launcher->left.folders[index].there) {
            (void)close(launcher->left.folders[index].folder);
        }
    }
    plan->gate = gate[1];
    run_child(plan);
}

static int make_child(struct launcher *launcher, struct plan *plan, const int gate[2], struct process *process) {
    int pidfd = -1;
    const pid_t pid = clone_process(clone_flags(plan->confinement.namespaces), process->group, &pidfd);
    if (pid == 0) {
        enter_child(launcher, plan, gate);
    }
    if (pid < 0) {
        return pid;
    }
    process->state = PROCESS_WAITING;
    process->pid = pid;
    process->pidfd = pidfd;
    process->gate = gate[0];
    return 0;
}

int clone_child(struct launcher *launcher, const struct confinement *confinement, struct process *process,
                enum step *step) {
    struct plan plan = {0};
    plan_confinement(&plan, launcher, confinement);
    plan_identity(&plan, launcher, LAUNCHER_EXTENSION, LAUNCHER_EVERY_SLOT, 0);
    int gate[2];
    *step = STEP_GATE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, gate) != 0) {
        return -errno;
    }
    (void)fcntl(gate[0], F_SETFL, O_NONBLOCK);
    *process = (struct process){.status = -1, .scratch = -1, .listener = -1, .group = -1};
    *step = STEP_GROUP;
    int error = make_group(launcher, process);
    if (error == 0) {
        *step = STEP_CLONE;
        error = make_child(launcher, &plan, gate, process);
    }
    (void)close(gate[1]);
    if (error != 0) {
        (void)close(gate[0]);
        remove_group(launcher, process);
    }
    return error;
}

int let_go(const struct launcher *launcher, struct process *process, const struct plan *plan, const int *descriptors,
           int count, enum step *step) {
    *step = STEP_GROUP;
    int error = limit_group(launcher, process, plan);
    if (error == 0) {
        *step = STEP_ID_MAPS;
        error = write_id_maps(process->pid, plan);
    }
    if (error != 0) {
        return error;
    }
    process->state = PROCESS_STARTING;
    process->flags = plan->flags;
    /* A child that is gone already says why through the gate, which is read in the loop. */
    const ssize_t sent = linux_send_packet(process->gate, plan, sizeof *plan, descriptors, count);
    *step = STEP_GATE;
    return sent >= 0 || sent == -EPIPE || sent == -ECONNRESET ? 0 : (int)sent;
}

void make_spare(struct launcher *launcher) {
    struct process *const process = free_place(launcher);
    enum step step;
    launcher->wants_spare = false;
    if (process != NULL && clone_child(launcher, &launcher->confinement, process, &step) == 0) {
        launcher->spare = process;
    }
}

struct process *take_spare(struct launcher *launcher) {
    struct process *const process = launcher->spare;
    launcher->spare = NULL;
    launcher->wants_spare = true;
    return process;
}

void discard_spare(struct launcher *launcher) {
    struct process *const process = take_spare(launcher);
    if (process != NULL) {
        end_child(launcher, process);
    }
}
