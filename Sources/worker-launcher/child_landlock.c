/* SPDX-License-Identifier: Apache-2.0
 *
 * Landlock: what a process may do with the files it can name, whatever the mounts say. In profile C, where nothing is
 * hidden, this is the wall; in A and B it is the second one. Taken on the new root, after the mounts, which a process
 * under Landlock may not change.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

/* Younger than the headers of some build machines: Landlock 3, 5, 4 and 6. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#define RULE_NET_PORT 2
#define ACCESS_FS_IOCTL_DEV (1ULL << 15)
#define ACCESS_NET_BIND_TCP (1ULL << 0)
#define ACCESS_NET_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)

#define READ_FOLDER (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define CHANGE_FOLDER                                                                                                  \
    (READ_FOLDER | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_REFER |            \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                      \
     LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define READ_PROGRAM (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE)

/* The kernel's struct as of version 6; an older kernel takes it as long as what it does not know is zero. */
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

/* Everything the running kernel can refuse. */
static struct ruleset everything(uint32_t version) {
    struct ruleset ruleset = {.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    ruleset.files |= version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;
    ruleset.files |= version >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0;
    ruleset.files |= version >= 5 ? ACCESS_FS_IOCTL_DEV : 0;
    ruleset.network = version >= 4 ? ACCESS_NET_BIND_TCP | ACCESS_NET_CONNECT_TCP : 0;
    ruleset.scopes = version >= 6 ? SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL : 0;
    return ruleset;
}

static void allow(const struct plan *plan, int rules, int place, uint64_t access) {
    const struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U) != 0) {
        fail(plan, STEP_LANDLOCK, errno);
    }
}

/* As of version 4. */
struct port_rule {
    uint64_t access;
    uint64_t port;
};

static void allow_grants(const struct plan *plan, int rules, const struct ruleset *ruleset) {
    if (plan->scratch >= 0) {
        allow(plan, rules, plan->scratch, CHANGE_FOLDER & ruleset->files);
    }
    const struct port_rule proxy = {.access = ACCESS_NET_CONNECT_TCP, .port = WORKER_PROXY_PORT};
    if ((plan->flags & LAUNCHER_NETWORK) != 0 && ruleset->network != 0 &&
        syscall(SYS_landlock_add_rule, rules, RULE_NET_PORT, &proxy, 0U) != 0) {
        fail(plan, STEP_LANDLOCK, errno);
    }
}

/* What is not there needs no rule. */
static void allow_path(const struct plan *plan, int rules, const char *path, uint64_t access) {
    const int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0 && (errno == ENOENT || errno == EACCES)) {
        return;
    }
    if (place < 0) {
        fail(plan, STEP_LANDLOCK, errno);
    }
    allow(plan, rules, place, access);
    (void)close(place);
}

/* The kernel reads the loader's name from the executable, but executes none but these. Libraries are mapped, which
 * needs no right to execute. */
static void allow_loaders(const struct plan *plan, int rules) {
    static const char *const loaders[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
                                          "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1"};
    for (size_t index = 0; index < sizeof loaders / sizeof loaders[0]; index++) {
        allow_path(plan, rules, loaders[index], READ_PROGRAM);
    }
}

static void allow_reading(const struct plan *plan, int rules) {
    for (uint32_t index = 0; index < plan->shown_count; index++) {
        const struct view *const view = plan->shown[index];
        if (view->kind != VIEW_LINK) {
            allow_path(plan, rules, view->path, view->kind == VIEW_FOLDER ? READ_FOLDER : LANDLOCK_ACCESS_FS_READ_FILE);
        }
    }
    if (plan->kind == LAUNCHER_EXTENSION) {
        allow_path(plan, rules, "/proc", READ_FOLDER);
    }
    /* An opener has nothing to read in its folder, unless it is a script in the place of one. */
    if (plan->bundle >= 0 && (plan->kind == LAUNCHER_EXTENSION || plan->interpreter != NULL)) {
        allow(plan, rules, plan->bundle, READ_FOLDER);
    }
}

void restrict_files(const struct plan *plan) {
    if (plan->landlock == 0) {
        return;
    }
    const struct ruleset ruleset = everything(plan->landlock);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0U);
    if (rules < 0) {
        fail(plan, STEP_LANDLOCK, errno);
    }
    allow_reading(plan, rules);
    allow_loaders(plan, rules);
    allow_grants(plan, rules, &ruleset);
    if (plan->program >= 0) {
        allow(plan, rules, plan->program, READ_PROGRAM);
    }
    if (syscall(SYS_landlock_restrict_self, rules, 0U) != 0) {
        fail(plan, STEP_LANDLOCK, errno);
    }
    (void)close(rules);
}
