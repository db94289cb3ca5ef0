/* SPDX-License-Identifier: Apache-2.0
 *
 * From clone to exec, in the order of SECURITY.md, "Steps of a start". The order is the point: read it top to bottom.
 * Between clone and exec there are system calls only: no allocation, no locks, no formatting.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plan.h"

void fail(const struct plan *plan, enum step step, int error) {
    const struct gate_report report = {.step = (uint32_t)step, .error = error};
    (void)send(plan->gate, &report, sizeof report, MSG_NOSIGNAL);
    _exit(127);
}

/* The launcher first writes the id maps and notes the process. End-of-file: it is gone, and so are we. */
static void wait_for_go(const struct plan *plan) {
    char go;
    ssize_t received;
    do {
        received = recv(plan->gate, &go, sizeof go, 0);
    } while (received < 0 && errno == EINTR);
    if (received != 1) {
        _exit(127);
    }
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
    write_own_id_maps(plan); /* as a plain user; as root the launcher writes them before it says go */
    wait_for_go(plan);

    make_mounts_private(plan);
    hide_keys(plan);
    find_storage(plan);
    clone_trees(plan);        /* before the change of user, so that a bundle below a private folder stays reachable */
    become_inside_user(plan); /* the capabilities in the namespaces survive it */
    set_host_name(plan);
    open_network(plan);
    enter_own_root(plan);
    open_program(plan); /* inside the view, so that /proc/self/exe names it there */
    set_limits(plan);   /* lowering needs no right, and from here on nobody can raise them */
    hand_over_grants(plan);
    become_own_user(plan); /* without a user namespace; gid before uid, or there is no right left to change it */
    drop_capabilities(plan);
    die_with_launcher(plan); /* a change of credentials cleared it */
    check_launcher_lives(plan);
    refuse_new_privileges(plan);
    restrict_files(plan); /* after the mounts, because it forbids them; its rules are taken on the new root */
    refuse_new_code(plan);
    leave_session(plan);
    place_descriptors(plan);
    limit_descriptors(plan);
    load_filter(plan); /* last, because it forbids most of the above */
    execute(plan);
}
