/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "filter.h"
#include "launcher_protocol.h"
#include "linux_calls.h"

/* Descriptors below this one are the numbers a child hands out (its own limit is 64). The launcher keeps them all
 * occupied, so that whatever it opens lies above and nothing has to be moved out of the way. */
#define FIRST_FREE_DESCRIPTOR 64
/* Where a child keeps its end of the gate, and the file it will execute. */
#define GATE_DESCRIPTOR 62
#define EXECUTABLE_DESCRIPTOR 63

/* As root every user of an app has a uid of its own, outside of any account: 61200 + user. The gid is the same. */
#define OPENER_UID 61199u
#define FIRST_EXTENSION_UID 61200u
/* What a process with a user namespace sees as its uid and gid. Not 0: that would free it from RLIMIT_NPROC. */
#define INSIDE_UID 1000u

/* The longest target of a symbolic link among the system's library folders. */
#define LINK_BYTES 64

/* How strongly a process is confined; one for the life of the launcher, chosen by trying. */
struct confinement {
    uint32_t namespaces; /* enum launcher_namespaces */
    char profile;        /* 'A' ... 'D', see docs/sandbox.md */
    bool own_identity;   /* every user has a uid of its own; needs root */
};

/* The key files, open from OPENER_FIRST_KEY_DESCRIPTOR on; nobody here reads them. */
struct key_table {
    char (*paths)[LAUNCHER_PATH_BYTES]; /* to hide them from extensions; mapped with the first, touched as used */
    uint32_t count;
};

enum view_kind { VIEW_FOLDER = LAUNCHER_VIEW_FOLDER, VIEW_INTERPRETER = LAUNCHER_VIEW_INTERPRETER, VIEW_LINK };

/* Something of the file system that processes may see, at its own path. */
struct view {
    uint32_t slot;   /* LAUNCHER_EVERY_SLOT, or the app's */
    bool of_network; /* only with the network grant */
    enum view_kind kind;
    char link[LINK_BYTES]; /* of VIEW_LINK: where it leads */
    char path[LAUNCHER_PATH_BYTES];
};

/* The system's own come first; the host adds to them until it seals. */
struct view_table {
    struct view *views; /* LAUNCHER_MAXIMUM_VIEWS of them, mapped and touched as far as used */
    uint32_t count;
};

/* The last words before exec: stage 1 lets one execveat pass, with these three addresses. The page lies where chance
 * put it, and goes with exec; a program that wants to run another has to guess it, and dies of the first guess. */
struct final_page {
    char no_path[sizeof(void *)]; /* the executable is a descriptor */
    const char *arguments[4];
    const char *environment[12];
};

enum process_state { PROCESS_NONE = 0, PROCESS_WAITING, PROCESS_STARTING, PROCESS_EXECUTING, PROCESS_RUNNING };

/* A started process. WAITING for a plan, STARTING until it says that its next call is exec, EXECUTING until the gate
 * closes with exec. */
struct process {
    enum process_state state;
    uint64_t serial;
    pid_t pid;
    int pidfd;
    int gate;     /* our end of the socket pair to the child's steps; -1 once it runs its program */
    int status;   /* its /proc/PID/status until the host has it, or -1 */
    int scratch;  /* its private scratch folder, or -1 */
    int listener; /* the socket that listens in its network until the host has it, or -1 */
    int group;    /* the folder of its cgroup, or -1 */
    uint64_t group_number;
    uint32_t flags; /* enum launcher_flags in force */
    uint32_t owner; /* its uid and gid outside of its namespaces; 0: the launcher's */
    bool is_opener;
};

/* The private scratch folder of a process that has ended. */
struct left_folder {
    bool there;
    uint64_t serial;
    int folder;
};

/* Those that the host has not let go of; one more takes the place of the oldest. */
struct left_folders {
    struct left_folder folders[64];
    size_t next;
};

/* Where cgroups for processes can be made. */
struct group_folder {
    int folder;         /* -1: nowhere */
    bool limits_memory; /* which controllers are there */
    bool counts_processes;
    uint64_t last; /* number of the last group made */
};

#define ALL_FLAGS ((uint32_t)LAUNCHER_SCRATCH | (uint32_t)LAUNCHER_NETWORK)

/* The one program that gets keys: the first that was started to. */
struct opener_program {
    bool known;
    uint64_t device;
    uint64_t inode; /* of its folder */
    char executable[LAUNCHER_NAME_BYTES];
};

struct launcher {
    int null; /* /dev/null, read-only */
    struct confinement confinement;
    uint32_t landlock; /* the kernel's version, 0 without it */
    struct final_page *page;
    struct filter_set filters;
    struct key_table keys;
    struct view_table views;
    struct group_folder groups;
    bool sealed; /* no key, view or group is taken any more */
    struct opener_program opener;
    uint16_t user_apps[LAUNCHER_MAXIMUM_USER + 1]; /* by user: 1 + the app's slot; 0 before the first order for it */
    struct process processes[LAUNCHER_MAXIMUM_PROCESSES];
    struct left_folders left;
    struct process *spare; /* a child that waits for a plan, or NULL */
    bool wants_spare;      /* another is to be made when there is nothing else to do */
    bool raises_priority;  /* what has a low priority can have a higher one again */
    bool ending;           /* the host is gone or broken: kill all, leave with exit_status */
    int exit_status;
};

/* A packet of the host with its descriptors, which are closed when it was obeyed. */
struct order {
    union launcher_packet packet;
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int count;
};

/* host.c: packets to the host, words to a person. */

/* Sends one packet. Waits at most 5 s for a host that does not read; after that, or when the host is gone, the
 * launcher is ending. */
void tell_host(struct launcher *launcher, const void *packet, size_t size, const int *descriptors, int count);
void tell_failed(struct launcher *launcher, uint64_t serial, const char *step, int error);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The launcher stops after this turn of its loop, with 1. */
void give_up(struct launcher *launcher);

/* keys.c */

void register_key(struct launcher *launcher, const struct order *order);
void refuse_key(struct launcher *launcher, const struct order *order);

/* views.c */

/* The folders of libraries and time zones, as this system has them. 0 or -errno. */
int find_system_views(struct view_table *table);
void register_view(struct launcher *launcher, const struct order *order);
void refuse_view(struct launcher *launcher, const struct order *order);

/* scratch.c */

/* Hands a file of a worker's scratch folder to the host. */
void take_scratch(struct launcher *launcher, const struct order *order);
/* Makes a file there for the host to write. */
void put_scratch(struct launcher *launcher, const struct order *order);
/* Keeps the folder of a process that has ended: files that it named are still to be taken. */
void keep_scratch(struct launcher *launcher, struct process *process);
void forget_scratch(struct launcher *launcher, const struct order *order);

/* groups.c: each does nothing without a folder. */

/* An empty group, to be cloned into. 0 or -errno. */
int make_group(struct launcher *launcher, struct process *process);
void remove_group(const struct launcher *launcher, struct process *process);
/* SIGKILL to all that is in it. */
void kill_in_group(const struct process *process);
/* What the kernel says at a process's end. */
void count_group(const struct process *process, struct launcher_exited *packet);
/* Writes to a file of the group's folder, or of any other folder of cgroups. 0 or -errno. */
int write_group_word(int group, const char *name, const char *word);

/* group_folder.c */

void register_group(struct launcher *launcher, const struct order *order);
void refuse_group(struct launcher *launcher, const struct order *order);

/* priority.c */

/* To be called when the child has a session of its own and has not begun its program. */
void set_first_priority(const struct launcher *launcher, const struct process *process);
void change_priority(struct launcher *launcher, const struct order *order);

/* probe.c: finds the strongest confinement, at most as strong as `strongest`, that a child can really enter. */
void choose_confinement(struct launcher *launcher, char strongest);

/* processes.c: the table of started processes. */

/* A free place, or NULL when LAUNCHER_MAXIMUM_PROCESSES are there. */
struct process *free_place(struct launcher *launcher);
struct process *find_process(struct launcher *launcher, uint64_t serial);
/* SIGKILL; without a pid namespace also to the process group that the child made for itself. */
void kill_process(const struct launcher *launcher, const struct process *process);
/* The same for the host, by serial. */
void kill_by_serial(struct launcher *launcher, const struct order *order);
/* SIGKILL to what the process leaves behind: all that is in its cgroup, and without a pid namespace all that stayed in
 * its process group. */
void kill_remains(const struct launcher *launcher, const struct process *process);
/* Closes what it holds and frees its place. */
void release_process(const struct launcher *launcher, struct process *process);
/* SIGKILL, reaped, its place free. */
void end_child(struct launcher *launcher, struct process *process);
/* SIGKILL to all and reap; gives up on the reaping after 5 s (a process in an uninterruptible call). */
void end_all(struct launcher *launcher);
/* A negative descriptor is none. */
void close_if_open(int descriptor);

/* progress.c */

/* The gate has something to say: still starting, failed, or running its program now. */
void hear_gate(struct launcher *launcher, struct process *process);
/* The pidfd says that it ended: reap it and tell the host. */
void hear_end(struct launcher *launcher, struct process *process);

/* start.c: the child that waits. */

/* Makes it; if that fails, a start will find out why. */
void make_spare(struct launcher *launcher);
/* NULL if there is none. */
struct process *take_spare(struct launcher *launcher);
/* It has a copy of the launcher as it was: whatever a plan refers to must not change behind it. */
void discard_spare(struct launcher *launcher);

/* messages.c: does what the host wants. False when our own host cannot have sent it; then nothing was done. */
bool obey(struct launcher *launcher, const struct order *order, size_t size);

/* loop.c: serves the host until it is gone; the launcher's exit status. */
int serve_host(struct launcher *launcher);
