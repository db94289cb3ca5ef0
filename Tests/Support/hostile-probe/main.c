/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker that attacks: packets on descriptor 3 each name an attempt, the answers say what came of it. A first packet
 * that begins with "filter " holds a filter to load; its answer is the errno. Packets of the workers' protocol make it
 * a worker, of the few lines that any language needs: the payload's key "attempt" names the attempt.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hostile_attempts.h"
#include "linux_filters.h"

static const char filter[] = "filter ";

static void answer(const char *words) { (void)send(3, words, strlen(words), MSG_NOSIGNAL); }

static void load(const char *code, size_t length) {
    char words[16];
    (void)snprintf(words, sizeof words, "%d", -linux_load_filter(code, length));
    answer(words);
}

enum { HEADER = 9, HELLO = 0x01, REQUEST = 0x02, SHUTDOWN = 0x04, READY = 0x81, CONTENT = 0x82 };

static void send_message(unsigned char type, const char *number, const char *body) {
    char packet[HEADER + 8192] = {(char)type};
    memcpy(packet + 1, number, 8);
    const size_t length = strlen(body);
    memcpy(packet + HEADER, body, length);
    (void)send(3, packet, HEADER + length, MSG_NOSIGNAL);
}

static void serve_request(const char *packet) {
    static const char key[] = "\"attempt\":\"";
    char command[1024] = "";
    const char *const found = strstr(packet + HEADER, key);
    if (found != NULL) {
        const size_t length = strcspn(found + sizeof key - 1, "\"");
        (void)snprintf(command, sizeof command, "%.*s", (int)length, found + sizeof key - 1);
    }
    hostile_request(packet + 1);
    char body[8192];
    const char *const format = "{\"payload\":{\"aps\":{\"alert\":{\"body\":\"%s\"}}}}";
    (void)snprintf(body, sizeof body, format, hostile_attempt(command));
    send_message(CONTENT, packet + 1, body);
}

/* Whether the packet was the protocol's. */
static bool serve(const char *packet, size_t length) {
    if (length < HEADER || packet[0] > SHUTDOWN) {
        return false;
    }
    if (packet[0] == HELLO) {
        send_message(READY, packet + 1, "{\"protocol\":1}");
    } else if (packet[0] == REQUEST) {
        serve_request(packet);
    } else if (packet[0] == SHUTDOWN) {
        _exit(0);
    }
    return true;
}

int main(void) {
    static char command[65536 + 1];
    for (;;) {
        const ssize_t received = recv(3, command, sizeof command - 1, 0);
        if (received <= 0) {
            return 0; /* not before: until then the host sees what is left behind */
        }
        command[received] = '\0';
        if (strncmp(command, filter, sizeof filter - 1) == 0) {
            load(command + sizeof filter - 1, (size_t)received - (sizeof filter - 1));
        } else if (!serve(command, (size_t)received)) {
            answer(hostile_attempt(command));
        }
    }
}
