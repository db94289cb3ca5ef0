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
/* In a root of its own a process finds its program here, unless the bundle's folder is called X.appex: then there. */
#define PLAIN_VIEW "/bundle"
/* What it may write to, where its root is its own. */
#define SCRATCH_VIEW "/scratch"
#define SCRATCH_OPTION_BYTES 96
#define FOLDER_VARIABLE_BYTES (LAUNCHER_PATH_BYTES + 32)

/* The folders below scratch. The last two outlive the process where there is storage. */
enum scratch_part { SCRATCH_TEMPORARY, SCRATCH_HOME, SCRATCH_GROUPS, SCRATCH_PARTS };
extern const char *const scratch_parts[SCRATCH_PARTS];

struct plan {
    struct confinement confinement;
    bool probe; /* goes through every step, and then attacks in place of executing anything */
    uint32_t kind;
    uint32_t outside_uid; /* the uid and gid it has for the rest of the system, when own_identity */
    uint64_t memory_limit_bytes;
    uint64_t cpu_limit_seconds;
    uint64_t scratch_bytes;
    uint32_t flags; /* enum launcher_flags, those that can be granted here */

    int null;
    int status; /* its own /proc/PID/status */
    int socket;
    int output;
    int bundle;
    int storage; /* -1 without one */
    const struct key_table *keys;
    bool has_replay_files;
    int replay_files[REPLAY_FILES];
    const struct view *shown[LAUNCHER_MAXIMUM_SHOWN];
    uint32_t shown_count;
    const struct filter *filter;
    struct final_page *page;
    uint32_t landlock;              /* 0: not used */
    const struct view *interpreter; /* one of them, or NULL: the program is executed itself */

    char executable[LAUNCHER_NAME_BYTES];
    char bundle_path[LAUNCHER_PATH_BYTES];
    char storage_path[LAUNCHER_PATH_BYTES];                       /* or empty */
    char view[LAUNCHER_PATH_BYTES];                               /* where the bundle is for the process */
    char program_path[LAUNCHER_PATH_BYTES + LAUNCHER_NAME_BYTES]; /* view/executable */
    char zone[sizeof ZONE_PREFIX - 1 + LAUNCHER_ZONE_BYTES];      /* "TZ=..." or empty */
    char folder_variables[3][FOLDER_VARIABLE_BYTES];              /* TMPDIR=..., HOME=..., CFFIXED_USER_HOME=... */
    char scratch_options[SCRATCH_OPTION_BYTES];                   /* of its file system */
    char uid_map[MAP_BYTES];
    char gid_map[MAP_BYTES];

    int trees[LAUNCHER_MAXIMUM_SHOWN]; /* clones of what is shown, not yet moved into the view; -1 for a link */
    int tree;                          /* the same of the bundle, or for an opener of its program */
    int scratch_trees[SCRATCH_PARTS];  /* clones of storage; -1 for a plain folder */
    int scratch;                       /* the folder of scratch, O_PATH, or -1 */
    int listener;                      /* listens in its own network, or -1 */
    int gate;                          /* the child's end; the steps' way to report */
    int program;                       /* what will be executed: the executable, or the interpreter */
};

/* What comes through the gate: {STEP_HAND_OVER, 0} with the descriptors of its status, scratch and listener,
 * {STEP_EXECUTE, 0} before exec, {step, errno} when a step failed. */
struct gate_report {
    uint32_t step;
    int32_t error;
};

/* plan.c: a plan is made by these, in this order. */

/* What a child knows before there is an order for it; nothing of the host's is open in it. */
void plan_confinement(struct plan *plan, const struct launcher *launcher, const struct confinement *confinement);
void plan_grants(struct plan *plan, const struct launcher_spawn *packet);
/* The user and group, the maps, the view and the filter of a process of that kind, slot and user. */
void plan_identity(struct plan *plan, const struct launcher *launcher, uint32_t kind, uint32_t slot, uint32_t user);
void plan_program(struct plan *plan, const struct launcher_spawn *packet);

/* start.c */

/* Makes a child that waits for its plan. 0, or -errno with *step set and no process left. */
int clone_child(struct launcher *launcher, const struct confinement *confinement, struct process *process,
                enum step *step);
/* Has it follow the plan; the descriptors are those of a spawn. 0, or -errno with *step set, and it still waits. */
int let_go(const struct launcher *launcher, struct process *process, const struct plan *plan, const int *descriptors,
           int count, enum step *step);
/* clone.c: a child with a pidfd, in a group unless that is negative, in new namespaces that the flags of clone(2) name.
 * As fork: 0 in the child, which shares nothing; -errno. */
pid_t clone_process(uint64_t flags, int group, int *pidfd);

/* groups.c: puts a process into a group. 0 or -errno. */
int join_group(int group, pid_t pid);

/* groups.c: the limits of the process's cgroup. 0 or -errno. */
int limit_group(const struct launcher *launcher, const struct process *process, const struct plan *plan);

/* spawn.c */

/* Descriptors of an order to start: socket, output pipe and bundle folder; beside them a storage folder, and for an
 * opener its replay files. */
#define LEAST_SENT 3
#define MOST_SENT (LEAST_SENT + 1 + REPLAY_FILES)

void spawn(struct launcher *launcher, const struct order *order);
/* False when strings, numbers or descriptors cannot come from our host, or the serial is in use. */
bool spawn_is_well_formed(struct launcher *launcher, const struct order *order);

/* What a waiting child is called in a list of processes. */
#define SPARE_NAME "worker-spare"

/* child.c: follows the plan up to exec. */
_Noreturn void run_child(struct plan *plan);

/* steps.c: tells the launcher which step failed, and ends the child. Each function of the steps' files below returns
 * when its step is done, and otherwise ends here. */
_Noreturn void fail(const struct plan *plan, enum step step, int error);

/* child_namespaces.c */
void write_own_id_maps(const struct plan *plan);
void become_inside_user(const struct plan *plan);
void set_host_name(const struct plan *plan);
void enter_own_group_root(const struct plan *plan);

/* child_trees.c */
void make_mounts_private(const struct plan *plan);
void hide_keys(const struct plan *plan);
void clone_trees(struct plan *plan);
/* The folder at `path`, through no link on the way; it must be the one that the host opened. */
int find_same_folder(const struct plan *plan, const char *path, int expected, enum step missing, enum step replaced);
/* A copy of what is mounted there, for this process to move into its view, with `attributes` in force. */
int clone_tree(const struct plan *plan, enum step step, int folder, const char *path, unsigned int flags,
               uint64_t attributes);

/* child_scratch.c: what a process may write to, and where it may connect. */
void find_storage(struct plan *plan);
void make_scratch(struct plan *plan);
void open_network(struct plan *plan);
void hand_over(const struct plan *plan);

/* child_view.c */
void enter_own_root(struct plan *plan);

/* child_limits.c */
void set_limits(const struct plan *plan);
void limit_descriptors(const struct plan *plan);

/* child_privileges.c */
void die_with_launcher(const struct plan *plan);
void die_before_the_host_does(void);
void empty_bounding_set(const struct plan *plan);
void become_own_user(const struct plan *plan);
void drop_capabilities(const struct plan *plan);
void refuse_new_privileges(const struct plan *plan);
void refuse_new_code(const struct plan *plan);

/* child_landlock.c */
void restrict_files(const struct plan *plan);

/* child_filter.c */
void load_filter(const struct plan *plan);
/* What a confined process must not be able to do, tried once at the launcher's start. */
void test_confinement(const struct plan *plan);

/* child_program.c */
void open_program(struct plan *plan);
void leave_session(const struct plan *plan);
/* Its folder, its umask, and no signal blocked. */
void reset_signals(const struct plan *plan);
void place_descriptors(struct plan *plan);
_Noreturn void execute(const struct plan *plan);
