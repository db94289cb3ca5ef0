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

/* A file sealed as FORMAT.md, "Attachments", says but for the padding, and opened: the plain loop over libsodium's
 * secretstream with the digest. `key` has 32 bytes and `digest` gets 32; `target` is a new file. 0 when done, or -1. */
#define REFERENCE_DIGEST 32
int reference_attachment_seal(const char *source, const char *target, const unsigned char *key, unsigned char *digest);
int reference_attachment_open(const char *source, const char *target, const unsigned char *key, unsigned char *digest);

/* CPU time of this process, in microseconds. */
double reference_cpu_time(void);
