/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/resource.h>

#include "plan.h"

#define KIB ((rlim_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* Both limits, never above what the launcher itself may have. */
static void limit(const struct plan *plan, __rlimit_resource_t resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit(resource, &current) != 0) {
        fail(plan, STEP_RESOURCE_LIMITS, errno);
    }
    const rlim_t lower = value < current.rlim_max ? value : current.rlim_max;
    const struct rlimit wanted = {.rlim_cur = lower, .rlim_max = lower};
    if (setrlimit(resource, &wanted) != 0) {
        fail(plan, STEP_RESOURCE_LIMITS, errno);
    }
}

/* Once nothing is opened any more that does not go into one of the places below. */
void limit_descriptors(const struct plan *plan) { limit(plan, RLIMIT_NOFILE, FIRST_FREE_DESCRIPTOR); }

void set_limits(const struct plan *plan) {
    const bool opener = plan->kind == LAUNCHER_OPENER;
    limit(plan, RLIMIT_CORE, 0);
    /* Pipes and sockets do not count. */
    limit(plan, RLIMIT_FSIZE, plan->has_replay_files ? OPENER_FILE_BYTES : (rlim_t)plan->scratch_bytes);
    /* Also the size of every thread's stack: with the usual 8 MiB the third one would not fit RLIMIT_DATA. */
    limit(plan, RLIMIT_STACK, 512 * KIB);
    limit(plan, RLIMIT_AS, 4 * GIB);
    if (plan->memory_limit_bytes != 0) {
        limit(plan, RLIMIT_DATA, (rlim_t)plan->memory_limit_bytes + 24 * MIB);
    }
    limit(plan, RLIMIT_MEMLOCK, opener ? 8 * MIB : 1 * MIB); /* the opener locks the pages of its keys */
    limit(plan, RLIMIT_MSGQUEUE, 0);
    limit(plan, RLIMIT_SIGPENDING, 64);
    /* Counted per user, who must not be the host's own. A user namespace counts for itself; without one all processes
       of an app are counted together. */
    if ((plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) != 0) {
        limit(plan, RLIMIT_NPROC, 64);
    } else if (plan->confinement.own_identity) {
        limit(plan, RLIMIT_NPROC, 4096);
    }
    if (plan->cpu_limit_seconds != 0) {
        limit(plan, RLIMIT_CPU, (rlim_t)plan->cpu_limit_seconds);
    }
}
