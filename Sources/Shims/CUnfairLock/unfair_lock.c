/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "unfair_lock.h"

#include <linux/futex.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WAITED_FOR (UINT32_C(1) << 31)

static uint32_t own_number(void) {
    static __thread uint32_t number;
    if (number == 0) {
        number = (uint32_t)syscall(SYS_gettid);
    }
    return number;
}

bool unfair_lock_is_mine(const uint32_t *lock) {
    return (__atomic_load_n(lock, __ATOMIC_RELAXED) & ~WAITED_FOR) == own_number();
}

bool unfair_lock_try(uint32_t *lock) {
    uint32_t open = 0;
    return __atomic_compare_exchange_n(lock, &open, own_number(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void unfair_lock_take(uint32_t *lock) {
    if (unfair_lock_try(lock)) {
        return;
    }
    if (unfair_lock_is_mine(lock)) {
        abort();
    }
    for (;;) {
        uint32_t seen = __atomic_load_n(lock, __ATOMIC_RELAXED);
        if (seen == 0) {
            /* Who waited once cannot know whether others still do. */
            if (__atomic_compare_exchange_n(lock, &seen, own_number() | WAITED_FOR, false, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED)) {
                return;
            }
            continue;
        }
        if ((seen & WAITED_FOR) == 0 &&
            !__atomic_compare_exchange_n(lock, &seen, seen | WAITED_FOR, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            continue;
        }
        (void)syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, seen | WAITED_FOR, NULL, NULL, 0);
    }
}

void unfair_lock_give(uint32_t *lock) {
    if (!unfair_lock_is_mine(lock)) {
        abort();
    }
    if ((__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) & WAITED_FOR) != 0) {
        (void)syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}
