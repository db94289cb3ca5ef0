/* SPDX-License-Identifier: Apache-2.0
 *
 * A confined host cannot open or make a file of a worker's private file system, even below a descriptor it holds: no
 * rule of its own could cover what did not exist when the rules were set. The launcher is not confined, and does it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/fsuid.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"

static uint64_t used_bytes(int folder) {
    struct statfs status;
    return fstatfs(folder, &status) == 0 ? (uint64_t)(status.f_blocks - status.f_bfree) * (uint64_t)status.f_bsize : 0;
}

static struct left_folder *find_left(struct launcher *launcher, uint64_t serial) {
    for (size_t index = 0; index < sizeof launcher->left.folders / sizeof launcher->left.folders[0]; index++) {
        struct left_folder *const left = &launcher->left.folders[index];
        if (left->there && left->serial == serial) {
            return left;
        }
    }
    return NULL;
}

/* The folder of a process that runs or has ended, or -1. */
static int folder_of(struct launcher *launcher, uint64_t serial) {
    const struct process *const process = find_process(launcher, serial);
    if (process != NULL) {
        return process->scratch;
    }
    const struct left_folder *const left = find_left(launcher, serial);
    return left != NULL ? left->folder : -1;
}

static struct launcher_scratch_file answer_to(int folder, uint64_t serial) {
    return (struct launcher_scratch_file){
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_SCRATCH_FILE},
        .serial = serial,
        .error = folder >= 0 ? 0 : ESRCH,
    };
}

/* `file` is a descriptor, which is closed here, or a negative errno. */
static void tell_file(struct launcher *launcher, struct launcher_scratch_file *answer, int file) {
    answer->error = file < 0 ? -file : 0;
    tell_host(launcher, answer, sizeof *answer, &file, file >= 0 ? 1 : 0);
    if (file >= 0) {
        (void)close(file);
    }
}

void take_scratch(struct launcher *launcher, const struct order *order) {
    const struct launcher_take_scratch *const packet = &order->packet.take_scratch;
    const int folder = folder_of(launcher, packet->serial);
    struct launcher_scratch_file answer = answer_to(folder, packet->serial);
    if (answer.error != 0 || packet->name[0] == '\0') {
        answer.used_bytes = answer.error == 0 ? used_bytes(folder) : 0;
        tell_host(launcher, &answer, sizeof answer, NULL, 0);
        return;
    }
    const int file = linux_take_file(folder, packet->name, 1);
    answer.used_bytes = used_bytes(folder);
    tell_file(launcher, &answer, file);
}

/* For what this process makes in file systems. Only one that may do everything gets a refusal it cannot live with. */
static bool become(uid_t user, gid_t group) {
    (void)setfsgid(group);
    (void)setfsuid(user);
    return setfsgid((gid_t)-1) == (int)group && setfsuid((uid_t)-1) == (int)user;
}

/* As the worker, and with no right that it has not: a file system of a user namespace takes files of no other user. */
static int make_as(struct launcher *launcher, uint32_t owner, int folder, const char *name) {
    if (owner == 0) {
        return linux_make_file(folder, name);
    }
    const int file = become(owner, owner) ? linux_make_file(folder, name) : -EPERM;
    /* The kernel gives what changed its user a new state of being dumpable. */
    if (!become(geteuid(), getegid()) || linux_set_not_dumpable() != 0) {
        complain("cannot become itself again");
        give_up(launcher);
    }
    return file;
}

void put_scratch(struct launcher *launcher, const struct order *order) {
    const struct launcher_put_scratch *const packet = &order->packet.put_scratch;
    const struct process *const process = find_process(launcher, packet->serial);
    struct launcher_scratch_file answer = answer_to(process != NULL ? process->scratch : -1, packet->serial);
    if (answer.error != 0) {
        tell_host(launcher, &answer, sizeof answer, NULL, 0);
        return;
    }
    const int file = make_as(launcher, process->owner, process->scratch, packet->name);
    answer.used_bytes = used_bytes(process->scratch);
    tell_file(launcher, &answer, file);
}

void keep_scratch(struct launcher *launcher, struct process *process) {
    if (process->scratch < 0) {
        return;
    }
    struct left_folders *const left = &launcher->left;
    struct left_folder *const place = &left->folders[left->next];
    left->next = (left->next + 1) % (sizeof left->folders / sizeof left->folders[0]);
    if (place->there) {
        (void)close(place->folder);
    }
    *place = (struct left_folder){.there = true, .serial = process->serial, .folder = process->scratch};
    process->scratch = -1;
}

void forget_scratch(struct launcher *launcher, const struct order *order) {
    struct left_folder *const left = find_left(launcher, order->packet.forget_scratch.serial);
    if (left != NULL) {
        (void)close(left->folder);
        left->there = false;
    }
}
