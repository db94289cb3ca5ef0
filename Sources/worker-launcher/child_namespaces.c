/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

static bool has(const struct plan *plan, uint32_t namespace) { return (plan->confinement.namespaces & namespace) != 0; }

static void write_file(const struct plan *plan, const char *path, const char *text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        fail(plan, STEP_ID_MAPS, errno);
    }
    if (write(file, text, strlen(text)) < 0) {
        fail(plan, STEP_ID_MAPS, errno);
    }
    (void)close(file);
}

/* The launcher is not dumpable and so is its clone: root owns its /proc files, and only root could write the maps.
 * The child therefore opens its own for the moment of writing. Whoever could use that moment runs as the host's user
 * outside of every sandbox, and can read the key files without it. */
void write_own_id_maps(const struct plan *plan) {
    if (!has(plan, LAUNCHER_NAMESPACE_USER) || plan->confinement.own_identity) {
        return;
    }
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) {
        fail(plan, STEP_ID_MAPS, errno);
    }
    write_file(plan, "/proc/self/setgroups", "deny");
    write_file(plan, "/proc/self/uid_map", plan->uid_map);
    write_file(plan, "/proc/self/gid_map", plan->gid_map);
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        fail(plan, STEP_ID_MAPS, errno);
    }
}

/* Root's child is nobody inside its namespace until now. A plain user's is 1000 by the map alone. */
void become_inside_user(const struct plan *plan) {
    if (!has(plan, LAUNCHER_NAMESPACE_USER) || !plan->confinement.own_identity) {
        return;
    }
    if (syscall(SYS_setgroups, (size_t)0, NULL) != 0 ||
        syscall(SYS_setresgid, INSIDE_UID, INSIDE_UID, INSIDE_UID) != 0 ||
        syscall(SYS_setresuid, INSIDE_UID, INSIDE_UID, INSIDE_UID) != 0) {
        fail(plan, STEP_USER_AND_GROUP, errno);
    }
}

void set_host_name(const struct plan *plan) {
    static const char name[] = "worker";
    if (has(plan, LAUNCHER_NAMESPACE_UTS) && sethostname(name, sizeof name - 1) != 0) {
        fail(plan, STEP_HOST_NAME, errno);
    }
}

/* Its own group is the root of all that it sees of the tree. */
void enter_own_group_root(const struct plan *plan) {
    if (has(plan, LAUNCHER_NAMESPACE_CGROUP) && syscall(SYS_unshare, CLONE_NEWCGROUP) != 0) {
        fail(plan, STEP_GROUP, errno);
    }
}
