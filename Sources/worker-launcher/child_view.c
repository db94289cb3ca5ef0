/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a worker finds its own bundle. Below its original path it may lie under a folder that the worker's user cannot
 * search (root's home), and Foundation ends a program whose own folder cannot be found.
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

static void restrict_tree(const struct plan *plan, int folder, const char *path, unsigned int flags, uint64_t set) {
    struct mount_attr attributes = {.attr_set = set | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    if (syscall(SYS_mount_setattr, folder, path, flags, &attributes, sizeof attributes) != 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
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
    restrict_tree(plan, plan->tree, "", AT_EMPTY_PATH | AT_RECURSIVE, 0);
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
    restrict_tree(plan, AT_FDCWD, VIEW, 0, MOUNT_ATTR_NOEXEC);
    plan->bundle = plan->tree; /* the same folder, now inside the view */
}
