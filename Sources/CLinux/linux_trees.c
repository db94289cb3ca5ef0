/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_trees.h"

#include "listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder to list, or -errno. One that its owner closed to itself is opened again. */
static int open_folder(int above, const char *name) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(above, name, flags);
    int outcome = folder < 0 ? -errno : folder;
    if (outcome != -EACCES) {
        return outcome;
    }
    const int place = openat(above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) {
        return -errno;
    }
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    if (chmod(path, S_IRWXU) == 0) {
        folder = openat(above, name, flags);
        outcome = folder < 0 ? -errno : folder;
    }
    close(place);
    return outcome;
}

/* MARK: Measuring */

struct measure {
    struct linux_tree_size most;
    struct linux_tree_size *size;
    dev_t device;
};

static bool is_enough(const struct measure *measure) {
    return measure->size->bytes > measure->most.bytes || measure->size->entries > measure->most.entries;
}

static int measure_below(struct measure *measure, int above, const char *name, int depth) {
    if (depth > LINUX_TREE_DEPTH) {
        return -ELOOP;
    }
    const int folder = open_folder(above, name);
    if (folder < 0) {
        return folder == -ENOENT || folder == -ENOTDIR || folder == -ELOOP ? 0 : folder;
    }
    struct listing listing = list_folder(folder);
    int outcome = 0;
    const char *entry;
    while (outcome == 0 && !is_enough(measure) && (entry = next_name(&listing)) != NULL) {
        struct stat status;
        if (fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        measure->size->entries += 1;
        measure->size->bytes += (uint64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode) && status.st_dev == measure->device) {
            outcome = measure_below(measure, folder, entry, depth + 1);
        }
    }
    end_listing(&listing);
    return outcome;
}

int linux_measure_tree(int folder, struct linux_tree_size most, struct linux_tree_size *size) {
    struct stat status;
    *size = (struct linux_tree_size){0};
    if (fstat(folder, &status) != 0) {
        return -errno;
    }
    struct measure measure = {.most = most, .size = size, .device = status.st_dev};
    return measure_below(&measure, folder, ".", 0);
}

/* MARK: Emptying */

/* Removes what is no folder and hands full folders up, so that no folder is ever more than two deep here. */
static int flatten(int top, struct listing *listing, unsigned long *counter) {
    const int folder = listing->folder;
    const char *entry;
    while ((entry = next_name(listing)) != NULL) {
        if (unlinkat(folder, entry, 0) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno != EISDIR && errno != EPERM) {
            return -errno;
        }
        if (unlinkat(folder, entry, AT_REMOVEDIR) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno != ENOTEMPTY && errno != EEXIST) {
            return -errno;
        }
        char name[32];
        int moved;
        do {
            (void)snprintf(name, sizeof name, ".%lu", (*counter)++);
            moved = renameat2(folder, entry, top, name, RENAME_NOREPLACE);
        } while (moved != 0 && errno == EEXIST);
        if (moved != 0 && errno == EACCES) {
            /* Its own entry "..", which the move changes, is closed to us. */
            const int inner = open_folder(folder, entry);
            if (inner >= 0) {
                fchmod(inner, S_IRWXU);
                close(inner);
                moved = renameat2(folder, entry, top, name, RENAME_NOREPLACE);
            }
        }
        if (moved != 0) {
            return -errno;
        }
    }
    return 0;
}

static int empty_and_remove(int top, const char *name, unsigned long *counter) {
    if (unlinkat(top, name, 0) == 0 || errno == ENOENT || unlinkat(top, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
        return 0;
    }
    const int folder = open_folder(top, name);
    if (folder < 0) {
        return folder;
    }
    fchmod(folder, S_IRWXU);
    struct listing listing = list_folder(folder);
    const int outcome = flatten(top, &listing, counter);
    end_listing(&listing);
    return outcome != 0 || unlinkat(top, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? outcome : -errno;
}

int linux_empty_tree(int folder) {
    unsigned long counter = 0;
    bool removed = true;
    /* Each turn gets rid of something; somebody who adds faster does not keep us here. */
    for (int turn = 0; removed; turn++) {
        if (turn == 10000) {
            return -EBUSY;
        }
        removed = false;
        const int listed = open_folder(folder, ".");
        if (listed < 0) {
            return listed;
        }
        struct listing listing = list_folder(listed);
        const char *entry;
        while ((entry = next_name(&listing)) != NULL) {
            const int outcome = empty_and_remove(listed, entry, &counter);
            if (outcome != 0) {
                end_listing(&listing);
                return outcome;
            }
            removed = true;
        }
        end_listing(&listing);
    }
    return 0;
}

int linux_remove_tree(int folder, const char *name) {
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) {
        return 0;
    }
    const int below = open_folder(folder, name);
    if (below < 0) {
        return below;
    }
    const int outcome = linux_empty_tree(below);
    close(below);
    return outcome != 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? outcome : -errno;
}

int linux_remove_trees(int folder, const char *prefix) {
    const int listed = open_folder(folder, ".");
    if (listed < 0) {
        return listed;
    }
    struct listing listing = list_folder(listed);
    int outcome = 0;
    const char *entry;
    while (outcome == 0 && (entry = next_name(&listing)) != NULL) {
        if (strncmp(entry, prefix, strlen(prefix)) == 0) {
            outcome = linux_remove_tree(listed, entry);
        }
    }
    end_listing(&listing);
    return outcome;
}

/* MARK: Giving away */

static int give_below(int above, const char *name, uid_t owner, int depth) {
    if (depth > LINUX_TREE_DEPTH) {
        return -ELOOP;
    }
    const int folder = open_folder(above, name);
    if (folder < 0) {
        return folder;
    }
    struct listing listing = list_folder(folder);
    int outcome = 0;
    const char *entry;
    while (outcome == 0 && (entry = next_name(&listing)) != NULL) {
        struct stat status;
        if (fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            fchownat(folder, entry, owner, owner, AT_SYMLINK_NOFOLLOW) != 0) {
            outcome = -errno;
        } else if (S_ISDIR(status.st_mode)) {
            outcome = give_below(folder, entry, owner, depth + 1);
        }
    }
    end_listing(&listing);
    return outcome;
}

int linux_give_tree(int folder, uid_t owner) {
    const int outcome = give_below(folder, ".", owner, 0);
    return outcome != 0 || fchownat(folder, "", owner, owner, AT_EMPTY_PATH) == 0 ? outcome : -errno;
}
