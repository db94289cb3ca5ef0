/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

#define PROBE_PATIENCE_MILLISECONDS 10000
/* Landlock can keep signals inside a domain from here on. */
#define LANDLOCK_WITH_SIGNAL_SCOPE 6

#define WITHOUT_USER                                                                                                   \
    (LAUNCHER_NAMESPACE_MOUNT | LAUNCHER_NAMESPACE_PID | LAUNCHER_NAMESPACE_NET | LAUNCHER_NAMESPACE_IPC |             \
     LAUNCHER_NAMESPACE_UTS | LAUNCHER_NAMESPACE_CGROUP)

/* Whether a child gets through every step, and then finds nothing it may not have. Asking whether clone succeeds would
 * not do: systems that restrict user namespaces let it succeed and refuse the mounts. */
static bool works(struct launcher *launcher, const struct confinement *confinement) {
    struct process process = {0};
    enum step step;
    if (clone_child(launcher, confinement, &process, &step) != 0) {
        return false;
    }
    struct plan plan = {.probe = true};
    plan_confinement(&plan, launcher, confinement);
    plan_identity(&plan, launcher, LAUNCHER_EXTENSION, LAUNCHER_EVERY_SLOT, 0);
    if (let_go(launcher, &process, &plan, NULL, 0, &step) != 0) {
        end_child(launcher, &process);
        return false;
    }
    struct pollfd end = {.fd = process.pidfd, .events = POLLIN};
    if (poll(&end, 1, PROBE_PATIENCE_MILLISECONDS) != 1) {
        kill_process(launcher, &process);
    }
    int status = 0;
    const bool reaped = waitpid(process.pid, &status, 0) == process.pid;
    (void)close(process.pidfd);
    (void)close(process.gate);
    return reaped && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* As real root a worker without a uid of its own would be root: such a confinement is not tried before D. */
void choose_confinement(struct launcher *launcher, char strongest) {
    const bool root = geteuid() == 0;
    const struct confinement candidates[] = {
        {.namespaces = LAUNCHER_NAMESPACE_USER | WITHOUT_USER, .profile = 'A', .own_identity = root},
        {.namespaces = WITHOUT_USER, .profile = 'B', .own_identity = true},
        {.namespaces = 0, .profile = 'C', .own_identity = true},
        {.namespaces = 0, .profile = 'C', .own_identity = false},
    };
    for (size_t index = 0; index < sizeof candidates / sizeof candidates[0]; index++) {
        const struct confinement *candidate = &candidates[index];
        const bool possible = candidate->own_identity ? root
                              : (candidate->namespaces & LAUNCHER_NAMESPACE_USER) != 0
                                  ? true
                                  : linux_landlock_version() >= LANDLOCK_WITH_SIGNAL_SCOPE;
        if (candidate->profile >= strongest && possible && works(launcher, candidate)) {
            launcher->confinement = *candidate;
            return;
        }
    }
    launcher->confinement = (struct confinement){.namespaces = 0, .profile = 'D', .own_identity = false};
}
