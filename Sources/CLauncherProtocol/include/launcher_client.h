/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's end of the launcher's socket, as calls: the packets hold arrays of thousands of bytes, which C fills and
 * reads better than Swift. Each call returns 0 or a negative errno.
 */
#pragma once

#include "launcher_protocol.h"

/* What the launcher said, every message in one small shape; unused members are zero. */
struct launcher_event {
    uint32_t type; /* enum launcher_message_type */
    uint32_t index;
    uint64_t serial;
    int32_t pid;
    int32_t code;
    int32_t status;
    int32_t error;
    uint32_t verdict;
    uint32_t namespaces;
    uint32_t profile;
    uint32_t landlock;
    uint32_t instructions;
    uint32_t filter_count;
    uint32_t flags;
    uint32_t shared_uid;
    uint32_t limits_memory;
    uint32_t group_kills;
    uint64_t group_peak_bytes;
    uint64_t peak_resident_bytes;
    uint64_t used_bytes;
    char step[LAUNCHER_STEP_BYTES]; /* NUL-terminated */
    uint32_t descriptors_lost;      /* 1: this process has too many to take those that came */
    int pidfd;                      /* -1 if none came; the caller closes it */
    int status_descriptor;          /* -1 if none came; the caller closes it */
    int listener;                   /* -1 if none came; the caller closes it */
    int file;                       /* -1 if none came; the caller closes it */
};

/* One form of stage 2; what lies behind length instructions is zero. */
struct launcher_stage2 {
    uint32_t flags; /* enum launcher_flags */
    uint32_t trap;
    uint32_t length;
    uint8_t *code; /* LAUNCHER_FILTER_BYTES of the caller's */
};

/* The parts of a spawn packet; strings are NUL-terminated and -ENAMETOOLONG when they do not fit. */
struct launcher_spawn_request {
    uint64_t serial;
    uint32_t kind;
    uint32_t slot;
    uint32_t user;
    uint64_t memory_limit_bytes;
    uint64_t cpu_limit_seconds;
    const char *executable;
    const char *time_zone;
    const char *bundle_path;
    const char *storage_path; /* NULL or empty: none */
    uint64_t scratch_bytes;
    uint32_t flags; /* enum launcher_flags */
    int socket;
    int output;
    int bundle_folder;
    int storage_folder;    /* sent when there is a storage path */
    int replay_files[2];   /* of an opener, if it has any */
    int replay_file_count; /* 0 or 2 */
};

int launcher_send_register_key(int socket, uint32_t index, const char *path);
int launcher_send_register_view(int socket, uint32_t slot, uint32_t kind, const char *path);
int launcher_send_seal(int socket);
int launcher_send_spawn(int socket, const struct launcher_spawn_request *request);
/* A folder of the cgroup file system, before seal. */
int launcher_send_register_group(int socket, const char *path);
/* `name` is relative to the scratch folder; empty asks for its use only. */
int launcher_send_take_scratch(int socket, uint64_t serial, const char *name);
/* `name` is relative to the scratch folder, and of nothing that is there. */
int launcher_send_put_scratch(int socket, uint64_t serial, const char *name);
/* The process has ended, and no file of it is wanted any more. */
int launcher_send_forget_scratch(int socket, uint64_t serial);
int launcher_send_kill(int socket, uint64_t serial);
/* `nice` is at most LAUNCHER_LOWEST_NICE. */
int launcher_send_priority(int socket, uint64_t serial, uint32_t nice);

/* 1 when a message was read, 0 at end-of-file, -EAGAIN when none waits on a non-blocking socket, -EPROTO when what came
 * is no message of this version. */
int launcher_receive_event(int socket, struct launcher_event *event);

/* Waits for one packet of LAUNCHER_FILTER; 0 or -errno. */
int launcher_receive_filter(int socket, struct launcher_stage2 *filter);
