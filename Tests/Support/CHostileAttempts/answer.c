/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempts.h"
#include "hostile_attempts.h"

/* Each thread has its own: a request may come while the one before it still says something. */
static _Thread_local char answer[4096];

void say(const char *format, ...) {
    const size_t length = strlen(answer);
    va_list values;
    va_start(values, format);
    (void)vsnprintf(answer + length, sizeof answer - length, format, values);
    va_end(values);
}

/* Several attempts of one kind, one answer: the same words are said once. */
static void say_once(const char *words) {
    const size_t length = strlen(words);
    for (const char *found = strstr(answer, words); found != NULL; found = strstr(found + 1, words)) {
        const bool starts = found == answer || found[-1] == ' ';
        if (starts && (found[length] == '\0' || found[length] == ' ')) {
            return;
        }
    }
    say("%s%s", answer[0] == '\0' ? "" : " ", words);
}

void say_result(long result) { say_once(result < 0 ? strerrorname_np(errno) : "done"); }

void say_words(const char *words) { say_once(words); }

static const struct attempt *const groups[] = {file_attempts,  process_attempts, memory_attempts, kernel_attempts,
                                               grant_attempts, early_attempts,   host_attempts,   end_attempts};

static bool obey(const char *name, const char *value) {
    for (size_t group = 0; group < sizeof groups / sizeof groups[0]; group++) {
        for (const struct attempt *attempt = groups[group]; attempt->name != NULL; attempt++) {
            if (strcmp(attempt->name, name) == 0) {
                attempt->make(value);
                return true;
            }
        }
    }
    return false;
}

const char *hostile_attempt(const char *command) {
    char name[1024];
    (void)snprintf(name, sizeof name, "%s", command);
    char *const space = strchr(name, ' ');
    if (space != NULL) {
        *space = '\0';
    }
    answer[0] = '\0';
    if (!obey(name, space != NULL ? space + 1 : "")) {
        say_words("unknown");
    }
    return answer;
}
