/* SPDX-License-Identifier: Apache-2.0
 *
 * What C costs on the same libsodium: the yardstick of E2ECrypto. Each call works `rounds` times on a message of
 * `count` bytes and returns the CPU time of one round in microseconds, or a negative number when something fails.
 */
#pragma once

#include <stddef.h>

double reference_seal_open(size_t count, int rounds);
double reference_seal(size_t count, int rounds);
/* libsodium's own base64url decoder, on the text of `count` bytes. */
double reference_base64url(size_t count, int rounds);

/* CPU time of this process, in microseconds. */
double reference_cpu_time(void);
