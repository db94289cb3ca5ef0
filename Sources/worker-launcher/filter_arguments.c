/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage 1 by argument. Written out here and not by libseccomp, which cannot say "and otherwise" for a call: each rule
 * is a list of cases, the first that fits answers, and a call that fits none gets the rule's own answer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "filter.h"
#include "plan.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the halves of an argument are read as on a little-endian machine"
#endif

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

struct rule {
    const char *name;
    uint32_t otherwise;
    struct argument_case cases[MOST_CASES]; /* up to the first without a check */
};

#define THREAD_FLAGS (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)
#define NAMESPACE_FLAGS                                                                                                \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define SHARED_ANONYMOUS (MAP_SHARED | MAP_ANONYMOUS)
#define ALLOW SECCOMP_RET_ALLOW
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* A thread, and nothing more: a child would outlive what the host can count. clone3 hides its flags behind a pointer;
 * it answers ENOSYS, and libraries come back to this one. */
static const struct rule clone_rule = {
    "clone", ERROR(EPERM), {{ALLOW, {{0, THREAD_FLAGS | NAMESPACE_FLAGS, THREAD_FLAGS}}}}};

/* RLIMIT_DATA does not count memory that could be shared, and there is nobody to share it with. */
static const struct rule mmap_rule = {"mmap", ALLOW, {{ERROR(ENOMEM), {{3, SHARED_ANONYMOUS, SHARED_ANONYMOUS}}}}};

static const struct rule prlimit_rule = {"prlimit64", ERROR(EPERM), {{ALLOW, {{0, LOW, 0}, {2, WHOLE, 0}}}}};

static const struct rule ioctl_rule = {"ioctl",
                                       ERROR(ENOTTY),
                                       {{ALLOW, {{1, LOW, FIONREAD}}},
                                        {ALLOW, {{1, LOW, FIONBIO}}},
                                        {ALLOW, {{1, LOW, FIOCLEX}}},
                                        {ALLOW, {{1, LOW, TIOCOUTQ}}}}};

static const struct rule prctl_rule = {"prctl",
                                       ERROR(EPERM),
                                       {{ALLOW, {{0, LOW, PR_SET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_GET_NAME}}},
                                        {ALLOW, {{0, LOW, PR_SET_VMA}}},
                                        {ALLOW, {{0, LOW, PR_SET_TIMERSLACK}}},
                                        {ALLOW, {{0, LOW, PR_GET_TIMERSLACK}}},
                                        {ALLOW, {{0, LOW, PR_GET_DUMPABLE}}},
                                        {ALLOW, {{0, LOW, PR_SET_DUMPABLE}, {1, WHOLE, 0}}},
                                        {ALLOW, {{0, LOW, PR_SET_NO_NEW_PRIVS}}},
                                        {ALLOW, {{0, LOW, PR_GET_NO_NEW_PRIVS}}},
                                        {ALLOW, {{0, LOW, PR_GET_SECCOMP}}},
                                        {ALLOW, {{0, LOW, PR_CAPBSET_READ}}}}};

static const struct rule tgkill_rule = {"tgkill", ERROR(EPERM), {{ALLOW, {{0, LOW, 1}}}}};
/* Without a pid namespace its own number is not known yet: Landlock's scope, or its own uid, keeps signals inside. */
static const struct rule free_tgkill_rule = {.name = "tgkill", .otherwise = ALLOW};

static void emit(struct filter *filter, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value) {
    if (filter->length < FILTER_MOST_INSTRUCTIONS) {
        filter->code[filter->length] = (struct sock_filter){code, if_true, if_false, value};
    }
    filter->length++;
}

static void emit_answer(struct filter *filter, uint32_t action) { emit(filter, BPF_RET | BPF_K, 0, 0, action); }

/* A comparison whose failure leads behind this case; where that is becomes known at its end. */
static void emit_half(struct filter *filter, uint32_t offset, uint32_t mask, uint32_t value) {
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
    if (mask != UINT32_MAX) {
        emit(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    }
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, UINT8_MAX, value);
}

static void emit_check(struct filter *filter, const struct check *check) {
    const uint32_t offset =
        (uint32_t)offsetof(struct seccomp_data, args) + check->argument * (uint32_t)sizeof(uint64_t);
    emit_half(filter, offset, (uint32_t)check->mask, (uint32_t)check->value);
    if (check->mask >> 32 != 0) {
        emit_half(filter, offset + (uint32_t)sizeof(uint32_t), (uint32_t)(check->mask >> 32),
                  (uint32_t)(check->value >> 32));
    }
}

static bool emit_case(struct filter *filter, const struct argument_case *each) {
    const uint16_t start = filter->length;
    for (size_t index = 0; index < MOST_CHECKS && each->checks[index].mask != 0; index++) {
        emit_check(filter, &each->checks[index]);
    }
    emit_answer(filter, each->action);
    if (filter->length > FILTER_MOST_INSTRUCTIONS) {
        return false;
    }
    for (uint16_t at = start; at < filter->length; at++) {
        struct sock_filter *const code = &filter->code[at];
        if (code->code == (BPF_JMP | BPF_JEQ | BPF_K)) {
            code->jf = (uint8_t)(filter->length - at - 1);
        }
    }
    return true;
}

/* The call's number is in the accumulator, and stays there for the next rule when it is another call's. */
static bool emit_rule(struct filter *filter, const struct rule *rule) {
    const int number = seccomp_syscall_resolve_name(rule->name);
    if (number < 0) {
        return false;
    }
    const uint16_t start = filter->length;
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, (uint32_t)number);
    for (size_t index = 0; index < MOST_CASES && rule->cases[index].checks[0].mask != 0; index++) {
        if (!emit_case(filter, &rule->cases[index])) {
            return false;
        }
    }
    emit_answer(filter, rule->otherwise);
    const int length = filter->length - start - 1;
    if (filter->length > FILTER_MOST_INSTRUCTIONS || length > UINT8_MAX) {
        return false;
    }
    filter->code[start].jf = (uint8_t)length;
    return true;
}

bool emit_argument_rules(struct filter *filter, const struct filter_options *options) {
    const struct rule execute = {"execveat",
                                 SECCOMP_RET_KILL_PROCESS,
                                 {{ALLOW,
                                   {{0, LOW, EXECUTABLE_DESCRIPTOR},
                                    {1, WHOLE, options->path},
                                    {2, WHOLE, options->arguments},
                                    {3, WHOLE, options->environment},
                                    {4, LOW, AT_EMPTY_PATH}}}}};
    const struct rule *const rules[] = {&mmap_rule,  &ioctl_rule, options->own_pids ? &tgkill_rule : &free_tgkill_rule,
                                        &clone_rule, &prctl_rule, &prlimit_rule,
                                        &execute};
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, seccomp_arch_native());
    const uint16_t jump = filter->length;
    emit(filter, BPF_JMP | BPF_JA, 0, 0, 0); /* another architecture: what is behind kills it */
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
    for (size_t index = 0; index < sizeof rules / sizeof rules[0]; index++) {
        if (!emit_rule(filter, rules[index])) {
            return false;
        }
    }
    filter->code[jump].k = (uint32_t)(filter->length - jump - 1);
    return true;
}
