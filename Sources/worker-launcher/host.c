/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"

#define HOST_PATIENCE_MILLISECONDS 5000

/* One write, so that lines of several processes on one stderr stay whole. */
void complain(const char *format, ...) {
    char line[512] = "worker-launcher: error: ";
    const size_t start = strlen(line);
    va_list values;
    va_start(values, format);
    const int added = vsnprintf(line + start, sizeof line - start - 1, format, values);
    va_end(values);
    if (added < 0) {
        return;
    }
    size_t length = strlen(line);
    line[length++] = '\n';
    (void)!write(STDERR_FILENO, line, length);
}

void give_up(struct launcher *launcher) {
    launcher->ending = true;
    launcher->exit_status = 1;
}

void tell_host(struct launcher *launcher, const void *packet, size_t size, const int *descriptors, int count) {
    while (!launcher->ending) {
        const ssize_t sent = linux_send_packet(LAUNCHER_SOCKET_DESCRIPTOR, packet, size, descriptors, count);
        if (sent >= 0) {
            return;
        }
        if (sent == -EPIPE || sent == -ECONNRESET) {
            launcher->ending = true; /* the host is gone: that is how a launcher's life ends, no error */
            return;
        }
        struct pollfd room = {.fd = LAUNCHER_SOCKET_DESCRIPTOR, .events = POLLOUT};
        if (sent != -EAGAIN) {
            complain("packet to the host: %s", strerror((int)-sent));
            give_up(launcher);
        } else if (poll(&room, 1, HOST_PATIENCE_MILLISECONDS) == 0) {
            complain("the host has not read for %d seconds", HOST_PATIENCE_MILLISECONDS / 1000);
            give_up(launcher);
        }
    }
}

void tell_failed(struct launcher *launcher, uint64_t serial, const char *step, int error) {
    struct launcher_failed packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_FAILED},
        .serial = serial,
        .error = error,
    };
    (void)snprintf(packet.step, sizeof packet.step, "%s", step);
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
}
