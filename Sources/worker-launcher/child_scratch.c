/* SPDX-License-Identifier: Apache-2.0
 *
 * The two grants. Scratch: a file system in memory with a size of its own, and in it, from the app's storage on disk,
 * what outlives the process; without mounts the storage itself. Network: a listening socket in the process's own
 * network, for the host to accept on, and nothing else to connect to.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

/* Connections that the host has not accepted yet. */
#define WAITING_CONNECTIONS 32

const char *const scratch_parts[SCRATCH_PARTS] = {"tmp", "home", "groups"};

static bool has_root(const struct plan *plan) { return (plan->confinement.namespaces & LAUNCHER_NAMESPACE_MOUNT) != 0; }

static bool has_scratch(const struct plan *plan) { return (plan->flags & LAUNCHER_SCRATCH) != 0; }

/* The worker owns the folder above and may have put anything there. */
static int open_part(const struct plan *plan, int storage, const char *name) {
    const struct open_how how = {
        .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    const int folder = (int)syscall(SYS_openat2, storage, name, &how, sizeof how);
    if (folder < 0) {
        fail(plan, STEP_STORAGE, errno);
    }
    return folder;
}

void find_storage(struct plan *plan) {
    if (!has_scratch(plan) || plan->storage < 0) {
        return;
    }
    const int storage = find_same_folder(plan, plan->storage_path, plan->storage, STEP_STORAGE, STEP_STORAGE_REPLACED);
    if (!has_root(plan)) {
        plan->scratch = storage;
        return;
    }
    for (int part = SCRATCH_HOME; part <= SCRATCH_GROUPS; part++) {
        const int folder = open_part(plan, storage, scratch_parts[part]);
        plan->scratch_trees[part] = clone_tree(plan, STEP_STORAGE, folder, "", AT_EMPTY_PATH, MOUNT_ATTR_NOEXEC);
        (void)close(folder);
    }
    (void)close(storage);
}

static void make_part(const struct plan *plan, int scratch, enum scratch_part part) {
    const char *const name = scratch_parts[part];
    if (mkdirat(scratch, name, 0700) != 0) {
        fail(plan, STEP_SCRATCH, errno);
    }
    /* With a user namespace it is the inside user already that makes it. */
    if ((plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) == 0 &&
        fchownat(scratch, name, plan->outside_uid, plan->outside_uid, AT_SYMLINK_NOFOLLOW) != 0) {
        fail(plan, STEP_SCRATCH, errno);
    }
    if (plan->scratch_trees[part] >= 0 &&
        syscall(SYS_move_mount, plan->scratch_trees[part], "", scratch, name, MOVE_MOUNT_F_EMPTY_PATH) != 0) {
        fail(plan, STEP_STORAGE, errno);
    }
}

/* In the root to be; the current folder is still that one. */
void make_scratch(struct plan *plan) {
    if (!has_scratch(plan)) {
        return;
    }
    const char *const name = &SCRATCH_VIEW[1];
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mkdir(name, 0755) != 0 || syscall(SYS_mount, "tmpfs", name, "tmpfs", flags, plan->scratch_options) != 0) {
        fail(plan, STEP_SCRATCH, errno);
    }
    plan->scratch = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (plan->scratch < 0) {
        fail(plan, STEP_SCRATCH, errno);
    }
    for (enum scratch_part part = SCRATCH_TEMPORARY; part < SCRATCH_PARTS; part++) {
        make_part(plan, plan->scratch, part);
    }
}

static void raise_loopback(const struct plan *plan) {
    struct ifreq request = {.ifr_name = "lo"};
    const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0 || ioctl(any, SIOCGIFFLAGS, &request) != 0) {
        fail(plan, STEP_NETWORK, errno);
    }
    request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
    if (ioctl(any, SIOCSIFFLAGS, &request) != 0) {
        fail(plan, STEP_NETWORK, errno);
    }
    (void)close(any);
}

/* Only the loopback interface exists there, and only this socket listens. */
void open_network(struct plan *plan) {
    if ((plan->flags & LAUNCHER_NETWORK) == 0) {
        return;
    }
    raise_loopback(plan);
    const struct sockaddr_in place = {
        .sin_family = AF_INET,
        .sin_port = htons(WORKER_PROXY_PORT),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    plan->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (plan->listener < 0 || bind(plan->listener, (const struct sockaddr *)&place, sizeof place) != 0 ||
        listen(plan->listener, WAITING_CONNECTIONS) != 0) {
        fail(plan, STEP_NETWORK, errno);
    }
}

/* The launcher keeps the folder, to take files out of it for the host, and hands the others on. */
void hand_over(const struct plan *plan) {
    const struct gate_report report = {.step = STEP_HAND_OVER, .error = 0};
    const int descriptors[] = {plan->status, plan->scratch, plan->listener};
    const int count = !has_root(plan) || !has_scratch(plan) ? 1 : plan->listener < 0 ? 2 : 3;
    const ssize_t sent = linux_send_packet(plan->gate, &report, sizeof report, descriptors, count);
    if (sent < 0) {
        fail(plan, STEP_HAND_OVER, (int)-sent);
    }
}
