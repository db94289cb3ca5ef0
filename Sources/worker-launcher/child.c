/* SPDX-License-Identifier: Apache-2.0
 *
 * From clone to exec, in the order of docs/sandbox.md, "Steps of a start". Read it top to bottom: the order matters.
 * Between clone and exec there are system calls only: no allocation, no locks, no formatting.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "linux_calls.h"
#include "plan.h"

static void take_descriptors(struct plan *plan, const int *descriptors, int count) {
    if (plan->probe) {
        return;
    }
    plan->socket = descriptors[0];
    plan->output = descriptors[1];
    plan->bundle = descriptors[2];
    int next = 3;
    if (plan->storage_path[0] != '\0') {
        plan->storage = descriptors[next++];
    }
    for (int index = 0; index < REPLAY_FILES && next < count; index++) {
        plan->replay_files[index] = descriptors[next++];
    }
}

/* Only the process itself can be sure to see it: a /proc may hide what the launcher may not trace, as with systemd's
 * ProtectProc=, and for a time after exec that is every program. */
static int open_status(const struct plan *plan) {
    const int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (status < 0) {
        fail(plan, STEP_STATUS_FILE, errno);
    }
    return status;
}

/* Before it sends the plan the launcher writes the id maps. End-of-file: it is gone, and so are we. */
static void wait_for_plan(struct plan *plan) {
    const int gate = plan->gate;
    const int status = open_status(plan);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC); /* flags of an open file are common to all who have it */
    if (null < 0) {
        fail(plan, STEP_DESCRIPTORS, errno);
    }
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int count = 0;
    (void)prctl(PR_SET_NAME, SPARE_NAME, 0, 0, 0);
    if (linux_receive_packet(gate, plan, sizeof *plan, descriptors, &count) != (ssize_t)sizeof *plan) {
        _exit(127);
    }
    plan->gate = gate;
    plan->null = null;
    plan->status = status;
    take_descriptors(plan, descriptors, count);
}

/* Whoever died between a change of credentials and the second PDEATHSIG has closed the gate. */
static void check_launcher_lives(const struct plan *plan) {
    struct pollfd gate = {.fd = plan->gate};
    if (poll(&gate, 1, 0) != 0) {
        _exit(127);
    }
}

void run_child(struct plan *plan) {
    die_with_launcher(plan); /* covers everything after it */
    die_before_the_host_does();
    write_own_id_maps(plan); /* as a plain user; as root the launcher writes them, by the app */
    make_mounts_private(plan);
    set_host_name(plan);
    enter_own_group_root(plan);
    empty_bounding_set(plan);
    leave_session(plan);
    wait_for_plan(plan); /* all above is the same for every process, and is done before there is an order */

    hide_keys(plan);
    find_storage(plan);
    clone_trees(plan);        /* before the change of user, so that a bundle below a private folder stays reachable */
    become_inside_user(plan); /* the capabilities in the namespaces survive it */
    open_network(plan);
    enter_own_root(plan);
    open_program(plan); /* inside the view, so that /proc/self/exe names it there */
    set_limits(plan);   /* lowering needs no right, and from here on nobody can raise them */
    hand_over(plan);
    become_own_user(plan); /* without a user namespace; gid before uid, or there is no right left to change it */
    drop_capabilities(plan);
    die_with_launcher(plan); /* a change of credentials cleared it */
    check_launcher_lives(plan);
    refuse_new_privileges(plan);
    restrict_files(plan); /* after the mounts, because it forbids them; its rules are taken on the new root */
    refuse_new_code(plan);
    reset_signals(plan);
    place_descriptors(plan);
    limit_descriptors(plan);
    load_filter(plan); /* last, because it forbids most of the above */
    execute(plan);
}
