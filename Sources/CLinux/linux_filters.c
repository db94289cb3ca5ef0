/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_filters.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_CALLS 64
#define PART_BYTES 128

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "which system calls do these numbers mean?"
#endif

int linux_load_filter(const void *code, size_t byte_count) {
    if (byte_count == 0 || byte_count % sizeof(struct sock_filter) != 0 ||
        byte_count / sizeof(struct sock_filter) > BPF_MAXINSNS) {
        return -EINVAL;
    }
    const struct sock_fprog program = {
        .len = (unsigned short)(byte_count / sizeof(struct sock_filter)),
        .filter = (struct sock_filter *)(uintptr_t)code, /* the kernel only reads it */
    };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return -errno;
    }
    /* A positive answer is the thread that could not follow. */
    const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result < 0 ? -errno : result > 0 ? -EAGAIN : 0;
}

bool linux_filter_traps(const void *code, size_t byte_count) {
    for (size_t offset = 0; offset + sizeof(struct sock_filter) <= byte_count; offset += sizeof(struct sock_filter)) {
        struct sock_filter instruction;
        memcpy(&instruction, (const char *)code + offset, sizeof instruction);
        if (instruction.code == (BPF_RET | BPF_K) && instruction.k == SECCOMP_RET_TRAP) {
            return true;
        }
    }
    return false;
}

int linux_load_allow_list(const int *calls, size_t count) {
    if (count > MOST_CALLS) {
        return -E2BIG;
    }
    struct sock_filter code[MOST_CALLS + 11];
    size_t length = 0;
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, arch));
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr));
    for (size_t index = 0; index < count; index++) {
        /* To the last instruction, over those of the other calls and the six behind them. */
        const uint8_t rest = (uint8_t)(count - index + 5);
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[index], rest, 0);
    }
    /* A wake is answered here, as one that found nobody. The low half of the second argument comes first in memory. */
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 3);
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[1]));
    code[length++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (uint32_t)~FUTEX_PRIVATE_FLAG);
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAKE, 1, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return linux_load_filter(code, length * sizeof code[0]);
}

bool linux_is_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
}

static struct {
    int descriptor;
    char before[PART_BYTES];
    size_t before_count;
    char after[PART_BYTES];
    size_t after_count;
} report;

/* The digits of a number, at the end of a buffer. */
static const char *digits(int number, char *end) {
    *--end = '\0';
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

/* In a signal handler: nothing but system calls. The call is made once more, without a handler, and kills. */
static void tell_trapped_call(int signal_number, siginfo_t *information, void *context) {
    (void)context;
    char number[12];
    const int call = information->si_syscall;
    const char *const known = linux_call_name(call);
    const char *const name = known != NULL ? known : digits(call, number + sizeof number);
    struct iovec parts[] = {{report.before, report.before_count},
                            {(void *)(uintptr_t)name, strlen(name)},
                            {report.after, report.after_count}};
    (void)!writev(report.descriptor, parts, sizeof parts / sizeof parts[0]);
    struct sigaction ordinary = {.sa_handler = SIG_DFL};
    (void)sigaction(signal_number, &ordinary, NULL);
    (void)syscall(call, 0L, 0L, 0L, 0L, 0L, 0L);
    _exit(128 + signal_number);
}

int linux_report_trapped_calls(int descriptor, struct linux_bytes before, struct linux_bytes after) {
    if (before.count > sizeof report.before || after.count > sizeof report.after) {
        return -E2BIG;
    }
    report.descriptor = descriptor;
    memcpy(report.before, before.bytes, before.count);
    memcpy(report.after, after.bytes, after.count);
    report.before_count = before.count;
    report.after_count = after.count;
    struct sigaction action = {.sa_sigaction = tell_trapped_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) != 0 ? -errno : 0;
}
