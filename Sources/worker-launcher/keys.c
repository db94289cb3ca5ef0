/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
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

static bool has_paths(struct key_table *keys) {
    if (keys->paths == NULL) {
        void *const memory = mmap(NULL, sizeof keys->paths[0] * LAUNCHER_MAXIMUM_KEYS, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        keys->paths = memory != MAP_FAILED ? memory : NULL;
    }
    return keys->paths != NULL;
}

/* Gives the file the number that it will have in every opener. 0, or an errno. */
static int keep_key(struct key_table *keys, int file, const char *path) {
    const int number = OPENER_FIRST_KEY_DESCRIPTOR + (int)keys->count;
    if (!has_paths(keys)) {
        return ENOMEM;
    }
    const int kept = fcntl(file, F_DUPFD_CLOEXEC, number);
    if (kept < 0) {
        return errno == EINVAL ? EMFILE : errno; /* EINVAL: the number is beyond the limit */
    }
    if (kept != number) {
        (void)close(kept);
        return EBUSY;
    }
    memcpy(keys->paths[keys->count++], path, strlen(path) + 1);
    return 0;
}

/* Opens and keeps; *error is the errno beside LAUNCHER_KEY_UNREADABLE. */
static enum launcher_key_verdict take_key(struct key_table *keys, const char *path, int *error) {
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
    *error = keep_key(keys, file, path);
    (void)close(file);
    return *error == 0 ? LAUNCHER_KEY_OK : LAUNCHER_KEY_UNREADABLE;
}

static void answer(struct launcher *launcher, const struct order *order, enum launcher_key_verdict verdict, int error) {
    const struct launcher_key_registered packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_KEY_REGISTERED},
        .index = order->packet.register_key.index,
        .verdict = verdict,
        .error = error,
    };
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
}

void register_key(struct launcher *launcher, const struct order *order) {
    int error = 0;
    const enum launcher_key_verdict verdict = take_key(&launcher->keys, order->packet.register_key.path, &error);
    answer(launcher, order, verdict, error);
}

void refuse_key(struct launcher *launcher, const struct order *order) {
    answer(launcher, order, LAUNCHER_KEY_SEALED, 0);
}
