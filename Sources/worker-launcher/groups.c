/* SPDX-License-Identifier: Apache-2.0
 *
 * A cgroup for each process, in a folder that was delegated to the host: what it uses is limited and counted by the
 * kernel, and all that is in it dies at one word. A controller that is not there is done without.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan.h"

#define MIB ((uint64_t)1 << 20)
/* Of the runtime and the kernel, which the limit of an extension does not count. */
#define GROUP_MARGIN_BYTES (4 * MIB)
#define GROUP_NAME_BYTES 48

/* Its own for every launcher: one that was killed leaves empty folders behind, which the next one clears. */
static void name_group(char name[GROUP_NAME_BYTES], uint64_t number) {
    (void)snprintf(name, GROUP_NAME_BYTES, "worker-%d-%" PRIu64, getpid(), number);
}

int write_group_word(int group, const char *name, const char *word) {
    const int file = openat(group, name, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return -errno;
    }
    const int error = write(file, word, strlen(word)) < 0 ? -errno : 0;
    (void)close(file);
    return error;
}

static int write_number(int group, const char *name, uint64_t number) {
    char word[24];
    (void)snprintf(word, sizeof word, "%" PRIu64, number);
    return write_group_word(group, name, word);
}

/* The number behind a key, or without one the file's only number; 0 when it is not there. */
static uint64_t read_number(int group, const char *name, const char *key) {
    char text[512];
    const int file = openat(group, name, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        (void)close(file);
    }
    if (count <= 0) {
        return 0;
    }
    text[count] = '\0';
    const char *const place = key == NULL ? text : strstr(text, key);
    return place == NULL ? 0 : strtoull(place + (key == NULL ? 0 : strlen(key)), NULL, 10);
}

int make_group(struct launcher *launcher, struct process *process) {
    if (launcher->groups.folder < 0) {
        return 0;
    }
    char name[GROUP_NAME_BYTES];
    process->group_number = ++launcher->groups.last;
    name_group(name, process->group_number);
    if (mkdirat(launcher->groups.folder, name, 0755) != 0) {
        return -errno;
    }
    process->group = openat(launcher->groups.folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = process->group < 0 ? -errno : 0;
    if (error != 0) {
        (void)unlinkat(launcher->groups.folder, name, AT_REMOVEDIR);
    }
    return error;
}

void remove_group(const struct launcher *launcher, struct process *process) {
    if (process->group < 0) {
        return;
    }
    char name[GROUP_NAME_BYTES];
    name_group(name, process->group_number);
    (void)close(process->group);
    (void)unlinkat(launcher->groups.folder, name, AT_REMOVEDIR);
    process->group = -1;
}

/* A file system in memory is charged to whoever writes to it. */
int limit_group(const struct launcher *launcher, const struct process *process, const struct plan *plan) {
    if (process->group < 0) {
        return 0;
    }
    int error = launcher->groups.counts_processes ? write_group_word(process->group, "pids.max", "64") : 0;
    if (error != 0 || !launcher->groups.limits_memory || plan->memory_limit_bytes == 0) {
        return error;
    }
    const uint64_t most = plan->memory_limit_bytes + GROUP_MARGIN_BYTES + plan->scratch_bytes;
    error = write_number(process->group, "memory.max", most);
    if (error == 0) {
        error = write_group_word(process->group, "memory.oom.group", "1");
    }
    if (error == 0) {
        error = write_group_word(process->group, "memory.swap.max", "0");
    }
    return error == -ENOENT ? 0 : error; /* a kernel without swap has no such file */
}

int join_group(int group, pid_t pid) { return write_number(group, "cgroup.procs", (uint64_t)pid); }

void kill_in_group(const struct process *process) {
    if (process->group >= 0) {
        (void)write_group_word(process->group, "cgroup.kill", "1");
    }
}

void count_group(const struct process *process, struct launcher_exited *packet) {
    if (process->group >= 0) {
        packet->group_peak_bytes = read_number(process->group, "memory.peak", NULL);
        packet->group_kills = (uint32_t)read_number(process->group, "memory.events", "oom_kill ");
    }
}
