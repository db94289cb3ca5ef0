/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

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

static int describe(scmp_filter_ctx context, const struct filter_options *options) {
    /* int 0x80 and x32 reach calls under numbers that mean something else here. */
    int error = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (error == 0) {
        error = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a binary tree */
    }
    for (size_t index = 0; index < filter_calls_count && error == 0; index++) {
        error = add_calls(context, &filter_calls[index]);
    }
    if (error == 0 && options->own_files) {
        error = add_calls(context, &filter_calls_with_own_files);
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

int compile_filter(struct filter *filter, const struct filter_options *options, const char **what) {
    filter->length = 0;
    *what = "rules by argument";
    if (!emit_argument_rules(filter, options)) {
        return -E2BIG;
    }
    *what = "rules by name";
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (context == NULL) {
        return -ENOMEM;
    }
    int error = describe(context, options);
    if (error == 0) {
        error = append(filter, context);
    }
    seccomp_release(context);
    return error;
}
