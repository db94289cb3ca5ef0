/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

/* With nothing to do for so long, the next start is prepared. */
#define LULL_MILLISECONDS 2

/* The exact size of each packet the host may send; 0 for any other type. */
static size_t size_of(uint32_t type) {
    switch (type) {
    case LAUNCHER_REGISTER_KEY:
        return sizeof(struct launcher_register_key);
    case LAUNCHER_REGISTER_VIEW:
        return sizeof(struct launcher_register_view);
    case LAUNCHER_SEAL:
        return sizeof(struct launcher_seal);
    case LAUNCHER_SPAWN:
        return sizeof(struct launcher_spawn);
    case LAUNCHER_KILL:
        return sizeof(struct launcher_kill);
    case LAUNCHER_PRIORITY:
        return sizeof(struct launcher_priority);
    case LAUNCHER_TAKE_SCRATCH:
        return sizeof(struct launcher_take_scratch);
    case LAUNCHER_PUT_SCRATCH:
        return sizeof(struct launcher_put_scratch);
    case LAUNCHER_REGISTER_GROUP:
        return sizeof(struct launcher_register_group);
    default:
        return 0;
    }
}

/* Sizes, counts, strings and phase: whatever our own host cannot have sent. */
static bool is_well_formed(struct launcher *launcher, const union launcher_packet *packet, size_t size, int count) {
    if (size < sizeof packet->header || packet->header.version != LAUNCHER_PROTOCOL_VERSION ||
        size != size_of(packet->header.type)) {
        return false;
    }
    switch (packet->header.type) {
    case LAUNCHER_REGISTER_KEY:
        return count == 0 && memchr(packet->register_key.path, '\0', LAUNCHER_PATH_BYTES) != NULL;
    case LAUNCHER_REGISTER_VIEW:
        return count == 0 && memchr(packet->register_view.path, '\0', LAUNCHER_PATH_BYTES) != NULL;
    case LAUNCHER_SPAWN:
        return spawn_is_well_formed(&packet->spawn, count) && find_process(launcher, packet->spawn.serial) == NULL;
    case LAUNCHER_PRIORITY:
        return count == 0 && packet->priority.nice <= LAUNCHER_LOWEST_NICE;
    case LAUNCHER_TAKE_SCRATCH:
        return count == 0 && memchr(packet->take_scratch.name, '\0', LAUNCHER_NAME_BYTES) != NULL;
    case LAUNCHER_PUT_SCRATCH:
        return count == 0 && memchr(packet->put_scratch.name, '\0', LAUNCHER_NAME_BYTES) != NULL;
    case LAUNCHER_REGISTER_GROUP:
        return count == 0 && memchr(packet->register_group.path, '\0', LAUNCHER_PATH_BYTES) != NULL;
    default:
        return count == 0;
    }
}

static void obey(struct launcher *launcher, const union launcher_packet *packet, const int *descriptors, int count) {
    switch (packet->header.type) {
    case LAUNCHER_REGISTER_KEY:
        register_key(launcher, &packet->register_key);
        break;
    case LAUNCHER_REGISTER_VIEW:
        register_view(launcher, &packet->register_view);
        break;
    case LAUNCHER_SEAL:
        launcher->keys.sealed = true;
        break;
    case LAUNCHER_SPAWN:
        spawn(launcher, &packet->spawn, descriptors, count);
        break;
    case LAUNCHER_PRIORITY:
        change_priority(launcher, &packet->priority);
        break;
    case LAUNCHER_TAKE_SCRATCH:
        take_scratch(launcher, &packet->take_scratch);
        break;
    case LAUNCHER_PUT_SCRATCH:
        put_scratch(launcher, &packet->put_scratch);
        break;
    case LAUNCHER_REGISTER_GROUP:
        register_group(launcher, &packet->register_group);
        break;
    default: { /* LAUNCHER_KILL; one that has ended meanwhile is no error */
        const struct process *process = find_process(launcher, packet->kill.serial);
        if (process != NULL) {
            kill_process(launcher, process);
        }
    }
    }
}

static void hear_host(struct launcher *launcher) {
    union launcher_packet packet;
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int count = 0;
    const ssize_t received =
        linux_receive_packet(LAUNCHER_SOCKET_DESCRIPTOR, &packet, sizeof packet, descriptors, &count);
    if (received == -EAGAIN) {
        return;
    }
    if (received == 0 || received == -ECONNRESET) {
        launcher->ending = true;
        return;
    }
    if (received < 0) {
        complain("packet from the host: %s", strerror((int)-received));
        give_up(launcher);
    } else if (!is_well_formed(launcher, &packet, (size_t)received, count)) {
        complain("malformed packet of %zd bytes with %d descriptors from the host", received, count);
        give_up(launcher);
    } else {
        obey(launcher, &packet, descriptors, count);
    }
    for (int index = 0; index < count; index++) {
        (void)close(descriptors[index]);
    }
}

/* The gate of a process that starts, the pidfd of one that runs. */
static int watched(const struct process *process) {
    switch (process->state) {
    case PROCESS_WAITING:
    case PROCESS_STARTING:
    case PROCESS_EXECUTING:
        return process->gate;
    case PROCESS_RUNNING:
        return process->pidfd;
    case PROCESS_NONE:
        break;
    }
    return -1;
}

static void take_turn(struct launcher *launcher) {
    /* Only those that are there: poll takes no more than the limit of descriptors. */
    struct pollfd polled[LAUNCHER_MAXIMUM_PROCESSES + 1];
    struct process *owners[LAUNCHER_MAXIMUM_PROCESSES];
    nfds_t count = 0;
    for (size_t index = 0; index < LAUNCHER_MAXIMUM_PROCESSES; index++) {
        const int descriptor = watched(&launcher->processes[index]);
        if (descriptor >= 0) {
            owners[count] = &launcher->processes[index];
            polled[count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
        }
    }
    struct pollfd *host = &polled[count];
    *host = (struct pollfd){.fd = LAUNCHER_SOCKET_DESCRIPTOR, .events = POLLIN};
    const int ready = poll(polled, count + 1, launcher->wants_spare ? LULL_MILLISECONDS : -1);
    if (ready < 0 && errno != EINTR) {
        complain("poll: %s", strerror(errno));
        give_up(launcher);
        return;
    }
    if (ready == 0) {
        make_spare(launcher);
    }
    for (nfds_t index = 0; index < count && !launcher->ending; index++) {
        struct process *process = owners[index];
        if (polled[index].revents == 0) {
            continue;
        }
        if (process->state == PROCESS_RUNNING) {
            hear_end(launcher, process);
        } else {
            hear_gate(launcher, process);
        }
    }
    if (host->revents != 0 && !launcher->ending) {
        hear_host(launcher);
    }
}

int serve_host(struct launcher *launcher) {
    launcher->wants_spare = true;
    while (!launcher->ending) {
        take_turn(launcher);
    }
    end_all(launcher);
    return launcher->exit_status;
}
