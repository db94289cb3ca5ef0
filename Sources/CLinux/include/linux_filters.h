/* SPDX-License-Identifier: Apache-2.0
 *
 * System-call filters that a process puts on itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Loads a filter for every thread of the process, those that run already and those to come: byte_count / 8 classic BPF
 * instructions as the kernel takes them. 0 or -errno; -EAGAIN when a thread could not be included, and none is then.
 * Sets
 * no_new_privs, without which no filter is taken. */
int linux_load_filter(const void *code, size_t byte_count);

/* Whether a refused call of that filter is reported to the process as SIGSYS. */
bool linux_filter_traps(const void *code, size_t byte_count);

/* Loads a filter that lets exactly these system calls pass, in any number of them at most 64; any other kills.
 *
 * For a process of one thread. A wake (FUTEX_WAKE), unless the list has futex, never reaches the kernel and returns 0,
 * as when nobody waits: pthread_once(3) and std::call_once wake at the end of every first time, so that without this
 * whatever a library makes ready when it is first needed would kill. Waiting, where nobody is left to wake, still does.
 */
int linux_load_allow_list(const int *calls, size_t count);

/* Under a sanitizer a process makes system calls that no list can know. */
bool linux_is_sanitized(void);

/* One part of a report. */
struct linux_bytes {
    const void *bytes;
    size_t count; /* at most 128 */
};

/* From now on a call that a filter traps is written to the descriptor in one piece, by its name or number between these
 * two parts, which are copied; then the process dies of SIGSYS. 0 or -errno. */
int linux_report_trapped_calls(int descriptor, struct linux_bytes before, struct linux_bytes after);

/* NULL for a number that is younger than this build. */
const char *linux_call_name(int number);
