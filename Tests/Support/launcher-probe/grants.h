/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False when the command is none of these. */
bool use_grants(const char *command, char *answer, size_t capacity);
