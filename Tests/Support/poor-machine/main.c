/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: poor-machine [--no-landlock] [--no-clone3] [--no-user-namespaces] [--one-user] [--confined] PROGRAM ARG...
 *
 * Executes a program on a machine that offers less: Landlock's calls answer ENOSYS; so does clone3; no user namespace
 * can be made; of all users root alone exists; the program is in a Landlock domain that allows everything but devices.
 * The third and fourth need root and happen in a user namespace of their own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(bool done, const char *what) {
    if (!done) {
        perror(what);
        exit(1);
    }
}

static void write_file(const char *path, const char *text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    check(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), path);
    (void)close(file);
}

/* Calls whose numbers lie between two. */
static void forbid(unsigned int first, unsigned int last) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof code[0], code};
    check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
    check(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0, "seccomp");
}

/* Only somebody outside may map more than one user. */
static void enter_namespace(const char *map) {
    int made[2];
    check(pipe2(made, O_CLOEXEC) == 0, "pipe");
    const pid_t pid = getpid();
    const pid_t helper = fork();
    check(helper >= 0, "fork");
    if (helper == 0) {
        char byte;
        char path[64];
        (void)close(made[1]);
        (void)!read(made[0], &byte, 1);
        (void)snprintf(path, sizeof path, "/proc/%d/uid_map", pid);
        write_file(path, map);
        (void)snprintf(path, sizeof path, "/proc/%d/gid_map", pid);
        write_file(path, map);
        _exit(0);
    }
    check(unshare(CLONE_NEWUSER) == 0, "unshare");
    (void)close(made[0]);
    (void)close(made[1]);
    int status = 0;
    check(waitpid(helper, &status, 0) == helper && status == 0, "id maps");
}

/* Whatever a domain allows, it forbids to mount. */
static void confine(void) {
    const struct landlock_ruleset_attr ruleset = {.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0U);
    check(rules >= 0, "landlock_create_ruleset");
    check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
    check(syscall(SYS_landlock_restrict_self, rules, 0U) == 0, "landlock_restrict_self");
}

int main(int count, char **arguments) {
    bool landlock = true;
    bool clone3 = true;
    bool confined = false;
    const char *map = NULL;
    int first = 1;
    for (; first < count && strncmp(arguments[first], "--", 2) == 0; first++) {
        landlock = landlock && strcmp(arguments[first], "--no-landlock") != 0;
        clone3 = clone3 && strcmp(arguments[first], "--no-clone3") != 0;
        confined = confined || strcmp(arguments[first], "--confined") == 0;
        if (strcmp(arguments[first], "--no-user-namespaces") == 0 && map == NULL) {
            map = "0 0 65536";
        } else if (strcmp(arguments[first], "--one-user") == 0) {
            map = "0 0 1";
        }
    }
    if (first >= count) {
        (void)fprintf(stderr, "usage: poor-machine [--no-landlock] [--no-clone3] [--no-user-namespaces] [--one-user] "
                              "[--confined] PROGRAM ...\n");
        return 2;
    }
    if (map != NULL) {
        enter_namespace(map);
        write_file("/proc/sys/user/max_user_namespaces", "0");
    }
    if (confined) {
        confine();
    }
    if (!landlock) {
        forbid(SYS_landlock_create_ruleset, SYS_landlock_restrict_self);
    }
    if (!clone3) {
        forbid(SYS_clone3, SYS_clone3);
    }
    (void)execv(arguments[first], &arguments[first]);
    perror(arguments[first]);
    return 1;
}
