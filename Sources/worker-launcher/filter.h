/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage 1: the system calls of a started process, an allow-list. Compiled before there is anything to confine, loaded
 * by each child as its last step, in force from its program's first instruction to its last.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILTER_MOST_INSTRUCTIONS 1024

struct filter {
    struct sock_filter code[FILTER_MOST_INSTRUCTIONS];
    uint16_t length;
};

/* What a filter has to know of the process it is for. */
struct filter_options {
    bool own_pids;  /* it is process 1 of its namespace and may signal its own threads under that number only */
    bool own_files; /* it keeps files that it was given: the opener with its replay files */
    /* The five arguments of the one execveat that passes; in a page whose address nobody else knows. */
    uintptr_t path;
    uintptr_t arguments;
    uintptr_t environment;
};

/* 0, or -errno with *what set to a few words. */
int compile_filter(struct filter *filter, const struct filter_options *options, const char **what);

/* filter_arguments.c: the calls that are judged by their arguments. Their code ends in an answer; any other call falls
 * through to what is appended behind. False when a call is unknown to this build. */
bool emit_argument_rules(struct filter *filter, const struct filter_options *options);

/* filter_calls.c: the calls that are judged by their name. */

struct filter_calls {
    uint32_t action;          /* a SECCOMP_RET_ value */
    const char *const *names; /* NULL-terminated */
};

extern const struct filter_calls filter_calls[];
extern const size_t filter_calls_count;
extern const struct filter_calls filter_calls_with_own_files;
