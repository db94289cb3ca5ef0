/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "filter_code.h"

/* A name that this libseccomp or this architecture does not know is a call that nobody can be granted or refused by
 * name: the default answers it. */
static int add_calls(scmp_filter_ctx context, const struct filter_calls *calls) {
    for (const char *const *name = calls->names; *name != NULL; name++) {
        const int number = seccomp_syscall_resolve_name(*name);
        const int error = number < 0 ? 0 : seccomp_rule_add(context, calls->action, number, 0);
        if (error != 0) {
            return error;
        }
    }
    return 0;
}

static int add_lists(scmp_filter_ctx context, const struct filter_description *description) {
    /* int 0x80 and x32 reach calls under numbers that mean something else here. */
    int error = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (error == 0) {
        error = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a binary tree */
    }
    for (size_t index = 0; index < MOST_LISTS && description->lists[index].names != NULL && error == 0; index++) {
        error = add_calls(context, &description->lists[index]);
    }
    return error;
}

/* Behind what is there already: jumps are relative. */
static int append(struct filter *filter, scmp_filter_ctx context) {
    const int memory = memfd_create("filter", MFD_CLOEXEC);
    if (memory < 0) {
        return -errno;
    }
    int error = seccomp_export_bpf(context, memory);
    const size_t room = sizeof filter->code - sizeof filter->code[0] * filter->length;
    const ssize_t length = error == 0 ? pread(memory, &filter->code[filter->length], room, 0) : -1;
    if (error == 0 && length < 0) {
        error = -errno;
    } else if (error == 0 && (length == 0 || (size_t)length == room)) {
        error = -E2BIG;
    } else if (error == 0) {
        filter->length = (uint16_t)(filter->length + (size_t)length / sizeof filter->code[0]);
    }
    (void)close(memory);
    return error;
}

static int compile(struct filter *filter, const struct filter_description *description, const char **what) {
    filter->length = 0;
    *what = "rules by argument";
    if (!emit_rules(filter, description)) {
        return -E2BIG;
    }
    *what = "rules by name";
    scmp_filter_ctx context = seccomp_init(description->otherwise);
    if (context == NULL) {
        return -ENOMEM;
    }
    int error = add_lists(context, description);
    if (error == 0) {
        error = append(filter, context);
    }
    seccomp_release(context);
    return error;
}

static size_t grants_index(bool scratch, bool network) { return network ? 2 : scratch ? 1 : 0; }

int compile_filters(struct filter_set *set, const struct filter_execution *execution, const char **what) {
    int error = 0;
    for (int variant = 0; variant < 2 * FILTER_GRANTS && error == 0; variant++) {
        const bool own_pids = variant >= FILTER_GRANTS;
        const enum filter_grant grant = (enum filter_grant)(variant % FILTER_GRANTS);
        struct filter_description description = {0};
        describe_stage1(&description, own_pids, grant, execution);
        error = compile(&set->first[own_pids][grant], &description, what);
    }
    for (int variant = 0; variant < 6 && error == 0; variant++) {
        const bool trap = variant % 2 != 0;
        const bool scratch = variant >= 2;
        const bool network = variant >= 4;
        struct filter_description description = {0};
        describe_stage2(&description, scratch, network, trap);
        error = compile(&set->second[grants_index(scratch, network)][trap], &description, what);
    }
    return error;
}

const struct filter *stage1(const struct filter_set *set, bool own_pids, enum filter_grant grant) {
    return &set->first[own_pids][grant];
}

const struct filter *stage2(const struct filter_set *set, bool scratch, bool network, bool trap) {
    return &set->second[grants_index(scratch, network)][trap];
}
