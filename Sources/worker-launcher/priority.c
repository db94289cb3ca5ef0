/* SPDX-License-Identifier: Apache-2.0
 *
 * Who gets the processor first: the opener, for which every notification waits, then workers that have completed
 * something, then those of which nobody knows yet what they will do.
 */
#include "launcher.h"
#include "linux_calls.h"

/* Before the first exec: of the threads of a process that leads its session there is one. */
void set_first_priority(const struct launcher *launcher, const struct process *process) {
    if (launcher->raises_priority) {
        (void)linux_set_session_nice(process->pid, process->is_opener ? LAUNCHER_HOST_NICE : LAUNCHER_STARTING_NICE);
    }
}

/* One that has ended meanwhile is no error; one that starts need not have a session of its own yet. */
void change_priority(struct launcher *launcher, const struct order *order) {
    const struct launcher_priority *const packet = &order->packet.priority;
    const struct process *process = find_process(launcher, packet->serial);
    const bool falls = packet->nice > 0;
    if (process != NULL && process->state == PROCESS_RUNNING && (falls || launcher->raises_priority)) {
        (void)linux_set_session_nice(process->pid, (int)packet->nice);
    }
}
