/* SPDX-License-Identifier: Apache-2.0
 *
 * A child of the launcher, by the younger of two calls where it is there. The flags of that one lie behind a pointer,
 * where no filter sees them; so who forbids a service to make namespaces (systemd's RestrictNamespaces=) has it answer
 * ENOSYS, and the older one, which shows its flags, has to do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan.h"

static void take_back(pid_t pid, int *pidfd) {
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    (void)close(*pidfd);
    *pidfd = -1;
}

/* It cannot begin in a group: it does nothing before it was put there, so that whatever it makes belongs there. The
 * launcher handles no signal that it could inherit. */
static pid_t clone_the_older_way(uint64_t flags, int group, int *pidfd) {
    int gate[2];
    if (pipe2(gate, O_CLOEXEC) != 0) {
        return -errno;
    }
    const pid_t pid = (pid_t)syscall(SYS_clone, flags | CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
    int error = pid < 0 ? -errno : 0;
    if (pid == 0) {
        char byte;
        (void)close(gate[1]);
        (void)!read(gate[0], &byte, sizeof byte);
        (void)close(gate[0]);
        return 0;
    }
    if (pid > 0 && group >= 0) {
        error = join_group(group, pid);
        if (error != 0) {
            take_back(pid, pidfd);
        }
    }
    (void)close(gate[0]);
    (void)close(gate[1]);
    return error == 0 ? pid : error;
}

pid_t clone_process(uint64_t flags, int group, int *pidfd) {
    struct clone_args arguments = {
        .flags = flags | CLONE_PIDFD | CLONE_CLEAR_SIGHAND | (group >= 0 ? CLONE_INTO_CGROUP : 0),
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
        .cgroup = group >= 0 ? (uint64_t)group : 0,
    };
    const pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid >= 0) {
        return pid;
    }
    return errno == ENOSYS ? clone_the_older_way(flags, group, pidfd) : -errno;
}
