/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: cold-start ROUNDS LAUNCHER FOLDER PROGRAM RUNTIME WHAT [GOAL]
 *
 * Time from the order to a worker's `ready`, of FOLDER/PROGRAM, in turn: by posix_spawn alone, and through
 * worker-launcher. Every start is a new process. Prints one row of the table: WHAT, figure, GOAL, remark, with
 * "|" between.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
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
#define LONGEST_START_MILLISECONDS 10000
/* PROTOCOL.md, "Messages". */
#define WORKER_READY 0x81

extern char **environ;

struct setting {
    int launcher; /* the host's end of its socket */
    const char *folder;
    const char *program;
    char path[4096];
};

static _Noreturn void die(const char *what) {
    perror(what);
    exit(1);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void make_sockets(int ends[2]) {
    int low[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, low) != 0) {
        die("socketpair");
    }
    for (int end = 0; end < 2; end++) {
        /* Out of the way of the number that the worker's end gets. */
        ends[end] = fcntl(low[end], F_DUPFD_CLOEXEC, 10);
        close(low[end]);
    }
}

static void say_hello(int worker) {
    static const char hello[] = "\x01\0\0\0\0\0\0\0\0{\"protocol\":1,\"bundleIdentifier\":\"com.example.chat.service\","
                                "\"topic\":\"com.example.chat\",\"maxConcurrentRequests\":1}";
    if (send(worker, hello, sizeof hello - 1, MSG_NOSIGNAL) < 0) {
        die("hello");
    }
}

static double wait_for_ready(int worker, double start) {
    struct pollfd readable = {.fd = worker, .events = POLLIN};
    unsigned char packet[4096];
    if (poll(&readable, 1, LONGEST_START_MILLISECONDS) != 1 || recv(worker, packet, sizeof packet, 0) < 1 ||
        packet[0] != WORKER_READY) {
        fprintf(stderr, "cold-start: error: the worker did not become ready\n");
        exit(1);
    }
    return milliseconds() - start;
}

static pid_t spawn(const char *path, int socket, int number) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, number);
    char *const arguments[] = {(char *)path, NULL};
    pid_t pid;
    if (posix_spawn(&pid, path, &actions, NULL, arguments, environ) != 0) {
        die(path);
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static double measure_bare(struct setting *setting) {
    int ends[2];
    make_sockets(ends);
    const double start = milliseconds();
    const pid_t pid = spawn(setting->path, ends[1], WORKER_SOCKET_DESCRIPTOR);
    close(ends[1]);
    say_hello(ends[0]);
    const double taken = wait_for_ready(ends[0], start);
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return taken;
}

static struct launcher_event hear(int launcher, uint32_t expected) {
    struct launcher_event event;
    if (launcher_receive_event(launcher, &event) != 1 || event.type != expected) {
        fprintf(stderr, "cold-start: error: the launcher said %u: %s\n", event.type, event.step);
        exit(1);
    }
    return event;
}

static double measure_launcher(struct setting *setting) {
    static uint64_t serial;
    int ends[2];
    int output[2];
    make_sockets(ends);
    const int folder = open(setting->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || pipe2(output, O_CLOEXEC) != 0) {
        die(setting->folder);
    }
    const struct launcher_spawn_request request = {
        .serial = ++serial,
        .kind = LAUNCHER_EXTENSION,
        .slot = 1,
        .user = 1,
        .memory_limit_bytes = 24 << 20,
        .executable = setting->program,
        .time_zone = "UTC",
        .bundle_path = setting->folder,
        .socket = ends[1],
        .output = output[1],
        .bundle_folder = folder,
    };
    const double start = milliseconds();
    if (launcher_send_spawn(setting->launcher, &request) != 0) {
        die("spawn");
    }
    close(ends[1]);
    close(output[1]);
    say_hello(ends[0]);
    const double taken = wait_for_ready(ends[0], start);
    const struct launcher_event started = hear(setting->launcher, LAUNCHER_STARTED);
    close(ends[0]);
    hear(setting->launcher, LAUNCHER_EXITED);
    close(started.pidfd);
    close(started.status_descriptor);
    close(output[0]);
    close(folder);
    return taken;
}

static int ascending(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    const int rounds = count == 7 || count == 8 ? atoi(arguments[1]) : 0;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: cold-start ROUNDS LAUNCHER FOLDER PROGRAM RUNTIME WHAT [GOAL]\n");
        return 2;
    }
    struct setting setting = {.folder = arguments[3], .program = arguments[4]};
    snprintf(setting.path, sizeof setting.path, "%s/%s", setting.folder, setting.program);
    int ends[2];
    make_sockets(ends);
    setting.launcher = ends[0];
    spawn(arguments[2], ends[1], LAUNCHER_SOCKET_DESCRIPTOR);
    close(ends[1]);
    const struct launcher_event ready = hear(setting.launcher, LAUNCHER_READY);
    for (uint32_t filter = 0; filter < ready.filter_count; filter++) {
        static uint8_t code[LAUNCHER_FILTER_BYTES];
        if (launcher_receive_filter(setting.launcher, &(struct launcher_stage2){.code = code}) != 0) {
            die("stage 2");
        }
    }
    launcher_send_register_view(setting.launcher, LAUNCHER_EVERY_SLOT, LAUNCHER_VIEW_FOLDER, arguments[5]);
    hear(setting.launcher, LAUNCHER_VIEW_REGISTERED);
    launcher_send_seal(setting.launcher);

    static double bare[MOST_ROUNDS];
    static double launched[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        bare[round] = measure_bare(&setting);
        launched[round] = measure_launcher(&setting);
    }
    qsort(bare, (size_t)rounds, sizeof(double), ascending);
    qsort(launched, (size_t)rounds, sizeof(double), ascending);
    const int middle = rounds / 2;
    printf("  %s|%.1f ms|%s|p90 %.1f ms of %d starts, profile %c; without sandbox %.1f ms (%.2f ×)\n", arguments[6],
           launched[middle], count == 8 ? arguments[7] : "", launched[rounds * 9 / 10], rounds, (char)ready.profile,
           bare[middle], launched[middle] / bare[middle]);
    return 0;
}
