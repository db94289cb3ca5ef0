/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads the opener's kind of filter and does one thing under it: exit status 0, or death by the filter. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux_filters.h"

static uint32_t word;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void first_time(void) { word = 1; }

static int attempt(const char *name) {
    if (strcmp(name, "once") == 0) {
        return pthread_once(&once, first_time) == 0 && word == 1 ? 0 : 1;
    }
    if (strcmp(name, "wake") == 0) {
        return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0) == 0 ? 0 : 1;
    }
    if (strcmp(name, "wake of all processes") == 0) {
        return syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0 ? 0 : 1;
    }
    if (strcmp(name, "wait") == 0) {
        return (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    }
    if (strcmp(name, "requeue") == 0) {
        return (int)syscall(SYS_futex, &word, FUTEX_REQUEUE_PRIVATE, 1, NULL, NULL, 0);
    }
    if (strcmp(name, "memory") == 0) {
        return sbrk(1 << 20) == NULL;
    }
    return strcmp(name, "nothing") == 0 ? 0 : 2;
}

int main(int count, char **arguments) {
    const int calls[] = {SYS_write, SYS_exit_group};
    if (count != 2 || linux_load_allow_list(calls, sizeof calls / sizeof calls[0]) != 0) {
        return 3;
    }
    return attempt(arguments[1]);
}
