/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"

/* With nothing to do for so long, the next start is prepared. */
#define LULL_MILLISECONDS 2

static void hear_host(struct launcher *launcher) {
    struct order order = {.count = 0};
    const ssize_t received = linux_receive_packet(LAUNCHER_SOCKET_DESCRIPTOR, &order.packet, sizeof order.packet,
                                                  order.descriptors, &order.count);
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
    } else if (!obey(launcher, &order, (size_t)received)) {
        complain("malformed packet of %zd bytes with %d descriptors from the host", received, order.count);
        give_up(launcher);
    }
    for (int index = 0; index < order.count; index++) {
        (void)close(order.descriptors[index]);
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
