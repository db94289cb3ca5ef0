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
    uint64_t peak_resident_bytes;
    char step[LAUNCHER_STEP_BYTES]; /* NUL-terminated */
    int pidfd;                      /* -1 if none came; the caller closes it */
    int status_descriptor;          /* -1 if none came; the caller closes it */
};

/* The parts of a spawn packet; strings are NUL-terminated and -ENAMETOOLONG when they do not fit. */
struct launcher_spawn_request {
    uint64_t serial;
    uint32_t kind;
    uint32_t slot;
    uint64_t memory_limit_bytes;
    uint64_t cpu_limit_seconds;
    const char *executable;
    const char *time_zone;
    const char *bundle_path;
    int socket;
    int output;
    int bundle_folder;
    int replay_files[2];   /* of an opener, if it has any */
    int replay_file_count; /* 0 or 2 */
};

int launcher_send_register_key(int socket, uint32_t index, const char *path);
int launcher_send_register_view(int socket, uint32_t slot, uint32_t kind, const char *path);
int launcher_send_seal(int socket);
int launcher_send_spawn(int socket, const struct launcher_spawn_request *request);
int launcher_send_kill(int socket, uint64_t serial);

/* 1 when a message was read, 0 at end-of-file, -EAGAIN when none waits on a non-blocking socket, -EPROTO when what came
 * is no message of this version. */
int launcher_receive_event(int socket, struct launcher_event *event);
