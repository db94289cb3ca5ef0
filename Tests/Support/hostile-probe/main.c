/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker that attacks: packets on descriptor 3 each name an attempt, the answers say what came of it. A first packet
 * that begins with "filter " holds a filter to load; its answer is the errno.
 */
#define _GNU_SOURCE
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

int main(void) {
    static char command[8192];
    for (;;) {
        const ssize_t received = recv(3, command, sizeof command - 1, 0);
        if (received <= 0) {
            return 0; /* not before: until then the host sees what is left behind */
        }
        command[received] = '\0';
        if (strncmp(command, filter, sizeof filter - 1) == 0) {
            load(command + sizeof filter - 1, (size_t)received - (sizeof filter - 1));
        } else {
            answer(hostile_attempt(command));
        }
    }
}
