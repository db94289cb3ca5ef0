/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder that was delegated to the host: whether groups can be made there, and which controllers they have.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan.h"

/* Whether a child can be cloned into a group there: no file says so as surely as one that was. */
static int try_group(struct launcher *launcher) {
    struct process process = {.group = -1};
    int error = make_group(launcher, &process);
    if (error != 0) {
        return error;
    }
    int pidfd = -1;
    const pid_t pid = clone_process(0, process.group, &pidfd);
    if (pid == 0) {
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (pid > 0) {
        (void)close(pidfd);
    }
    error = pid < 0 ? pid : 0;
    remove_group(launcher, &process);
    return error;
}

/* What launchers left behind that are gone: a folder with a process in it stays. */
static void clear_groups(int folder) {
    const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const groups = listed < 0 ? NULL : fdopendir(listed);
    if (groups == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(groups); entry != NULL; entry = readdir(groups)) {
        int launcher = 0;
        if (sscanf(entry->d_name, "worker-%d-", &launcher) == 1 && kill(launcher, 0) != 0 && errno == ESRCH) {
            (void)unlinkat(folder, entry->d_name, AT_REMOVEDIR);
        }
    }
    (void)closedir(groups);
}

static int take_group_folder(struct launcher *launcher, const char *path) {
    struct group_folder *const groups = &launcher->groups;
    groups->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct statfs status;
    int error = groups->folder < 0 || fstatfs(groups->folder, &status) != 0 ? -errno : 0;
    if (error == 0 && status.f_type != CGROUP2_SUPER_MAGIC) {
        error = -EINVAL;
    }
    if (error == 0) {
        groups->limits_memory = write_group_word(groups->folder, "cgroup.subtree_control", "+memory") == 0;
        groups->counts_processes = write_group_word(groups->folder, "cgroup.subtree_control", "+pids") == 0;
        clear_groups(groups->folder);
        error = try_group(launcher);
    }
    if (error != 0 && groups->folder >= 0) {
        (void)close(groups->folder);
    }
    if (error != 0) {
        *groups = (struct group_folder){.folder = -1};
    }
    return -error;
}

static void answer(struct launcher *launcher, int error) {
    const struct launcher_group_registered packet = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_GROUP_REGISTERED},
        .error = error,
        .limits_memory = error == 0 && launcher->groups.limits_memory ? 1 : 0,
    };
    tell_host(launcher, &packet, sizeof packet, NULL, 0);
}

void register_group(struct launcher *launcher, const struct order *order) {
    answer(launcher, take_group_folder(launcher, order->packet.register_group.path));
}

void refuse_group(struct launcher *launcher, const struct order *order) {
    (void)order;
    answer(launcher, EPERM);
}
