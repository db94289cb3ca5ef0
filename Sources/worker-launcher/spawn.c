/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "plan.h"

static bool ends(const char *text, size_t capacity) { return memchr(text, '\0', capacity) != NULL; }

static bool has_storage(const struct launcher_spawn *packet) { return packet->storage_path[0] != '\0'; }

static bool grants_are_well_formed(const struct launcher_spawn *packet) {
    const bool scratch = (packet->flags & LAUNCHER_SCRATCH) != 0;
    const bool network = (packet->flags & LAUNCHER_NETWORK) != 0;
    return (packet->flags & ~ALL_FLAGS) == 0 && scratch == (packet->scratch_bytes != 0) && (scratch || !network) &&
           (!has_storage(packet) || (scratch && packet->storage_path[0] == '/')) &&
           (!scratch || packet->kind == LAUNCHER_EXTENSION);
}

bool spawn_is_well_formed(struct launcher *launcher, const struct order *order) {
    const struct launcher_spawn *const packet = &order->packet.spawn;
    if (packet->kind > LAUNCHER_OPENER || !ends(packet->executable, sizeof packet->executable) ||
        !ends(packet->time_zone, sizeof packet->time_zone) || !ends(packet->bundle_path, sizeof packet->bundle_path) ||
        !ends(packet->storage_path, sizeof packet->storage_path) || find_process(launcher, packet->serial) != NULL) {
        return false;
    }
    const int expected = LEAST_SENT + (has_storage(packet) ? 1 : 0);
    const bool replay = packet->kind == LAUNCHER_OPENER && order->count == expected + REPLAY_FILES;
    const bool has_user = packet->kind == LAUNCHER_EXTENSION || packet->user == 0;
    return grants_are_well_formed(packet) && has_user && (order->count == expected || replay);
}

/* One component: the host takes it from a bundle's Info.plist. */
static bool is_file_name(const char *name) {
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* A child that waits, or a new one. */
static int find_child(struct launcher *launcher, struct process **process, enum step *step) {
    *process = take_spare(launcher);
    if (*process != NULL) {
        return 0;
    }
    *step = STEP_PROCESS_TABLE;
    *process = free_place(launcher);
    return *process != NULL ? clone_child(launcher, &launcher->confinement, *process, step) : -EAGAIN;
}

/* The first opener is started before the host hears anybody; whatever a host asks for later is that very program. */
static bool is_the_opener(struct launcher *launcher, const struct launcher_spawn *packet, int folder) {
    struct stat status;
    if (fstat(folder, &status) != 0) {
        return false;
    }
    if (!launcher->opener.known) {
        launcher->opener.known = true;
        launcher->opener.device = status.st_dev;
        launcher->opener.inode = status.st_ino;
        memcpy(launcher->opener.executable, packet->executable, sizeof packet->executable);
    }
    return launcher->opener.device == status.st_dev && launcher->opener.inode == status.st_ino &&
           strcmp(launcher->opener.executable, packet->executable) == 0;
}

/* A user is the app's whose order named it first: whatever a host asks for, no two apps share a uid. */
static int judge_user(struct launcher *launcher, const struct launcher_spawn *packet) {
    if (packet->user > LAUNCHER_MAXIMUM_USER) {
        return -ERANGE;
    }
    uint16_t *const app = &launcher->user_apps[packet->user];
    if (*app == 0) {
        *app = (uint16_t)(packet->slot + 1);
    }
    return *app == packet->slot + 1 ? 0 : -EEXIST;
}

static int judge(struct launcher *launcher, const struct launcher_spawn *packet, int folder, enum step *step) {
    if (!is_file_name(packet->executable)) {
        *step = STEP_EXECUTABLE_NAME;
        return -EINVAL;
    }
    if (packet->kind == LAUNCHER_OPENER && !is_the_opener(launcher, packet, folder)) {
        *step = STEP_BUNDLE_REPLACED;
        return -ESTALE;
    }
    *step = STEP_APP_SLOT;
    if (packet->slot > LAUNCHER_MAXIMUM_SLOT) {
        return -ERANGE;
    }
    *step = STEP_APP_USER;
    return packet->kind == LAUNCHER_OPENER ? 0 : judge_user(launcher, packet);
}

static int start(struct launcher *launcher, const struct order *order, enum step *step) {
    const struct launcher_spawn *const packet = &order->packet.spawn;
    struct process *process;
    int error = find_child(launcher, &process, step);
    if (error != 0) {
        return error;
    }
    struct plan plan = {.has_replay_files = packet->kind == LAUNCHER_OPENER && order->count > LEAST_SENT};
    plan_confinement(&plan, launcher, &launcher->confinement);
    plan_grants(&plan, packet);
    plan_identity(&plan, launcher, packet->kind, packet->slot, packet->user);
    plan_program(&plan, packet);
    process->serial = packet->serial;
    process->is_opener = packet->kind == LAUNCHER_OPENER;
    process->owner = launcher->confinement.own_identity ? plan.outside_uid : 0;
    error = let_go(launcher, process, &plan, order->descriptors, order->count, step);
    if (error != 0) {
        end_child(launcher, process);
    }
    return error;
}

void spawn(struct launcher *launcher, const struct order *order) {
    const struct launcher_spawn *const packet = &order->packet.spawn;
    enum step step;
    int error = judge(launcher, packet, order->descriptors[2], &step);
    if (error == 0) {
        error = start(launcher, order, &step);
    }
    if (error != 0) {
        tell_failed(launcher, packet->serial, step_name(step), -error);
    }
}
