/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker that tells what it sees: one command a packet on descriptor 3, one answer a packet. Ends with 0 when the
 * socket closes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "grants.h"

#define SOCKET 3

extern char **environ;

static char answer[60000];
static size_t answer_length;

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int added = vsnprintf(answer + answer_length, sizeof answer - answer_length, format, values);
    va_end(values);
    if (added > 0) {
        answer_length += (size_t)added;
    }
}

static void say_file_lines(const char *path, const char *const *prefixes) {
    FILE *file = fopen(path, "re");
    char line[1024];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        for (const char *const *prefix = prefixes; *prefix != NULL; prefix++) {
            if (strncmp(line, *prefix, strlen(*prefix)) == 0) {
                say("%s", line);
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void say_limits(void) {
    static const struct {
        const char *name;
        __rlimit_resource_t resource;
    } table[] = {
        {"CORE", RLIMIT_CORE},       {"FSIZE", RLIMIT_FSIZE},
        {"NOFILE", RLIMIT_NOFILE},   {"STACK", RLIMIT_STACK},
        {"DATA", RLIMIT_DATA},       {"AS", RLIMIT_AS},
        {"MEMLOCK", RLIMIT_MEMLOCK}, {"MSGQUEUE", RLIMIT_MSGQUEUE},
        {"NPROC", RLIMIT_NPROC},     {"SIGPENDING", RLIMIT_SIGPENDING},
        {"CPU", RLIMIT_CPU},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct rlimit limit = {0};
        getrlimit(table[index].resource, &limit);
        say("limit.%s: %lld %lld\n", table[index].name, (long long)limit.rlim_cur, (long long)limit.rlim_max);
    }
}

static void report(const char *name) {
    char text[256] = "";
    static const char *const prefixes[] = {"Cap", "NoNewPrivs", "SigBlk", "SigIgn", "Groups", NULL};
    say("argument: %s\n", name);
    say("pid: %d\nppid: %d\nuid: %u\ngid: %u\n", getpid(), getppid(), getuid(), getgid());
    say("session: %s\n", getsid(0) == getpid() ? "own" : "inherited");
    say("folder: %s\n", getcwd(text, sizeof text) != NULL ? text : "?");
    gethostname(text, sizeof text);
    say("name: %s\n", text);
    const mode_t mask = umask(0);
    umask(mask);
    say("umask: %03o\n", mask);
    for (char **each = environ; *each != NULL; each++) {
        say("environment: %s\n", *each);
    }
    for (int descriptor = 0; descriptor < 4096; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            say("descriptor: %d\n", descriptor);
        }
    }
    static const char *const all[] = {"", NULL};
    say("oom: ");
    say_file_lines("/proc/self/oom_score_adj", all);
    say_limits();
    say_file_lines("/proc/self/status", prefixes);
}

static void say_keys(void) {
    for (int descriptor = 4; descriptor < 4096; descriptor++) {
        char text[64] = "";
        const ssize_t count = pread(descriptor, text, sizeof text - 1, 0);
        if (count >= 0) {
            say("%d: %s\n", descriptor, text);
        }
    }
}

static void say_list(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        say("%s\n", strerrorname_np(errno));
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            say("%s\n", entry->d_name);
        }
    }
    closedir(folder);
}

static void say_content(const char *path) {
    char text[64] = "";
    const int file = open(path, O_RDONLY);
    const ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    say("%s\n", count < 0 ? strerrorname_np(errno) : text);
    close(file);
}

static void say_space(const char *path) {
    struct statfs space = {0};
    statfs(path, &space);
    say("bytes %llu\ninodes %llu\n", (unsigned long long)space.f_blocks * (unsigned long long)space.f_bsize,
        (unsigned long long)space.f_files);
}

static bool say_use(const char *command) {
    char use[64] = "";
    const bool known = use_grants(command, use, sizeof use);
    say("%s", use);
    return known;
}

static void say_group(void) {
    static const char *const version_two[] = {"0::", NULL};
    say_file_lines("/proc/self/cgroup", version_two);
}

static void obey(const char *name, const char *command) {
    int number = 0;
    if (strcmp(command, "report") == 0) {
        report(name);
    } else if (strcmp(command, "keys") == 0) {
        say_keys();
    } else if (strcmp(command, "group") == 0) {
        say_group();
    } else if (sscanf(command, "exit %d", &number) == 1) {
        exit(number);
    } else if (strcmp(command, "abort") == 0) {
        abort();
    } else if (strcmp(command, "fault") == 0) {
        *(volatile int *)(uintptr_t)number = 1;
    } else if (strcmp(command, "spin") == 0) {
        for (volatile unsigned long turns = 0;; turns++) {
        }
    } else if (strncmp(command, "list ", 5) == 0) {
        say_list(&command[5]);
    } else if (strncmp(command, "read ", 5) == 0) {
        say_content(&command[5]);
    } else if (strncmp(command, "space ", 6) == 0) {
        say_space(&command[6]);
    } else if (!say_use(command)) {
        say("unknown");
    }
}

int main(int count, char **arguments) {
    char command[1024];
    ssize_t received;
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* as every worker's first step */
    while ((received = recv(SOCKET, command, sizeof command - 1, 0)) > 0) {
        command[received] = '\0';
        answer_length = 0;
        obey(count > 0 ? arguments[0] : "", command);
        if (send(SOCKET, answer, answer_length, MSG_NOSIGNAL) < 0) {
            return 1;
        }
    }
    return 0;
}
