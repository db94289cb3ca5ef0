/* SPDX-License-Identifier: Apache-2.0
 *
 * What extension-host and worker-launcher say to each other: AF_UNIX SOCK_SEQPACKET, one struct a packet, native byte
 * order (both ends are one build on one machine), every packet of its exact size. See PROTOCOL.md, "Launcher".
 */
#pragma once

#include <stdint.h>

#define LAUNCHER_PROTOCOL_VERSION 7u
/* The launcher's end of the socket. */
#define LAUNCHER_SOCKET_DESCRIPTOR 3
/* A started process finds its own socket here, in every language. */
#define WORKER_SOCKET_DESCRIPTOR 3
/* An opener's two replay files. */
#define OPENER_FIRST_REPLAY_DESCRIPTOR 4
/* The opener's key files, in the order of their registration, start here: numbers that they have in the launcher too,
 * above those that it needs before it is sealed. */
#define OPENER_FIRST_KEY_DESCRIPTOR 96
#define LAUNCHER_MAXIMUM_KEYS 1024
/* No file of an opener grows beyond this. */
#define OPENER_FILE_BYTES (8u << 20)
#define LAUNCHER_PATH_BYTES 4096
#define LAUNCHER_NAME_BYTES 256
#define LAUNCHER_STEP_BYTES 32
#define LAUNCHER_ZONE_BYTES 64
/* Processes at one time, 512 workers and the openers; one more is refused with EAGAIN, step "process table". */
#define LAUNCHER_MAXIMUM_PROCESSES 520
/* The highest number of an app. */
#define LAUNCHER_MAXIMUM_SLOT 4000
/* The highest number of a user: its uid, 61200 + user, stays below 65534 (nobody). */
#define LAUNCHER_MAXIMUM_USER 4000
/* What is registered for this slot is seen by every process, the opener too. Apps are numbered from 1. */
#define LAUNCHER_EVERY_SLOT 0u
/* Folders and interpreters together; a process sees at most LAUNCHER_MAXIMUM_SHOWN of them. */
#define LAUNCHER_MAXIMUM_VIEWS 1024
#define LAUNCHER_MAXIMUM_SHOWN 24
/* Stage 2, the system-call filter that a worker loads itself, in every form a worker can need. */
#define LAUNCHER_MAXIMUM_FILTERS 16
#define LAUNCHER_INSTRUCTION_BYTES 8
#define LAUNCHER_HOST_NICE (-10)
#define LAUNCHER_STARTING_NICE 4
#define LAUNCHER_LOWEST_NICE 19u
#define LAUNCHER_FILTER_BYTES (512 * LAUNCHER_INSTRUCTION_BYTES)
/* With the network grant: the one place a worker can connect to, in its own network. */
#define WORKER_PROXY_PORT 3128

enum launcher_message_type {
    LAUNCHER_READY = 1,            /* launcher -> host, once, first */
    LAUNCHER_REGISTER_KEY = 2,     /* host -> launcher, before seal; answered by key_registered */
    LAUNCHER_KEY_REGISTERED = 3,   /* launcher -> host */
    LAUNCHER_SEAL = 4,             /* host -> launcher, once: from now on no path to a key is taken */
    LAUNCHER_SPAWN = 5,            /* host -> launcher; descriptors: socket, output pipe, bundle folder (O_PATH), the
                                      storage folder (O_PATH) if there is a path of one, and for an opener two replay
                                      files or none */
    LAUNCHER_STARTED = 6,          /* launcher -> host; descriptors: pidfd, /proc/PID/status, and with the network grant
                                      the socket that listens in the worker's network */
    LAUNCHER_FAILED = 7,           /* launcher -> host, instead of started */
    LAUNCHER_KILL = 8,             /* host -> launcher: for when its own pidfd_send_signal is refused */
    LAUNCHER_EXITED = 9,           /* launcher -> host, once for every started process */
    LAUNCHER_REGISTER_VIEW = 10,   /* host -> launcher, before seal; answered by view_registered */
    LAUNCHER_VIEW_REGISTERED = 11, /* launcher -> host */
    LAUNCHER_FILTER = 12,          /* launcher -> host, as many as ready says, right behind it */
    LAUNCHER_TAKE_SCRATCH = 13,    /* host -> launcher; answered by scratch_file, in the order of asking */
    LAUNCHER_SCRATCH_FILE = 14,    /* launcher -> host; descriptor: the file, if there is one */
    LAUNCHER_REGISTER_GROUP = 15,  /* host -> launcher, once, before seal; answered by group_registered */
    LAUNCHER_GROUP_REGISTERED = 16, /* launcher -> host */
    LAUNCHER_PUT_SCRATCH = 17,      /* host -> launcher; answered by scratch_file, in the order of asking */
    LAUNCHER_PRIORITY = 18,         /* host -> launcher */
    LAUNCHER_FORGET_SCRATCH = 19    /* host -> launcher, behind exited: nothing more is asked of the folder */
};

/* What an extension is given beyond its bundle. */
enum launcher_flags {
    LAUNCHER_SCRATCH = 1, /* a folder to write to */
    LAUNCHER_NETWORK = 2  /* the host's proxy; only together with LAUNCHER_SCRATCH */
};

enum launcher_process_kind { LAUNCHER_EXTENSION = 0, LAUNCHER_OPENER = 1 };

/* Which of the namespaces of a started process are its own. */
enum launcher_namespaces {
    LAUNCHER_NAMESPACE_USER = 1,
    LAUNCHER_NAMESPACE_MOUNT = 2,
    LAUNCHER_NAMESPACE_PID = 4,
    LAUNCHER_NAMESPACE_NET = 8,
    LAUNCHER_NAMESPACE_IPC = 16,
    LAUNCHER_NAMESPACE_UTS = 32,
    LAUNCHER_NAMESPACE_CGROUP = 64
};

enum launcher_view_kind {
    LAUNCHER_VIEW_FOLDER = 0,
    /* A file. The executable of the slot's bundle is then its first argument, and need not be executable itself. */
    LAUNCHER_VIEW_INTERPRETER = 1
};

/* Why a key file is refused; errno is beside it for LAUNCHER_KEY_UNREADABLE. */
enum launcher_key_verdict {
    LAUNCHER_KEY_OK = 0,
    LAUNCHER_KEY_UNREADABLE = 1,
    LAUNCHER_KEY_NOT_A_FILE = 2,
    LAUNCHER_KEY_OPEN_TO_OTHERS = 3, /* others have a right to it: linux_access.h */
    LAUNCHER_KEY_FOREIGN_OWNER = 4,  /* owner is neither this user nor root */
    LAUNCHER_KEY_SYMBOLIC_LINK = 5,
    LAUNCHER_KEY_TOO_MANY = 6,
    LAUNCHER_KEY_SEALED = 7
};

struct launcher_header {
    uint32_t version;
    uint32_t type; /* enum launcher_message_type */
};

struct launcher_ready {
    struct launcher_header header;
    uint32_t namespaces;   /* enum launcher_namespaces: proved by a child that entered them */
    uint32_t profile;      /* 'A', 'B', 'C' or 'D' of docs/sandbox.md: the strongest whose self-test passed */
    uint32_t landlock;     /* version of the kernel's Landlock, as far as the profile uses it; 0 = unused */
    uint32_t instructions; /* of the system-call filter that an extension gets, stage 1 */
    uint32_t filter_count; /* packets of LAUNCHER_FILTER that follow */
    uint32_t unused;
};

/* Stage 2 as one kind of worker loads it: 8 bytes an instruction, as the kernel takes them. */
struct launcher_filter {
    struct launcher_header header;
    uint32_t flags;  /* enum launcher_flags: for a worker that was given these */
    uint32_t trap;   /* 1: a refused call is reported to the program before it dies, for development */
    uint32_t length; /* instructions */
    uint32_t unused;
    uint8_t code[LAUNCHER_FILTER_BYTES];
};

/* A cgroup v2 folder in which the launcher may make a group for each process. */
struct launcher_register_group {
    struct launcher_header header;
    char path[LAUNCHER_PATH_BYTES]; /* absolute, NUL-terminated */
};

struct launcher_group_registered {
    struct launcher_header header;
    int32_t error;          /* errno, or 0 */
    uint32_t limits_memory; /* 1: the kernel keeps each process below its memory limit */
};

/* What processes see of the file system beside libraries and their bundle: read-only, at its own path. */
struct launcher_register_view {
    struct launcher_header header;
    uint32_t slot;
    uint32_t kind;                  /* enum launcher_view_kind */
    char path[LAUNCHER_PATH_BYTES]; /* absolute, NUL-terminated */
};

struct launcher_view_registered {
    struct launcher_header header;
    int32_t error; /* errno, or 0; EPERM after seal, ENOSPC for one too many */
};

struct launcher_register_key {
    struct launcher_header header;
    uint32_t index;                 /* the host's own number, given back; a refused key takes no descriptor */
    char path[LAUNCHER_PATH_BYTES]; /* NUL-terminated */
};

struct launcher_key_registered {
    struct launcher_header header;
    uint32_t index;
    uint32_t verdict; /* enum launcher_key_verdict */
    int32_t error;    /* errno, or 0 */
};

struct launcher_seal {
    struct launcher_header header;
};

struct launcher_spawn {
    struct launcher_header header;
    uint64_t serial;             /* chosen by the host, never used twice */
    uint32_t kind;               /* enum launcher_process_kind */
    uint32_t slot;               /* the app's number: its processes see what was registered for it */
    uint64_t memory_limit_bytes; /* RLIMIT_DATA is 24 MiB above it; 0 = none */
    uint64_t cpu_limit_seconds;  /* RLIMIT_CPU over the whole life; 0 = none */
    uint64_t scratch_bytes;      /* with LAUNCHER_SCRATCH: its size, and of each file in it; else 0 */
    uint32_t flags;              /* enum launcher_flags; 0 for an opener */
    uint32_t user;               /* as root the process runs as uid 61200 + user, which is one app's; 0 for an opener */
    char executable[LAUNCHER_NAME_BYTES]; /* one component below the bundle folder, NUL-terminated */
    char time_zone[LAUNCHER_ZONE_BYTES];  /* value of TZ, NUL-terminated; empty = not set */
    /* Of the folder whose descriptor comes along, NUL-terminated. What is found there must be that very folder; with a
     * root of its own the worker sees it as /NAME, and its argv[0] is below that. */
    char bundle_path[LAUNCHER_PATH_BYTES];
    /* Empty, or absolute: the folder whose descriptor comes along, with home, groups and tmp in it, for what outlives
     * the process. It must be that very folder. */
    char storage_path[LAUNCHER_PATH_BYTES];
};

struct launcher_started {
    struct launcher_header header;
    uint64_t serial;
    int32_t pid; /* in the host's pid namespace */
    uint32_t namespaces;
    uint32_t profile;
    uint32_t flags;      /* those of the order that are in force */
    uint32_t shared_uid; /* 1: to the rest of the system the process is the host's own user, without a namespace */
    uint32_t unused;
};

struct launcher_failed {
    struct launcher_header header;
    uint64_t serial;
    int32_t error; /* errno */
    char step[LAUNCHER_STEP_BYTES];
};

struct launcher_kill {
    struct launcher_header header;
    uint64_t serial;
};

struct launcher_exited {
    struct launcher_header header;
    uint64_t serial;
    int32_t code;   /* CLD_EXITED, CLD_KILLED or CLD_DUMPED */
    int32_t status; /* exit status, or signal */
    uint64_t peak_resident_bytes;
    uint64_t group_peak_bytes; /* of its cgroup; 0 = not counted */
    uint32_t group_kills;      /* processes that the kernel killed for the cgroup's memory limit */
    uint32_t unused;
};

/* What a running process weighs at the processor beside others (sched(7), "The nice value"). Where the launcher may
 * raise a priority, an opener starts with LAUNCHER_HOST_NICE and an extension with LAUNCHER_STARTING_NICE, else with
 * the launcher's own. */
struct launcher_priority {
    struct launcher_header header;
    uint64_t serial;
    uint32_t nice; /* 0 ... LAUNCHER_LOWEST_NICE */
    uint32_t unused;
};

/* Asks for a file of a worker's private scratch folder, which the launcher keeps behind the worker's end. */
struct launcher_take_scratch {
    struct launcher_header header;
    uint64_t serial;
    char name[LAUNCHER_NAME_BYTES]; /* relative, NUL-terminated; empty: only how much is in use */
};

/* Asks for a new file in a running worker's private scratch folder, empty, the worker's own, and open for writing. */
struct launcher_put_scratch {
    struct launcher_header header;
    uint64_t serial;
    char name[LAUNCHER_NAME_BYTES]; /* relative, NUL-terminated */
};

/* Lets go of the private scratch folder of a worker that has ended. */
struct launcher_forget_scratch {
    struct launcher_header header;
    uint64_t serial;
};

/* Answers the first two. */
struct launcher_scratch_file {
    struct launcher_header header;
    uint64_t serial;
    int32_t error; /* errno, or 0 with the file's descriptor, unless none was named; ESRCH: no such scratch folder */
    uint32_t unused;
    uint64_t used_bytes; /* of the whole folder */
};

union launcher_packet {
    struct launcher_header header;
    struct launcher_ready ready;
    struct launcher_register_key register_key;
    struct launcher_key_registered key_registered;
    struct launcher_seal seal;
    struct launcher_spawn spawn;
    struct launcher_started started;
    struct launcher_failed failed;
    struct launcher_kill kill;
    struct launcher_priority priority;
    struct launcher_exited exited;
    struct launcher_register_view register_view;
    struct launcher_view_registered view_registered;
    struct launcher_filter filter;
    struct launcher_take_scratch take_scratch;
    struct launcher_put_scratch put_scratch;
    struct launcher_forget_scratch forget_scratch;
    struct launcher_scratch_file scratch_file;
    struct launcher_register_group register_group;
    struct launcher_group_registered group_registered;
};
