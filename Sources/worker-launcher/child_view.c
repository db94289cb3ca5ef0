/* SPDX-License-Identifier: Apache-2.0
 *
 * The root of a started process: an empty file system of its own with the cloned trees in it, and nothing behind it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

#ifndef MNT_DETACH /* sys/mount.h and linux/mount.h do not go together */
#define MNT_DETACH 2
#endif

/* Any folder that is there will do: it is covered and then left behind. This one holds the libraries. */
#define STAGE "/usr"

/* Both are for names only; what is shown are mounts of their own. */
static const char root_size[] = "size=256k,nr_inodes=128,mode=755";

static void make_folder(const struct plan *plan, const char *path) {
    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        fail(plan, STEP_OWN_ROOT, errno);
    }
}

/* Every folder above the last part of a relative path. */
static void make_parents(const struct plan *plan, const char *path) {
    char part[LAUNCHER_PATH_BYTES];
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const size_t length = (size_t)(slash - path);
        memcpy(part, path, length);
        part[length] = '\0';
        make_folder(plan, part);
    }
}

static void make_file(const struct plan *plan, const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0444);
    if (file < 0) {
        fail(plan, STEP_OWN_ROOT, errno);
    }
    (void)close(file);
}

static void move_tree(const struct plan *plan, enum step step, int tree, const char *path) {
    if (syscall(SYS_move_mount, tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) != 0) {
        fail(plan, step, errno);
    }
}

/* A place that another tree shows already, read-only as everything, may not be made again, and need not be. */
static void show(const struct plan *plan, const struct view *view, int tree) {
    const char *const path = view->path + 1;
    make_parents(plan, path);
    switch (view->kind) {
    case VIEW_LINK:
        if (symlink(view->link, path) != 0) {
            fail(plan, STEP_SHOWN_FOLDERS, errno);
        }
        return;
    case VIEW_FOLDER:
        make_folder(plan, path);
        break;
    case VIEW_INTERPRETER:
        if (access(path, F_OK) != 0) {
            make_file(plan, path);
        }
    }
    move_tree(plan, STEP_SHOWN_FOLDERS, tree, path);
}

static void show_bundle(struct plan *plan) {
    make_folder(plan, plan->view + 1);
    if (plan->kind == LAUNCHER_OPENER) {
        make_file(plan, plan->program_path + 1);
        move_tree(plan, STEP_BUNDLE_VIEW, plan->tree, plan->program_path + 1);
        plan->bundle = open(plan->view + 1, O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        move_tree(plan, STEP_BUNDLE_VIEW, plan->tree, plan->view + 1);
        plan->bundle = plan->tree; /* the same folder, now inside the view */
    }
    if (plan->bundle < 0) {
        fail(plan, STEP_BUNDLE_VIEW, errno);
    }
}

/* A /proc that shows this pid namespace, for reading: the runtime's thread pool looks at its own threads there.
 * Kernels that do not know an option of the list refuse the whole list. An opener has no use for any. */
static void show_proc(const struct plan *plan) {
    if (plan->kind == LAUNCHER_OPENER) {
        return;
    }
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    static const char *const options[] = {"hidepid=2,subset=pid", "hidepid=2"};
    make_folder(plan, "proc");
    for (size_t index = 0; index < sizeof options / sizeof options[0]; index++) {
        if (syscall(SYS_mount, "proc", "proc", "proc", flags, options[index]) == 0) {
            return;
        }
        if (errno != EINVAL) {
            break;
        }
    }
    fail(plan, STEP_PRIVATE_PROC, errno);
}

/* The old root ends up mounted over the new one, and is taken away: no path and no descriptor leads back to it. */
static void leave_old_root(const struct plan *plan) {
    if (syscall(SYS_pivot_root, ".", ".") != 0 || syscall(SYS_umount2, ".", MNT_DETACH) != 0 || chdir("/") != 0) {
        fail(plan, STEP_OWN_ROOT, errno);
    }
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof attributes) != 0) {
        fail(plan, STEP_OWN_ROOT, errno);
    }
}

void enter_own_root(struct plan *plan) {
    if ((plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) == 0) {
        return;
    }
    if (syscall(SYS_mount, "tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, root_size) != 0 ||
        chdir(STAGE) != 0) {
        fail(plan, STEP_OWN_ROOT, errno);
    }
    for (uint32_t index = 0; index < plan->shown_count; index++) {
        show(plan, plan->shown[index], plan->trees[index]);
    }
    if (!plan->probe) {
        show_bundle(plan);
    }
    show_proc(plan);
    make_scratch(plan);
    leave_old_root(plan);
}
