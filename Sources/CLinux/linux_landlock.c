/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux_calls.h"

#define RULE_NET_PORT 2
#define NET_BIND_TCP (1ULL << 0)
#define NET_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
/* What a rule on a file may name; more is refused by the kernel. */
#define OF_A_FILE                                                                                                      \
    (LINUX_FILES_EXECUTE | LINUX_FILES_WRITE | LINUX_FILES_READ | LINUX_FILES_TRUNCATE | LINUX_FILES_IOCTL_DEVICE)

/* The kernel's struct as of version 6; an older kernel takes it as long as what it does not know is zero. */
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct port_rule {
    uint64_t access;
    uint64_t port;
};

static int result(long value) { return value < 0 ? -errno : (int)value; }

static struct ruleset everything(int version) {
    struct ruleset ruleset = {.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    ruleset.files |= version >= 2 ? (uint64_t)LINUX_FILES_MOVE : 0;
    ruleset.files |= version >= 3 ? (uint64_t)LINUX_FILES_TRUNCATE : 0;
    ruleset.files |= version >= 5 ? (uint64_t)LINUX_FILES_IOCTL_DEVICE : 0;
    ruleset.network = version >= 4 ? NET_BIND_TCP : 0;
    ruleset.scopes = version >= 6 ? SCOPE_ABSTRACT_UNIX_SOCKET : 0;
    return ruleset;
}

int linux_landlock_make(int refuses_connecting) {
    const int version = linux_landlock_version();
    struct ruleset ruleset = everything(version);
    ruleset.network |= version >= 4 && refuses_connecting ? NET_CONNECT_TCP : 0;
    const int rules = result(syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0U));
    return rules < 0 || fcntl(rules, F_SETFD, FD_CLOEXEC) == 0 ? rules : -errno;
}

int linux_landlock_allow_path(int rules, const char *path, uint32_t files) {
    const int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) {
        return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
    }
    const uint64_t handled = everything(linux_landlock_version()).files;
    struct landlock_path_beneath_attr rule = {.allowed_access = files & handled, .parent_fd = place};
    struct stat status;
    int outcome = result(fstat(place, &status));
    if (outcome == 0) {
        rule.allowed_access &= S_ISDIR(status.st_mode) ? handled : OF_A_FILE;
        outcome = result(syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U));
    }
    close(place);
    return outcome;
}

static int allow_port(int rules, uint64_t access, uint16_t port) {
    const struct port_rule rule = {.access = access, .port = port};
    if (linux_landlock_version() < 4) {
        return 0;
    }
    return result(syscall(SYS_landlock_add_rule, rules, RULE_NET_PORT, &rule, 0U));
}

int linux_landlock_allow_listening(int rules, uint16_t port) { return allow_port(rules, NET_BIND_TCP, port); }

int linux_landlock_allow_connecting(int rules, uint16_t port) { return allow_port(rules, NET_CONNECT_TCP, port); }

int linux_landlock_enter(int rules) {
    const int outcome = result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    return outcome < 0 ? outcome : result(syscall(SYS_landlock_restrict_self, rules, 0U));
}
