/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

/* Linux 6.3; the headers of the build machine may be older. */
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1UL
#endif

void die_with_launcher(const struct plan *plan) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
        fail(plan, STEP_PARENT_DEATH_SIGNAL, errno);
    }
}

/* Under memory pressure of the whole machine workers go first. Best effort: a read-only /proc, or a host that is
 * itself above 900, costs the preference and not the start. */
void die_before_the_host_does(void) {
    const bool dumpable = geteuid() != 0 && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "900", 3);
        (void)close(file);
    }
    if (dumpable) {
        (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
}

/* What exec could give back. EPERM: a plain user without a namespace has nothing to drop and, with no_new_privs,
 * nothing to gain. */
void empty_bounding_set(const struct plan *plan) {
    for (unsigned long capability = 0; capability < 64; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) {
            continue;
        }
        if (errno == EINVAL || errno == EPERM) {
            break;
        }
        fail(plan, STEP_CAPABILITIES, errno);
    }
}

/* Root without a user namespace: profiles B and C. */
void become_own_user(const struct plan *plan) {
    if (!plan->confinement.own_identity || (plan->confinement.namespaces & LAUNCHER_NAMESPACE_USER) != 0) {
        return;
    }
    const uint32_t id = plan->outside_uid;
    if (syscall(SYS_setgroups, (size_t)0, NULL) != 0 || syscall(SYS_setresgid, id, id, id) != 0) {
        fail(plan, STEP_USER_AND_GROUP, errno);
    }
    if (syscall(SYS_setresuid, id, id, id) != 0) {
        fail(plan, STEP_USER_AND_GROUP, errno);
    }
}

void drop_capabilities(const struct plan *plan) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) {
        fail(plan, STEP_CAPABILITIES, errno);
    }
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capset, &header, none) != 0) {
        fail(plan, STEP_CAPABILITIES, errno);
    }
}

void refuse_new_privileges(const struct plan *plan) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        fail(plan, STEP_NO_NEW_PRIVILEGES, errno);
    }
}

/* Memory that was writable never becomes executable; inherited through exec. The loader and an interpreter without a
 * JIT work under it, so scripts get it too. Older kernels answer EINVAL and go without. */
void refuse_new_code(const struct plan *plan) {
    if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0 && errno != EINVAL) {
        fail(plan, STEP_NO_NEW_CODE, errno);
    }
}
