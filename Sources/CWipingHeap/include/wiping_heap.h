/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that links this target overwrites every block of its heap when it is given back, whoever gives it back:
 * free and realloc of the C library are replaced for the program and all its libraries. A process that works on
 * plaintext in growing arrays and strings thus keeps none of it beyond its use.
 *
 * mallopt(M_PERTURB) is not enough: glibc keeps small blocks in a cache of the thread and does not perturb those.
 * Sanitizers have a heap of their own, which stays as it is.
 */
#pragma once

#include <stdbool.h>

/* Whether free of every library is the one that wipes, or a sanitizer's. */
bool wiping_heap_is_in_place(void);
