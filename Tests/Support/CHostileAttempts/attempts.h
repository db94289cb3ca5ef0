/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* One thing to try; `value` is what the test says beside its name, a path or a number. */
struct attempt {
    const char *name;
    void (*make)(const char *value);
};

/* Each ends with a NULL name. */
extern const struct attempt file_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt memory_attempts[];
extern const struct attempt kernel_attempts[];
extern const struct attempt grant_attempts[];
extern const struct attempt early_attempts[];
extern const struct attempt host_attempts[];
extern const struct attempt end_attempts[];

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name of errno for a negative result, "done" otherwise; both once. */
void say_result(long result);
void say_words(const char *words);
