/* SPDX-License-Identifier: Apache-2.0
 *
 * What one child is to become, complete before it is cloned: it allocates nothing and formats nothing.
 */
#pragma once

#include "launcher.h"
#include "steps.h"

#define ZONE_PREFIX "TZ="
#define MAP_BYTES 32
#define REPLAY_FILES 2
/* With a mount namespace a worker finds its bundle here, under the folder's own name. */
#define VIEW "/tmp"

struct plan {
    struct confinement confinement;
    bool probe; /* goes through every step but opens and executes nothing */
    uint32_t kind;
    uint32_t outside_uid; /* the uid and gid it has for the rest of the system, when own_identity */
    uint64_t memory_limit_bytes;
    uint64_t cpu_limit_seconds;

    int null;
    int socket;
    int output;
    int bundle;
    const struct key_table *keys;
    const int *replay_files; /* REPLAY_FILES of them, or NULL */

    char executable[LAUNCHER_NAME_BYTES];
    char bundle_path[LAUNCHER_PATH_BYTES];
    char view[LAUNCHER_PATH_BYTES + sizeof VIEW];                               /* where the bundle is for the worker */
    char program_path[LAUNCHER_PATH_BYTES + LAUNCHER_NAME_BYTES + sizeof VIEW]; /* argv[0]: view/executable */
    char zone[sizeof ZONE_PREFIX - 1 + LAUNCHER_ZONE_BYTES];                    /* "TZ=..." or empty */
    char uid_map[MAP_BYTES];
    char gid_map[MAP_BYTES];

    int tree;         /* the bundle, cloned and not yet moved into the view */
    int gate;         /* the child's end; the steps' way to report */
    int program;      /* the open executable */
    bool interpreted; /* it begins with "#!" */
};

/* What comes through the gate: {STEP_EXECUTE, 0} before exec, {step, errno} when a step failed. */
struct gate_report {
    uint32_t step;
    int32_t error;
};

/* spawn.c */

/* The user and group, the maps and the confinement of a process of that kind and slot. */
void plan_identity(struct plan *plan, const struct confinement *confinement, uint32_t kind, uint32_t slot);
/* Clones a child that follows the plan and lets it go. Fills pid, pidfd, gate and state of `process`.
 * 0, or -errno with *step set and no process left. */
int start_child(struct launcher *launcher, struct plan *plan, struct process *process, enum step *step);
/* The host's order: `descriptors` are socket, output pipe and bundle folder; `replay_files` may be NULL. All stay the
 * caller's. */
void spawn(struct launcher *launcher, const struct launcher_spawn *packet, const int descriptors[3],
           const int *replay_files);
/* False when the host's strings or numbers cannot come from our host. */
bool spawn_is_well_formed(const struct launcher_spawn *packet);

/* child.c: follows the plan up to exec. */
_Noreturn void run_child(struct plan *plan);

/* The steps' files. Each function returns when its step is done and otherwise ends the child through this. */
_Noreturn void fail(const struct plan *plan, enum step step, int error);

/* child_namespaces.c */
void mount_private_proc(const struct plan *plan);
void write_own_id_maps(const struct plan *plan);
void become_inside_user(const struct plan *plan);
void set_host_name(const struct plan *plan);

/* child_view.c */
void make_mounts_private(const struct plan *plan);
void hide_keys(const struct plan *plan);
void clone_bundle(struct plan *plan);
void show_bundle(struct plan *plan);

/* child_limits.c */
void set_limits(const struct plan *plan);

/* child_privileges.c */
void die_with_launcher(const struct plan *plan);
void die_before_the_host_does(void);
void become_own_user(const struct plan *plan);
void drop_capabilities(const struct plan *plan);
void refuse_new_privileges(const struct plan *plan);
void refuse_new_code(const struct plan *plan);

/* child_program.c */
void open_program(struct plan *plan);
void leave_session(const struct plan *plan);
void place_descriptors(struct plan *plan);
_Noreturn void execute(const struct plan *plan);
