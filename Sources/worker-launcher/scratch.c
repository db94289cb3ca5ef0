/* SPDX-License-Identifier: Apache-2.0
 *
 * A confined host cannot open a file of a worker's private file system, even below a descriptor it holds: no rule of
 * its own could cover what did not exist when the rules were set. The launcher is not confined, and opens it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"

static uint64_t used_bytes(int folder) {
    struct statfs status;
    return fstatfs(folder, &status) == 0 ? (uint64_t)(status.f_blocks - status.f_bfree) * (uint64_t)status.f_bsize : 0;
}

void take_scratch(struct launcher *launcher, const struct launcher_take_scratch *packet) {
    const struct process *const process = find_process(launcher, packet->serial);
    struct launcher_scratch_file answer = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_SCRATCH_FILE},
        .serial = packet->serial,
        .error = ESRCH,
    };
    int file = -1;
    if (process != NULL && process->scratch >= 0) {
        answer.error = 0;
        if (packet->name[0] != '\0') {
            file = linux_take_file(process->scratch, packet->name, 1);
            answer.error = file < 0 ? -file : 0;
        }
        answer.used_bytes = used_bytes(process->scratch);
    }
    tell_host(launcher, &answer, sizeof answer, &file, file >= 0 ? 1 : 0);
    if (file >= 0) {
        (void)close(file);
    }
}
