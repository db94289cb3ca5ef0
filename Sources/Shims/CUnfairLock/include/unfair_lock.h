/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock of four bytes that knows its owner: 0 when open, else the owner's thread number, with the top bit set while
 * others may be waiting. A thread that breaks its rules (takes it twice, gives back what it does not hold) is ended
 * with abort(). Swift has no atomic operations on memory that it does not own.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock, waiting for it. */
void unfair_lock_take(uint32_t *lock);
/* Takes the lock if nobody has it. */
bool unfair_lock_try(uint32_t *lock);
/* Gives the lock back. */
void unfair_lock_give(uint32_t *lock);
/* Whether this thread has the lock. */
bool unfair_lock_is_mine(const uint32_t *lock);
