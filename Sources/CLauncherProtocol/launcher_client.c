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
        .memory_limit_bytes = request->memory_limit_bytes,
        .cpu_limit_seconds = request->cpu_limit_seconds,
    };
    if (copy(packet.executable, sizeof packet.executable, request->executable) < 0 ||
        copy(packet.time_zone, sizeof packet.time_zone, request->time_zone) < 0 ||
        copy(packet.bundle_path, sizeof packet.bundle_path, request->bundle_path) < 0) {
        return -ENAMETOOLONG;
    }
    const int descriptors[] = {request->socket, request->output, request->bundle_folder, request->replay_files[0],
                               request->replay_files[1]};
    return send_all(socket, &packet, sizeof packet, descriptors, 3 + request->replay_file_count);
}

int launcher_send_kill(int socket, uint64_t serial) {
    const struct launcher_kill packet = {.header = header(LAUNCHER_KILL), .serial = serial};
    return send_all(socket, &packet, sizeof packet, NULL, 0);
}

static int fill_event(struct launcher_event *event, const union launcher_packet *packet, size_t count) {
    event->type = packet->header.type;
    switch (packet->header.type) {
    case LAUNCHER_READY:
        if (count != sizeof packet->ready)
            return -EPROTO;
        event->namespaces = packet->ready.namespaces;
        event->profile = packet->ready.profile;
        event->landlock = packet->ready.landlock;
        event->instructions = packet->ready.instructions;
        return 0;
    case LAUNCHER_KEY_REGISTERED:
        if (count != sizeof packet->key_registered)
            return -EPROTO;
        event->index = packet->key_registered.index;
        event->verdict = packet->key_registered.verdict;
        event->error = packet->key_registered.error;
        return 0;
    case LAUNCHER_STARTED:
        if (count != sizeof packet->started)
            return -EPROTO;
        event->serial = packet->started.serial;
        event->pid = packet->started.pid;
        event->namespaces = packet->started.namespaces;
        event->profile = packet->started.profile;
        return 0;
    case LAUNCHER_FAILED:
        if (count != sizeof packet->failed)
            return -EPROTO;
        event->serial = packet->failed.serial;
        event->error = packet->failed.error;
        memcpy(event->step, packet->failed.step, sizeof event->step);
        event->step[sizeof event->step - 1] = '\0';
        return 0;
    case LAUNCHER_EXITED:
        if (count != sizeof packet->exited)
            return -EPROTO;
        event->serial = packet->exited.serial;
        event->code = packet->exited.code;
        event->status = packet->exited.status;
        event->peak_resident_bytes = packet->exited.peak_resident_bytes;
        return 0;
    case LAUNCHER_VIEW_REGISTERED:
        if (count != sizeof packet->view_registered)
            return -EPROTO;
        event->error = packet->view_registered.error;
        return 0;
    default:
        return -EPROTO;
    }
}

static int take_descriptors(struct launcher_event *event, const int *descriptors, int count) {
    const int wanted = event->type == LAUNCHER_STARTED ? 2 : 0;
    if (count != wanted) {
        return -EPROTO;
    }
    if (wanted == 2) {
        event->pidfd = descriptors[0];
        event->status_descriptor = descriptors[1];
    }
    return 0;
}

int launcher_receive_event(int socket, struct launcher_event *event) {
    union launcher_packet packet;
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int descriptor_count = 0;
    memset(event, 0, sizeof *event);
    event->pidfd = -1;
    event->status_descriptor = -1;
    const ssize_t received = linux_receive_packet(socket, &packet, sizeof packet, descriptors, &descriptor_count);
    if (received <= 0) {
        return (int)received;
    }
    int result = -EPROTO;
    if ((size_t)received >= sizeof packet.header && packet.header.version == LAUNCHER_PROTOCOL_VERSION) {
        result = fill_event(event, &packet, (size_t)received);
    }
    if (result == 0) {
        result = take_descriptors(event, descriptors, descriptor_count);
    }
    if (result < 0) {
        for (int index = 0; index < descriptor_count; index++) {
            close(descriptors[index]);
        }
        return result;
    }
    return 1;
}
