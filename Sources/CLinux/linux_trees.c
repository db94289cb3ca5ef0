/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_trees.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_itself(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* A folder to list, and its descriptor, which goes with the listing. One that its owner closed to itself is opened
 * again. */
static DIR *open_folder(int above, const char *name, int *descriptor) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(above, name, flags);
    if (folder < 0 && errno == EACCES) {
        const int place = openat(above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        char path[32];
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", place);
        if (place >= 0 && chmod(path, S_IRWXU) == 0) {
            folder = openat(above, name, flags);
        }
        if (place >= 0) {
            close(place);
        }
    }
    DIR *const listing = folder < 0 ? NULL : fdopendir(folder);
    if (listing == NULL && folder >= 0) {
        close(folder);
    }
    *descriptor = folder;
    return listing;
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
    int folder;
    DIR *const listing = open_folder(above, name, &folder);
    if (listing == NULL) {
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
    }
    int outcome = 0;
    const struct dirent *entry;
    while (outcome == 0 && !is_enough(measure) && (entry = readdir(listing)) != NULL) {
        struct stat status;
        if (is_itself(entry->d_name) || fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        measure->size->entries += 1;
        measure->size->bytes += (uint64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode) && status.st_dev == measure->device) {
            outcome = measure_below(measure, folder, entry->d_name, depth + 1);
        }
    }
    closedir(listing);
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
static int flatten(int top, int folder, DIR *listing, unsigned long *counter) {
    const struct dirent *entry;
    while ((entry = readdir(listing)) != NULL) {
        if (is_itself(entry->d_name) || unlinkat(folder, entry->d_name, 0) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno != EISDIR && errno != EPERM) {
            return -errno;
        }
        if (unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno != ENOTEMPTY && errno != EEXIST) {
            return -errno;
        }
        char name[32];
        int moved;
        do {
            (void)snprintf(name, sizeof name, ".%lu", (*counter)++);
            moved = renameat2(folder, entry->d_name, top, name, RENAME_NOREPLACE);
        } while (moved != 0 && errno == EEXIST);
        if (moved != 0 && errno == EACCES) {
            /* Its own entry "..", which the move changes, is closed to us. */
            int inner;
            DIR *const opened = open_folder(folder, entry->d_name, &inner);
            if (opened != NULL) {
                fchmod(inner, S_IRWXU);
                closedir(opened);
                moved = renameat2(folder, entry->d_name, top, name, RENAME_NOREPLACE);
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
    int folder;
    DIR *const listing = open_folder(top, name, &folder);
    if (listing == NULL) {
        return -errno;
    }
    fchmod(folder, S_IRWXU);
    const int outcome = flatten(top, folder, listing, counter);
    closedir(listing);
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
        int listed;
        DIR *const listing = open_folder(folder, ".", &listed);
        if (listing == NULL) {
            return -errno;
        }
        const struct dirent *entry;
        while ((entry = readdir(listing)) != NULL) {
            if (is_itself(entry->d_name)) {
                continue;
            }
            const int outcome = empty_and_remove(listed, entry->d_name, &counter);
            if (outcome != 0) {
                closedir(listing);
                return outcome;
            }
            removed = true;
        }
        closedir(listing);
    }
    return 0;
}

int linux_remove_tree(int folder, const char *name) {
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) {
        return 0;
    }
    int below;
    DIR *const listing = open_folder(folder, name, &below);
    if (listing == NULL) {
        return -errno;
    }
    const int outcome = linux_empty_tree(below);
    closedir(listing);
    return outcome != 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? outcome : -errno;
}

int linux_remove_trees(int folder, const char *prefix) {
    int listed;
    DIR *const listing = open_folder(folder, ".", &listed);
    if (listing == NULL) {
        return -errno;
    }
    int outcome = 0;
    const struct dirent *entry;
    while (outcome == 0 && (entry = readdir(listing)) != NULL) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            outcome = linux_remove_tree(listed, entry->d_name);
        }
    }
    closedir(listing);
    return outcome;
}

/* MARK: Giving away */

static int give_below(int above, const char *name, uid_t owner, int depth) {
    if (depth > LINUX_TREE_DEPTH) {
        return -ELOOP;
    }
    int folder;
    DIR *const listing = open_folder(above, name, &folder);
    if (listing == NULL) {
        return -errno;
    }
    int outcome = 0;
    const struct dirent *entry;
    while (outcome == 0 && (entry = readdir(listing)) != NULL) {
        struct stat status;
        if (is_itself(entry->d_name)) {
            continue;
        }
        if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            fchownat(folder, entry->d_name, owner, owner, AT_SYMLINK_NOFOLLOW) != 0) {
            outcome = -errno;
        } else if (S_ISDIR(status.st_mode)) {
            outcome = give_below(folder, entry->d_name, owner, depth + 1);
        }
    }
    closedir(listing);
    return outcome;
}

int linux_give_tree(int folder, uid_t owner) {
    const int outcome = give_below(folder, ".", owner, 0);
    return outcome != 0 || fchownat(folder, "", owner, owner, AT_EMPTY_PATH) == 0 ? outcome : -errno;
}
