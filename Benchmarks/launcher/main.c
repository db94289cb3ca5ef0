/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: measure ROUNDS LAUNCHER FOLDER PROGRAM [RUNTIME]
 *
 * Time from the order to the first byte of FOLDER/PROGRAM, in turn: by posix_spawn, through worker-launcher after a
 * lull and right behind another start, and by bubblewrap with the same namespaces, the same read-only binds and a
 * private /proc. RUNTIME is a further folder for all, where a Swift program finds its libraries. Prints medians and
 * ratios.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher_client.h"

#define MOST_ROUNDS 10000
#define WAYS 4

extern char **environ;

struct setting {
    int launcher; /* the host's end of its socket */
    const char *folder;
    const char *program;
    const char *runtime; /* or NULL */
    char path[4096];
};

static _Noreturn void die(const char *what) {
    perror(what);
    exit(1);
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double wait_for_first_byte(int output, double start) {
    char byte;
    if (read(output, &byte, 1) != 1) {
        die("the worker wrote nothing");
    }
    return microseconds() - start;
}

static pid_t spawn(char *const *arguments, int descriptor, int number, int other) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, descriptor, number);
    posix_spawn_file_actions_addclose(&actions, other);
    pid_t pid;
    if (posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ) != 0) {
        die(arguments[0]);
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static double measure_command(char *const *arguments) {
    int output[2];
    if (pipe2(output, O_CLOEXEC) != 0) {
        die("pipe");
    }
    const double start = microseconds();
    const pid_t pid = spawn(arguments, output[1], 1, output[0]);
    close(output[1]);
    const double taken = wait_for_first_byte(output[0], start);
    waitpid(pid, NULL, 0);
    close(output[0]);
    return taken;
}

static double measure_bare(struct setting *setting) {
    char *const arguments[] = {setting->path, NULL};
    return measure_command(arguments);
}

static double measure_bubblewrap(struct setting *setting) {
    char view[4096];
    snprintf(view, sizeof view, "/bundle/%s", setting->program);
    const char *const fixed[] = {"bwrap",
                                 "--unshare-all",
                                 "--as-pid-1",
                                 "--die-with-parent",
                                 "--new-session",
                                 "--proc",
                                 "/proc",
                                 "--clearenv",
                                 "--ro-bind",
                                 setting->folder,
                                 "/bundle",
                                 "--ro-bind",
                                 "/usr/lib",
                                 "/usr/lib",
                                 "--ro-bind",
                                 "/lib64",
                                 "/lib64",
                                 "--symlink",
                                 "usr/lib",
                                 "/lib",
                                 "--ro-bind",
                                 "/usr/share/zoneinfo",
                                 "/usr/share/zoneinfo"};
    char *arguments[sizeof fixed / sizeof fixed[0] + 6];
    size_t count = 0;
    for (; count < sizeof fixed / sizeof fixed[0]; count++) {
        arguments[count] = (char *)(uintptr_t)fixed[count];
    }
    if (setting->runtime != NULL) {
        arguments[count++] = "--ro-bind";
        arguments[count++] = (char *)(uintptr_t)setting->runtime;
        arguments[count++] = (char *)(uintptr_t)setting->runtime;
    }
    arguments[count++] = "--";
    arguments[count++] = view;
    arguments[count] = NULL;
    return measure_command(arguments);
}

static struct launcher_event hear(int launcher, uint32_t expected) {
    struct launcher_event event;
    if (launcher_receive_event(launcher, &event) != 1 || event.type != expected) {
        fprintf(stderr, "measure: error: the launcher said %u: %s\n", event.type, event.step);
        exit(1);
    }
    return event;
}

static double measure_launcher(struct setting *setting) {
    static uint64_t serial;
    int output[2];
    int ends[2];
    const int folder = open(setting->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || pipe2(output, O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        die(setting->folder);
    }
    const double start = microseconds();
    const struct launcher_spawn_request request = {
        .serial = ++serial,
        .memory_limit_bytes = 24 << 20,
        .executable = setting->program,
        .time_zone = "UTC",
        .bundle_path = setting->folder,
        .socket = ends[1],
        .output = output[1],
        .bundle_folder = folder,
    };
    if (launcher_send_spawn(setting->launcher, &request) != 0) {
        die("spawn");
    }
    close(output[1]);
    close(ends[1]);
    const double taken = wait_for_first_byte(output[0], start);
    const struct launcher_event started = hear(setting->launcher, LAUNCHER_STARTED);
    hear(setting->launcher, LAUNCHER_EXITED);
    close(started.pidfd);
    close(started.status_descriptor);
    close(output[0]);
    close(ends[0]);
    close(folder);
    return taken;
}

/* The launcher had no lull since the start before, so nothing is prepared. */
static double measure_unprepared(struct setting *setting) {
    (void)measure_launcher(setting);
    return measure_launcher(setting);
}

/* Time for the launcher to prepare its next start, which belongs to no other way's figure. */
static void rest(void) {
    const struct timespec time = {.tv_nsec = 8000000};
    (void)nanosleep(&time, NULL);
}

static int ascending(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    const int rounds = count == 5 || count == 6 ? atoi(arguments[1]) : 0;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: measure ROUNDS LAUNCHER FOLDER PROGRAM [RUNTIME]\n");
        return 2;
    }
    struct setting setting = {
        .folder = arguments[3], .program = arguments[4], .runtime = count == 6 ? arguments[5] : NULL};
    snprintf(setting.path, sizeof setting.path, "%s/%s", setting.folder, setting.program);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        die("socketpair");
    }
    setting.launcher = fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
    const int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    close(ends[0]);
    close(ends[1]);
    char *const launcher[] = {arguments[2], NULL};
    spawn(launcher, theirs, LAUNCHER_SOCKET_DESCRIPTOR, setting.launcher);
    close(theirs);
    const struct launcher_event ready = hear(setting.launcher, LAUNCHER_READY);
    for (uint32_t filter = 0; filter < ready.filter_count; filter++) {
        static uint8_t code[LAUNCHER_FILTER_BYTES];
        if (launcher_receive_filter(setting.launcher, &(struct launcher_stage2){.code = code}) != 0) {
            die("stage 2");
        }
    }
    if (setting.runtime != NULL) {
        launcher_send_register_view(setting.launcher, LAUNCHER_EVERY_SLOT, LAUNCHER_VIEW_FOLDER, setting.runtime);
        hear(setting.launcher, LAUNCHER_VIEW_REGISTERED);
    }

    static const struct {
        const char *name;
        double (*measure)(struct setting *setting);
    } ways[] = {{"posix_spawn", measure_bare},
                {"bwrap", measure_bubblewrap},
                {"worker-launcher", measure_launcher},
                {"unprepared", measure_unprepared}};
    static double taken[WAYS][MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        for (int way = 0; way < WAYS; way++) {
            rest();
            taken[way][round] = ways[way].measure(&setting);
        }
    }
    for (int way = 0; way < WAYS; way++) {
        qsort(taken[way], (size_t)rounds, sizeof(double), ascending);
    }
    printf("%s, %d rounds, profile %c, Landlock %u, filter of %u instructions, to the first byte\n", setting.program,
           rounds, (char)ready.profile, ready.landlock, ready.instructions);
    for (int way = 0; way < WAYS; way++) {
        const double median = taken[way][rounds / 2];
        printf("  %-16s median %7.0f us   p10 %7.0f us   %.2f x posix_spawn   %.2f x bwrap\n", ways[way].name, median,
               taken[way][rounds / 10], median / taken[0][rounds / 2], median / taken[1][rounds / 2]);
    }
    return 0;
}
