/* SPDX-License-Identifier: Apache-2.0
 *
 * Clones of what a process will see, taken while the system's own paths are still there. By path: a descriptor from
 * outside cannot be cloned, the source must be in the caller's own mount namespace. Read-only before anyone can see
 * them, and nothing in them is a device or changes a user.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

static bool has_root(const struct plan *plan) { return (plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) != 0; }

/* Nothing mounted from here on reaches the system's own mount table. */
void make_mounts_private(const struct plan *plan) {
    if (has_root(plan) && syscall(SYS_mount, NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        fail(plan, STEP_PRIVATE_MOUNTS, errno);
    }
}

/* A key file should lie in no folder that an extension sees. Where one does all the same, /dev/null is in its place:
 * a plain user's worker is that user to the rest of the system and could read it. As root it belongs to another. */
void hide_keys(const struct plan *plan) {
    if (!has_root(plan) || plan->confinement.own_identity || plan->kind != LAUNCHER_EXTENSION) {
        return;
    }
    for (uint32_t index = 0; index < plan->keys->count; index++) {
        const char *const path = plan->keys->paths[index];
        if (syscall(SYS_mount, "/dev/null", path, NULL, MS_BIND, NULL) != 0 && errno != ENOENT) {
            fail(plan, STEP_HIDDEN_KEYS, errno); /* ENOENT: the file is gone, only we hold it */
        }
    }
}

int clone_tree(const struct plan *plan, enum step step, int folder, const char *path, unsigned int flags,
               uint64_t attributes) {
    const int tree = (int)syscall(SYS_open_tree, folder, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | flags);
    if (tree < 0) {
        fail(plan, step, errno);
    }
    struct mount_attr wanted = {.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | attributes};
    const unsigned int range = AT_EMPTY_PATH | (flags & AT_RECURSIVE);
    if (syscall(SYS_mount_setattr, tree, "", range, &wanted, sizeof wanted) != 0) {
        fail(plan, step, errno);
    }
    return tree;
}

static int clone_for_reading(const struct plan *plan, enum step step, int folder, const char *path,
                             unsigned int flags) {
    return clone_tree(plan, step, folder, path, AT_RECURSIVE | flags, MOUNT_ATTR_RDONLY);
}

int find_same_folder(const struct plan *plan, const char *path, int expected, enum step missing, enum step replaced) {
    const struct open_how how = {
        .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
        .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    const int folder = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    struct stat found;
    struct stat wanted;
    if (folder < 0 || fstat(folder, &found) != 0 || fstat(expected, &wanted) != 0) {
        fail(plan, missing, errno);
    }
    if (found.st_dev != wanted.st_dev || found.st_ino != wanted.st_ino) {
        fail(plan, replaced, ESTALE);
    }
    return folder;
}

/* Of the opener's folder, where the other programs lie, its own file alone. */
static void clone_bundle(struct plan *plan) {
    const int folder = find_same_folder(plan, plan->bundle_path, plan->bundle, STEP_BUNDLE_VIEW, STEP_BUNDLE_REPLACED);
    if (plan->kind == LAUNCHER_OPENER) {
        plan->tree = clone_for_reading(plan, STEP_BUNDLE_VIEW, folder, plan->executable, AT_SYMLINK_NOFOLLOW);
    } else {
        plan->tree = clone_for_reading(plan, STEP_BUNDLE_VIEW, folder, "", AT_EMPTY_PATH);
    }
    (void)close(folder);
}

void clone_trees(struct plan *plan) {
    if (!has_root(plan)) {
        return;
    }
    for (uint32_t index = 0; index < plan->shown_count; index++) {
        const struct view *const view = plan->shown[index];
        plan->trees[index] =
            view->kind == VIEW_LINK ? -1 : clone_for_reading(plan, STEP_SHOWN_FOLDERS, AT_FDCWD, view->path, 0);
    }
    if (!plan->probe) {
        clone_bundle(plan);
    }
}
