/* SPDX-License-Identifier: Apache-2.0
 *
 * System-call filters. Stage 1 is an allow-list that each child loads as its last step; it is in force from its
 * program's first instruction to its last. Stage 2 is smaller, kills, and is loaded by a program that knows what it
 * needs: its bytes go to the host. All are compiled before there is anything to confine.
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

/* What a process has beyond the least. */
enum filter_grant {
    FILTER_PLAIN = 0,
    FILTER_OWN_FILES = 1, /* it keeps files that it was given: the opener with its replay files */
    FILTER_SCRATCH = 2,   /* a folder to make files in */
    FILTER_NETWORK = 3,   /* that, and connections; where they lead is not this layer's to say */
    FILTER_GRANTS = 4
};

struct filter_set {
    struct filter first[2][FILTER_GRANTS]; /* by own_pids of stage1 */
    struct filter second[3][2];            /* by scratch and network, and by trap */
};

/* The addresses of the one execveat that passes; in a page that nobody else knows. */
struct filter_execution {
    uintptr_t path;
    uintptr_t arguments;
    uintptr_t environment;
};

/* 0, or -errno with *what set to a few words. */
int compile_filters(struct filter_set *set, const struct filter_execution *execution, const char **what);

/* own_pids: the process is number 1 of its namespace, and may signal its own threads under that number only. */
const struct filter *stage1(const struct filter_set *set, bool own_pids, enum filter_grant grant);
/* trap: a refused call is reported to the process as SIGSYS, which it may handle, and does not kill it. */
const struct filter *stage2(const struct filter_set *set, bool scratch, bool network, bool trap);
