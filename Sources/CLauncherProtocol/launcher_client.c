/* SPDX-License-Identifier: Apache-2.0 */
#include "launcher_client.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "linux_calls.h"

static struct launcher_header header(enum launcher_message_type type) {
    return (struct launcher_header){.version = LAUNCHER_PROTOCOL_VERSION, .type = (uint32_t)type};
}

static int send_all(int socket, const void *packet, size_t count, const int *descriptors, int descriptor_count) {
    const ssize_t sent = linux_send_packet(socket, packet, count, descriptors, descriptor_count);
    return sent < 0 ? (int)sent : 0;
}

static int copy(char *target, size_t capacity, const char *source) {
    const size_t length = strlen(source);
    if (length >= capacity) {
        return -ENAMETOOLONG;
    }
    memcpy(target, source, length + 1);
    return 0;
}

int launcher_send_register_key(int socket, uint32_t index, const char *path) {
    struct launcher_register_key packet = {.header = header(LAUNCHER_REGISTER_KEY), .index = index};
    const int copied = copy(packet.path, sizeof packet.path, path);
    return copied < 0 ? copied : send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_register_view(int socket, uint32_t slot, uint32_t kind, const char *path) {
    struct launcher_register_view packet = {.header = header(LAUNCHER_REGISTER_VIEW), .slot = slot, .kind = kind};
    const int copied = copy(packet.path, sizeof packet.path, path);
    return copied < 0 ? copied : send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_seal(int socket) {
    const struct launcher_seal packet = {.header = header(LAUNCHER_SEAL)};
    return send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_spawn(int socket, const struct launcher_spawn_request *request) {
    struct launcher_spawn packet = {
        .header = header(LAUNCHER_SPAWN),
        .serial = request->serial,
        .kind = request->kind,
        .slot = request->slot,
        .user = request->user,
        .memory_limit_bytes = request->memory_limit_bytes,
        .cpu_limit_seconds = request->cpu_limit_seconds,
        .scratch_bytes = request->scratch_bytes,
        .flags = request->flags,
    };
    const char *const storage = request->storage_path != NULL ? request->storage_path : "";
    if (copy(packet.executable, sizeof packet.executable, request->executable) < 0 ||
        copy(packet.time_zone, sizeof packet.time_zone, request->time_zone) < 0 ||
        copy(packet.bundle_path, sizeof packet.bundle_path, request->bundle_path) < 0 ||
        copy(packet.storage_path, sizeof packet.storage_path, storage) < 0) {
        return -ENAMETOOLONG;
    }
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS] = {request->socket, request->output, request->bundle_folder};
    int count = 3;
    if (storage[0] != '\0') {
        descriptors[count++] = request->storage_folder;
    }
    for (int index = 0; index < request->replay_file_count; index++) {
        if (count == LINUX_MAXIMUM_DESCRIPTORS) {
            return -EINVAL;
        }
        descriptors[count++] = request->replay_files[index];
    }
    return send_all(socket, &packet, sizeof packet, descriptors, count);
}

int launcher_send_register_group(int socket, const char *path) {
    struct launcher_register_group packet = {.header = header(LAUNCHER_REGISTER_GROUP)};
    const int copied = copy(packet.path, sizeof packet.path, path);
    return copied < 0 ? copied : send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_take_scratch(int socket, uint64_t serial, const char *name) {
    struct launcher_take_scratch packet = {.header = header(LAUNCHER_TAKE_SCRATCH), .serial = serial};
    const int copied = copy(packet.name, sizeof packet.name, name);
    return copied < 0 ? copied : send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_put_scratch(int socket, uint64_t serial, const char *name) {
    struct launcher_put_scratch packet = {.header = header(LAUNCHER_PUT_SCRATCH), .serial = serial};
    const int copied = copy(packet.name, sizeof packet.name, name);
    return copied < 0 ? copied : send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_forget_scratch(int socket, uint64_t serial) {
    const struct launcher_forget_scratch packet = {.header = header(LAUNCHER_FORGET_SCRATCH), .serial = serial};
    return send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_kill(int socket, uint64_t serial) {
    const struct launcher_kill packet = {.header = header(LAUNCHER_KILL), .serial = serial};
    return send_all(socket, &packet, sizeof packet, NULL, 0);
}

int launcher_send_priority(int socket, uint64_t serial, uint32_t nice) {
    const struct launcher_priority packet = {.header = header(LAUNCHER_PRIORITY), .serial = serial, .nice = nice};
    return send_all(socket, &packet, sizeof packet, NULL, 0);
}

/* The size of each message the launcher sends; 0 for what is none, or comes where nobody waits for it. */
static size_t size_of(uint32_t type) {
    switch (type) {
    case LAUNCHER_READY:
        return sizeof(struct launcher_ready);
    case LAUNCHER_KEY_REGISTERED:
        return sizeof(struct launcher_key_registered);
    case LAUNCHER_VIEW_REGISTERED:
        return sizeof(struct launcher_view_registered);
    case LAUNCHER_GROUP_REGISTERED:
        return sizeof(struct launcher_group_registered);
    case LAUNCHER_STARTED:
        return sizeof(struct launcher_started);
    case LAUNCHER_FAILED:
        return sizeof(struct launcher_failed);
    case LAUNCHER_EXITED:
        return sizeof(struct launcher_exited);
    case LAUNCHER_SCRATCH_FILE:
        return sizeof(struct launcher_scratch_file);
    default:
        return 0;
    }
}

static void fill_start(struct launcher_event *event, const union launcher_packet *packet) {
    switch (packet->header.type) {
    case LAUNCHER_READY:
        event->namespaces = packet->ready.namespaces;
        event->profile = packet->ready.profile;
        event->landlock = packet->ready.landlock;
        event->instructions = packet->ready.instructions;
        event->filter_count = packet->ready.filter_count;
        break;
    case LAUNCHER_KEY_REGISTERED:
        event->index = packet->key_registered.index;
        event->verdict = packet->key_registered.verdict;
        event->error = packet->key_registered.error;
        break;
    case LAUNCHER_VIEW_REGISTERED:
        event->error = packet->view_registered.error;
        break;
    case LAUNCHER_GROUP_REGISTERED:
        event->error = packet->group_registered.error;
        event->limits_memory = packet->group_registered.limits_memory;
        break;
    }
}

static void fill_process(struct launcher_event *event, const union launcher_packet *packet) {
    switch (packet->header.type) {
    case LAUNCHER_STARTED:
        event->serial = packet->started.serial;
        event->pid = packet->started.pid;
        event->namespaces = packet->started.namespaces;
        event->profile = packet->started.profile;
        event->flags = packet->started.flags;
        event->shared_uid = packet->started.shared_uid;
        break;
    case LAUNCHER_FAILED:
        event->serial = packet->failed.serial;
        event->error = packet->failed.error;
        memcpy(event->step, packet->failed.step, sizeof event->step);
        event->step[sizeof event->step - 1] = '\0';
        break;
    case LAUNCHER_EXITED:
        event->serial = packet->exited.serial;
        event->code = packet->exited.code;
        event->status = packet->exited.status;
        event->peak_resident_bytes = packet->exited.peak_resident_bytes;
        event->group_peak_bytes = packet->exited.group_peak_bytes;
        event->group_kills = packet->exited.group_kills;
        break;
    case LAUNCHER_SCRATCH_FILE:
        event->serial = packet->scratch_file.serial;
        event->error = packet->scratch_file.error;
        event->used_bytes = packet->scratch_file.used_bytes;
        break;
    }
}

static int take_descriptors(struct launcher_event *event, const int *descriptors, int count) {
    if (event->type == LAUNCHER_STARTED && count == ((event->flags & LAUNCHER_NETWORK) != 0 ? 3 : 2)) {
        event->pidfd = descriptors[0];
        event->status_descriptor = descriptors[1];
        event->listener = count == 3 ? descriptors[2] : -1;
        return 0;
    }
    if (event->type == LAUNCHER_SCRATCH_FILE && count == 1 && event->error == 0) {
        event->file = descriptors[0];
        return 0;
    }
    return event->type != LAUNCHER_STARTED && count == 0 ? 0 : -EPROTO;
}

int launcher_receive_event(int socket, struct launcher_event *event) {
    union launcher_packet packet;
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int descriptor_count = 0;
    bool lost = false;
    memset(event, 0, sizeof *event);
    event->pidfd = -1;
    event->status_descriptor = -1;
    event->listener = -1;
    event->file = -1;
    const ssize_t received =
        linux_receive_whole_packet(socket, &packet, sizeof packet, descriptors, &descriptor_count, &lost);
    if (received <= 0) {
        return (int)received;
    }
    int result = -EPROTO;
    if ((size_t)received >= sizeof packet.header && packet.header.version == LAUNCHER_PROTOCOL_VERSION &&
        (size_t)received == size_of(packet.header.type)) {
        event->type = packet.header.type;
        fill_start(event, &packet);
        fill_process(event, &packet);
        event->descriptors_lost = lost ? 1 : 0;
        result = lost ? 0 : take_descriptors(event, descriptors, descriptor_count);
    }
    if (result < 0) {
        for (int index = 0; index < descriptor_count; index++) {
            close(descriptors[index]);
        }
        return result;
    }
    return 1;
}

int launcher_receive_filter(int socket, struct launcher_stage2 *filter) {
    struct launcher_filter packet;
    const ssize_t received = linux_receive_plain_packet(socket, &packet, sizeof packet, 0);
    if (received < 0) {
        return (int)received;
    }
    if (received != (ssize_t)sizeof packet || packet.header.version != LAUNCHER_PROTOCOL_VERSION ||
        packet.header.type != LAUNCHER_FILTER || packet.length > LAUNCHER_FILTER_BYTES / LAUNCHER_INSTRUCTION_BYTES) {
        return -EPROTO;
    }
    filter->flags = packet.flags;
    filter->trap = packet.trap;
    filter->length = packet.length;
    memcpy(filter->code, packet.code, sizeof packet.code);
    return 0;
}
