/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of rules by argument. Written out here and not by libseccomp, which cannot say "and otherwise" for a call.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <seccomp.h>

#include "filter_code.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the halves of an argument are read as on a little-endian machine"
#endif

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
        return number != __NR_SCMP_ERROR; /* not of this architecture */
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

bool emit_rules(struct filter *filter, const struct filter_description *description) {
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, seccomp_arch_native());
    const uint16_t jump = filter->length;
    emit(filter, BPF_JMP | BPF_JA, 0, 0, 0); /* another architecture: what is behind kills it */
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
    for (size_t index = 0; index < MOST_RULES && description->rules[index] != NULL; index++) {
        if (!emit_rule(filter, description->rules[index])) {
            return false;
        }
    }
    filter->code[jump].k = (uint32_t)(filter->length - jump - 1);
    return true;
}
