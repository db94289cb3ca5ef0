/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker sees of the file system: everything read-only, no key, and its own bundle below /tmp. There, because
 * its original path may lie under a folder that the worker's user cannot search (root's home), and Foundation ends a
 * program whose own folder cannot be found.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

static bool has_view(const struct plan *plan) { return (plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) != 0; }

static void make_read_only(const struct plan *plan, enum step step, int folder, unsigned int flags, uint64_t more) {
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | more};
    if (syscall(SYS_mount_setattr, folder, "", flags | AT_EMPTY_PATH, &attributes, sizeof attributes) != 0) {
        fail(plan, step, errno);
    }
}

/* Nothing mounted from here on reaches the system's own mount table, and nothing that is mounted can be changed. */
void make_mounts_private(const struct plan *plan) {
    if (!has_view(plan)) {
        return;
    }
    if (syscall(SYS_mount, NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        fail(plan, STEP_PRIVATE_MOUNTS, errno);
    }
    const int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        fail(plan, STEP_PRIVATE_MOUNTS, errno);
    }
    make_read_only(plan, STEP_PRIVATE_MOUNTS, root, AT_RECURSIVE, 0);
    (void)close(root);
}

/* A plain user's worker is that user to the rest of the system and could read the key files: it finds /dev/null in
 * their place, and has no right to take it away. As root they belong to somebody else. */
void hide_keys(const struct plan *plan) {
    if (!has_view(plan) || plan->confinement.own_identity || plan->kind != LAUNCHER_EXTENSION) {
        return;
    }
    for (uint32_t index = 0; index < plan->keys->count; index++) {
        const char *const path = plan->keys->paths[index];
        if (syscall(SYS_mount, "/dev/null", path, NULL, MS_BIND, NULL) != 0 && errno != ENOENT) {
            fail(plan, STEP_HIDDEN_KEYS, errno); /* ENOENT: the file is gone, only we hold it */
        }
    }
}

/* By path, because a descriptor from outside cannot be cloned; what is found there must be what the host opened.
 * Read-only before anyone can see it. */
void clone_bundle(struct plan *plan) {
    if (!has_view(plan)) {
        return;
    }
    const char *const source = plan->probe ? VIEW : plan->bundle_path;
    plan->tree = (int)syscall(SYS_open_tree, AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (plan->tree < 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
    }
    make_read_only(plan, STEP_BUNDLE_VIEW, plan->tree, AT_RECURSIVE, MOUNT_ATTR_NODEV);
    if (plan->probe) {
        return;
    }
    struct stat cloned;
    struct stat expected;
    if (fstat(plan->tree, &cloned) != 0 || fstat(plan->bundle, &expected) != 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
    }
    if (cloned.st_dev != expected.st_dev || cloned.st_ino != expected.st_ino) {
        fail(plan, STEP_BUNDLE_REPLACED, ESTALE);
    }
}

/* A small file system of its own over /tmp, with nothing in it but the bundle, and read-only from then on. The real
 * /tmp is out of sight with it. */
void show_bundle(struct plan *plan) {
    if (!has_view(plan)) {
        return;
    }
    static const char size[] = "size=64k,nr_inodes=16,mode=755";
    if (syscall(SYS_mount, "tmpfs", VIEW, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, size) != 0 ||
        mkdir(plan->view, 0755) != 0 ||
        syscall(SYS_move_mount, plan->tree, "", AT_FDCWD, plan->view, MOVE_MOUNT_F_EMPTY_PATH) != 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
    }
    const int view = open(VIEW, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (view < 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
    }
    make_read_only(plan, STEP_BUNDLE_VIEW, view, 0, MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    (void)close(view);
    plan->bundle = plan->tree; /* the same folder, now inside the view */
}
