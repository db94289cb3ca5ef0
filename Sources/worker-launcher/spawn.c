/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan.h"

static bool ends(const char *text, size_t capacity) { return memchr(text, '\0', capacity) != NULL; }

/* Files and folders that fit into a scratch folder. */
#define SCRATCH_FILES 1024u
/* Socket, output pipe, bundle folder. */
#define ALWAYS_SENT 3

static bool has_storage(const struct launcher_spawn *packet) { return packet->storage_path[0] != '\0'; }

static bool grants_are_well_formed(const struct launcher_spawn *packet) {
    const bool scratch = (packet->flags & LAUNCHER_SCRATCH) != 0;
    const bool network = (packet->flags & LAUNCHER_NETWORK) != 0;
    return (packet->flags & ~ALL_FLAGS) == 0 && scratch == (packet->scratch_bytes != 0) && (scratch || !network) &&
           (!has_storage(packet) || (scratch && packet->storage_path[0] == '/')) &&
           (!scratch || packet->kind == LAUNCHER_EXTENSION);
}

bool spawn_is_well_formed(const struct launcher_spawn *packet, int descriptor_count) {
    if (packet->kind > LAUNCHER_OPENER || !ends(packet->executable, sizeof packet->executable) ||
        !ends(packet->time_zone, sizeof packet->time_zone) || !ends(packet->bundle_path, sizeof packet->bundle_path) ||
        !ends(packet->storage_path, sizeof packet->storage_path)) {
        return false;
    }
    const int expected = ALWAYS_SENT + (has_storage(packet) ? 1 : 0);
    const bool replay = packet->kind == LAUNCHER_OPENER && descriptor_count == expected + REPLAY_FILES;
    return grants_are_well_formed(packet) && (descriptor_count == expected || replay);
}

/* One component: the host takes it from a bundle's Info.plist. */
static bool is_file_name(const char *name) {
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* An opener sees what everybody sees; an app beside that what was registered for it. */
static void plan_shown(struct plan *plan, const struct view_table *table, uint32_t slot) {
    for (uint32_t index = 0; index < table->count && plan->shown_count < LAUNCHER_MAXIMUM_SHOWN; index++) {
        const struct view *const view = &table->views[index];
        if ((view->slot != LAUNCHER_EVERY_SLOT && view->slot != slot) ||
            (view->of_network && (plan->flags & LAUNCHER_NETWORK) == 0)) {
            continue;
        }
        plan->shown[plan->shown_count++] = view;
        if (view->kind == VIEW_INTERPRETER) {
            plan->interpreter = view;
        }
    }
}

static enum filter_grant filter_grant(const struct plan *plan) {
    if ((plan->flags & LAUNCHER_NETWORK) != 0) {
        return FILTER_NETWORK;
    }
    if ((plan->flags & LAUNCHER_SCRATCH) != 0) {
        return FILTER_SCRATCH;
    }
    return plan->replay_files != NULL ? FILTER_OWN_FILES : FILTER_PLAIN;
}

void plan_nothing_open(struct plan *plan) {
    plan->tree = -1;
    plan->program = -1;
    plan->scratch = -1;
    plan->listener = -1;
    for (int part = 0; part < SCRATCH_PARTS; part++) {
        plan->scratch_trees[part] = -1;
    }
}

void plan_identity(struct plan *plan, const struct launcher *launcher, const struct confinement *confinement,
                   uint32_t kind, uint32_t slot) {
    const bool own_pids = (confinement->namespaces & LAUNCHER_NAMESPACE_PID) != 0;
    plan->filter = stage1(&launcher->filters, own_pids, filter_grant(plan));
    plan->page = launcher->page;
    plan->landlock = confinement->profile == 'D' ? 0 : launcher->landlock;
    plan->confinement = *confinement;
    plan->kind = kind;
    plan->outside_uid = kind == LAUNCHER_OPENER ? OPENER_UID : FIRST_EXTENSION_UID + slot;
    const unsigned int uid = confinement->own_identity ? plan->outside_uid : geteuid();
    const unsigned int gid = confinement->own_identity ? plan->outside_uid : getegid();
    (void)snprintf(plan->uid_map, sizeof plan->uid_map, "%u %u 1", INSIDE_UID, uid);
    (void)snprintf(plan->gid_map, sizeof plan->gid_map, "%u %u 1", INSIDE_UID, gid);
    plan_shown(plan, &launcher->views, kind == LAUNCHER_OPENER ? LAUNCHER_EVERY_SLOT : slot);
}

/* Without mounts the bundle is where it is. */
static void plan_view(struct plan *plan) {
    if ((plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) == 0) {
        (void)snprintf(plan->view, sizeof plan->view, "%s", plan->bundle_path);
        return;
    }
    const char *const slash = strrchr(plan->bundle_path, '/');
    const char *const name = slash != NULL ? slash + 1 : plan->bundle_path;
    static const char suffix[] = ".appex";
    const size_t length = strlen(name);
    const bool keeps_name = length >= sizeof suffix && strcmp(&name[length - sizeof suffix + 1], suffix) == 0;
    (void)snprintf(plan->view, sizeof plan->view, "/%.*s", LAUNCHER_NAME_BYTES, keeps_name ? name : &PLAIN_VIEW[1]);
}

static void plan_program(struct plan *plan, const struct launcher_spawn *packet) {
    memcpy(plan->executable, packet->executable, sizeof plan->executable);
    memcpy(plan->bundle_path, packet->bundle_path, sizeof plan->bundle_path);
    plan_view(plan);
    (void)snprintf(plan->program_path, sizeof plan->program_path, "%s/%s", plan->view, plan->executable);
    if (packet->time_zone[0] != '\0') {
        (void)snprintf(plan->zone, sizeof plan->zone, ZONE_PREFIX "%s", packet->time_zone);
    }
    plan->memory_limit_bytes = packet->memory_limit_bytes;
    plan->cpu_limit_seconds = packet->cpu_limit_seconds;
}

static void plan_variables(struct plan *plan, const char *scratch) {
    static const struct {
        const char *name;
        enum scratch_part part;
    } variables[] = {{"TMPDIR", SCRATCH_TEMPORARY}, {"HOME", SCRATCH_HOME}, {"CFFIXED_USER_HOME", SCRATCH_HOME}};
    for (size_t index = 0; index < sizeof variables / sizeof variables[0]; index++) {
        (void)snprintf(plan->folder_variables[index], sizeof plan->folder_variables[index], "%s=%s/%s",
                       variables[index].name, scratch, scratch_parts[variables[index].part]);
    }
}

/* Without mounts scratch is the app's storage, and without a network of its own a worker gets none. */
static void plan_grants(struct plan *plan, const struct launcher_spawn *packet) {
    const bool has_root = (plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) != 0;
    memcpy(plan->storage_path, packet->storage_path, sizeof plan->storage_path);
    plan->flags = packet->flags;
    if (!has_root) {
        plan->flags = has_storage(packet) ? packet->flags & LAUNCHER_SCRATCH : 0;
    }
    if ((plan->flags & LAUNCHER_SCRATCH) == 0) {
        return;
    }
    plan->scratch_bytes = packet->scratch_bytes;
    const bool inside = (plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) != 0;
    const uint32_t owner = inside ? INSIDE_UID : FIRST_EXTENSION_UID + packet->slot;
    (void)snprintf(plan->scratch_options, sizeof plan->scratch_options,
                   "size=%" PRIu64 ",nr_inodes=%u,mode=700,uid=%u,gid=%u", plan->scratch_bytes, SCRATCH_FILES, owner,
                   owner);
    plan_variables(plan, has_root ? SCRATCH_VIEW : plan->storage_path);
}

static uint64_t clone_flags(uint32_t namespaces) {
    static const struct {
        uint32_t namespace;
        uint64_t flag;
    } table[] = {
        {LAUNCHER_NAMESPACE_USER, CLONE_NEWUSER},     {LAUNCHER_NAMESPACE_MOUNT, CLONE_NEWNS},
        {LAUNCHER_NAMESPACE_PID, CLONE_NEWPID},       {LAUNCHER_NAMESPACE_NET, CLONE_NEWNET},
        {LAUNCHER_NAMESPACE_IPC, CLONE_NEWIPC},       {LAUNCHER_NAMESPACE_UTS, CLONE_NEWUTS},
        {LAUNCHER_NAMESPACE_CGROUP, CLONE_NEWCGROUP},
    };
    uint64_t flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND;
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        flags |= (namespaces & table[index].namespace) != 0 ? table[index].flag : 0;
    }
    return flags;
}

static int write_map(pid_t pid, const char *name, const char *map) {
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
    const int error = write_map(pid, "uid_map", plan->uid_map);
    return error != 0 ? error : write_map(pid, "gid_map", plan->gid_map);
}

/* In the child: a launcher that dies must be seen at its gate, so nobody else may hold its end. */
static _Noreturn void enter_child(const struct launcher *launcher, struct plan *plan, const int gate[2]) {
    (void)close(gate[0]);
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        const enum process_state state = launcher->processes[index].state;
        if (state == PROCESS_STARTING || state == PROCESS_EXECUTING) {
            (void)close(launcher->processes[index].gate);
        }
    }
    plan->gate = gate[1];
    run_child(plan);
}

static int abandon(struct process *process, int error) {
    (void)kill(process->pid, SIGKILL);
    (void)waitpid(process->pid, NULL, 0);
    (void)close(process->pidfd);
    (void)close(process->gate);
    process->state = PROCESS_NONE;
    return error;
}

int start_child(struct launcher *launcher, struct plan *plan, struct process *process, enum step *step) {
    int gate[2];
    *step = STEP_GATE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, gate) != 0) {
        return -errno;
    }
    (void)fcntl(gate[0], F_SETFL, O_NONBLOCK);
    *step = STEP_CLONE;
    int pidfd = -1;
    struct clone_args arguments = {
        .flags = clone_flags(plan->confinement.namespaces),
        .pidfd = (uint64_t)(uintptr_t)&pidfd,
        .exit_signal = SIGCHLD,
    };
    const pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0) {
        enter_child(launcher, plan, gate);
    }
    const int clone_error = pid < 0 ? -errno : 0;
    (void)close(gate[1]);
    if (clone_error != 0) {
        (void)close(gate[0]);
        return clone_error;
    }
    process->state = PROCESS_STARTING;
    process->pid = pid;
    process->pidfd = pidfd;
    process->gate = gate[0];
    process->scratch = -1;
    process->listener = -1;
    process->flags = plan->flags;
    *step = STEP_ID_MAPS;
    const int map_error = write_id_maps(pid, plan);
    if (map_error != 0) {
        return abandon(process, map_error);
    }
    /* A child that is gone already says why through the gate, which is read in the loop. */
    (void)send(process->gate, "g", 1, MSG_NOSIGNAL);
    return 0;
}

void spawn(struct launcher *launcher, const struct launcher_spawn *packet, const int *descriptors, int count) {
    struct process *process = free_place(launcher);
    if (process == NULL) {
        tell_failed(launcher, packet->serial, step_name(STEP_PROCESS_TABLE), EAGAIN);
        return;
    }
    if (!is_file_name(packet->executable)) {
        tell_failed(launcher, packet->serial, step_name(STEP_EXECUTABLE_NAME), EINVAL);
        return;
    }
    if (packet->slot > LAUNCHER_MAXIMUM_SLOT) {
        tell_failed(launcher, packet->serial, step_name(STEP_APP_SLOT), ERANGE);
        return;
    }
    struct plan plan = {
        .null = launcher->null,
        .socket = descriptors[0],
        .output = descriptors[1],
        .bundle = descriptors[2],
        .storage = has_storage(packet) ? descriptors[ALWAYS_SENT] : -1,
        .keys = &launcher->keys,
        .replay_files = packet->kind == LAUNCHER_OPENER && count > ALWAYS_SENT ? &descriptors[ALWAYS_SENT] : NULL,
        .confinement = launcher->confinement,
    };
    plan_nothing_open(&plan);
    plan_grants(&plan, packet);
    plan_identity(&plan, launcher, &launcher->confinement, packet->kind, packet->slot);
    plan_program(&plan, packet);
    enum step step;
    const int error = start_child(launcher, &plan, process, &step);
    if (error != 0) {
        tell_failed(launcher, packet->serial, step_name(step), -error);
        return;
    }
    process->serial = packet->serial;
}
