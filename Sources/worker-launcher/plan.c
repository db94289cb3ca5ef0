/* SPDX-License-Identifier: Apache-2.0
 *
 * From the host's order to what a child needs to know.
 */
#define _GNU_SOURCE
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Files and folders that fit into a scratch folder. */
#define SCRATCH_FILES 1024u

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
    return plan->has_replay_files ? FILTER_OWN_FILES : FILTER_PLAIN;
}

void plan_confinement(struct plan *plan, const struct launcher *launcher, const struct confinement *confinement) {
    plan->confinement = *confinement;
    plan->landlock = confinement->profile == 'D' ? 0 : launcher->landlock;
    plan->page = launcher->page;
    plan->keys = &launcher->keys;
    plan->null = launcher->null;
    plan->socket = launcher->null;
    plan->output = launcher->null;
    plan->bundle = -1;
    plan->storage = -1;
    plan->tree = -1;
    plan->program = -1;
    plan->scratch = -1;
    plan->listener = -1;
    for (int part = 0; part < SCRATCH_PARTS; part++) {
        plan->scratch_trees[part] = -1;
    }
}

static void write_map(char map[MAP_BYTES], unsigned int outside) {
    (void)snprintf(map, MAP_BYTES, "%u %u 1", INSIDE_UID, outside);
}

void plan_identity(struct plan *plan, const struct launcher *launcher, uint32_t kind, uint32_t slot, uint32_t user) {
    const bool own_pids = (plan->confinement.namespaces & LAUNCHER_NAMESPACE_PID) != 0;
    plan->filter = stage1(&launcher->filters, own_pids, filter_grant(plan));
    plan->kind = kind;
    plan->outside_uid = kind == LAUNCHER_OPENER ? OPENER_UID : FIRST_EXTENSION_UID + user;
    write_map(plan->uid_map, plan->confinement.own_identity ? plan->outside_uid : geteuid());
    write_map(plan->gid_map, plan->confinement.own_identity ? plan->outside_uid : getegid());
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

void plan_program(struct plan *plan, const struct launcher_spawn *packet) {
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
void plan_grants(struct plan *plan, const struct launcher_spawn *packet) {
    const bool has_root = (plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) != 0;
    memcpy(plan->storage_path, packet->storage_path, sizeof plan->storage_path);
    plan->flags = packet->flags;
    if (!has_root) {
        plan->flags = packet->storage_path[0] != '\0' ? packet->flags & LAUNCHER_SCRATCH : 0;
    }
    if ((plan->flags & LAUNCHER_SCRATCH) == 0) {
        return;
    }
    plan->scratch_bytes = packet->scratch_bytes;
    const bool inside = (plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) != 0;
    const uint32_t owner = inside ? INSIDE_UID : FIRST_EXTENSION_UID + packet->user;
    (void)snprintf(plan->scratch_options, sizeof plan->scratch_options,
                   "size=%" PRIu64 ",nr_inodes=%u,mode=700,uid=%u,gid=%u", plan->scratch_bytes, SCRATCH_FILES, owner,
                   owner);
    plan_variables(plan, has_root ? SCRATCH_VIEW : plan->storage_path);
}
