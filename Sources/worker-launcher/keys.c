/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_access.h"

static enum launcher_key_verdict judge(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) {
        return LAUNCHER_KEY_UNREADABLE;
    }
    if (!S_ISREG(status.st_mode)) {
        return LAUNCHER_KEY_NOT_A_FILE;
    }
    if (!linux_is_private(file)) {
        return LAUNCHER_KEY_OPEN_TO_OTHERS;
    }
    if (status.st_uid != geteuid() && status.st_uid != 0) {
        return LAUNCHER_KEY_FOREIGN_OWNER;
    }
    return LAUNCHER_KEY_OK;
}

/* Opens and keeps; *error is the errno beside LAUNCHER_KEY_UNREADABLE. */
static enum launcher_key_verdict take_key(struct key_table *keys, const char *path, int *error) {
    if (keys->sealed) {
        return LAUNCHER_KEY_SEALED;
    }
    if (keys->count == LAUNCHER_MAXIMUM_KEYS) {
        return LAUNCHER_KEY_TOO_MANY;
    }
    /* O_NONBLOCK: a fifo in a key's place must not hold us up. It means nothing to a regular file. */
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        *error = errno;
        return errno == ELOOP ? LAUNCHER_KEY_SYMBOLIC_LINK : LAUNCHER_KEY_UNREADABLE;
    }
    const enum launcher_key_verdict verdict = judge(file);
    if (verdict != LAUNCHER_KEY_OK) {
        *error = verdict == LAUNCHER_KEY_UNREADABLE ? errno : 0;
        (void)close(file);
        return verdict;
    }
    memcpy(keys->paths[keys->count], path, strlen(path) + 1);
    keys->descriptors[keys->count++] = file;
    return LAUNCHER_KEY_OK;
}

void register_key(struct launcher *launcher, const struct launcher_register_key *packet) {
    int error = 0;
    discard_spare(launcher);
    const enum launcher_key_verdict verdict = take_key(&launcher->keys, packet->path, &error);
    const struct launcher_key_registered answer = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_KEY_REGISTERED},
        .index = packet->index,
        .verdict = verdict,
        .error = error,
    };
    tell_host(launcher, &answer, sizeof answer, NULL, 0);
}
