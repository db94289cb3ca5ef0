/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters as tables: what is common to both stages.
 */
#pragma once

#include <linux/seccomp.h>

#include "filter.h"

#define ALLOW SECCOMP_RET_ALLOW
#define ERROR(number) (SECCOMP_RET_ERRNO | (number))
/* Of an int or of flags, as the kernel reads them; the upper half of the register means nothing to it. */
#define LOW UINT64_C(0xFFFFFFFF)
#define WHOLE UINT64_MAX
#define MOST_CHECKS 5
#define MOST_CASES 16

/* A check whose mask is zero is none. */
struct check {
    uint8_t argument;
    uint64_t mask;
    uint64_t value;
};

struct argument_case {
    uint32_t action;
    struct check checks[MOST_CHECKS];
};

/* A call that is judged by its arguments: the first case that fits answers, else `otherwise`. */
struct rule {
    const char *name;
    uint32_t otherwise;
    struct argument_case cases[MOST_CASES]; /* up to the first without a check */
};

/* Calls that are judged by their names. */
struct filter_calls {
    uint32_t action;
    const char *const *names; /* NULL-terminated */
};

#define MOST_RULES 24
#define MOST_LISTS 24

/* A whole filter. No call is in two of its lists; one that has a rule may be in a list, which then says nothing. */
struct filter_description {
    uint32_t otherwise;
    const struct rule *rules[MOST_RULES];  /* up to the first NULL */
    struct filter_calls lists[MOST_LISTS]; /* up to the first without names */
    struct rule own;                       /* one that is not known before the program runs */
};

/* filter_emit.c: the code of the rules. It ends in an answer; any other call falls through to what is appended behind.
 * False when a call is unknown to this build or there is no room. */
bool emit_rules(struct filter *filter, const struct filter_description *description);

/* filter_rules.c: how a description grows, and rules that hold in both stages. */
void add_rule(struct filter_description *description, const struct rule *rule);
void add_list(struct filter_description *description, uint32_t action, const char *const *names);
extern const struct rule clone_rule;
extern const struct rule prlimit_rule;
extern const struct rule socket_rule;
extern const struct rule socketpair_rule;
extern const struct rule setsockopt_rule;

/* filter_stage1.c, filter_stage2.c */
void describe_stage1(struct filter_description *description, bool own_pids, enum filter_grant grant,
                     const struct filter_execution *execution);
void describe_stage2(struct filter_description *description, bool scratch, bool network, bool trap);
