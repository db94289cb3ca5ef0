/* SPDX-License-Identifier: Apache-2.0
 *
 * Speaks the launcher's protocol and confines nothing: what the whole path costs without a sandbox, as a measure for
 * what the sandbox adds. It has no filter to hand out, so workers load none.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher_protocol.h"
#include "linux_calls.h"

enum { MOST_PROCESSES = 64, FIRST_FREE = 64, REPLAY_FILES = 2 };

static struct {
    uint64_t serial;
    pid_t pid;
    int pidfd;
} processes[MOST_PROCESSES];

static int key_count;

static _Noreturn void refuse(const char *what) {
    (void)fprintf(stderr, "unconfined: error: %s: %s\n", what, strerror(errno));
    exit(1);
}

static struct launcher_header header(uint32_t type) {
    return (struct launcher_header){.version = LAUNCHER_PROTOCOL_VERSION, .type = type};
}

static void tell(const void *packet, size_t size, const int *descriptors, int count) {
    if (linux_send_packet(LAUNCHER_SOCKET_DESCRIPTOR, packet, size, descriptors, count) < 0) {
        refuse("the host does not listen");
    }
}

/* Everything a child gets its own number for lies above FIRST_FREE; keys have the numbers that they have in the opener.
 */
static int above(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_FREE); }

static _Noreturn void run(const struct launcher_spawn *spawn, const int *descriptors, int count) {
    const int bundle = above(descriptors[2]);
    int placed[OPENER_FIRST_REPLAY_DESCRIPTOR + REPLAY_FILES] = {
        open("/dev/null", O_RDONLY | O_CLOEXEC), above(descriptors[1]), above(descriptors[1]), above(descriptors[0])};
    int placed_count = OPENER_FIRST_REPLAY_DESCRIPTOR;
    if (spawn->kind == LAUNCHER_OPENER) {
        for (int index = 3; index < count && placed_count < (int)(sizeof placed / sizeof placed[0]); index++) {
            placed[placed_count++] = above(descriptors[index]);
        }
        for (int key = OPENER_FIRST_KEY_DESCRIPTOR; key < OPENER_FIRST_KEY_DESCRIPTOR + key_count; key++) {
            (void)fcntl(key, F_SETFD, 0);
        }
    }
    for (int number = 0; number < placed_count; number++) {
        if (placed[number] < 0 || dup2(placed[number], number) < 0) {
            refuse("dup2");
        }
    }
    (void)close_range((unsigned int)placed_count, FIRST_FREE - 1, 0);
    const struct rlimit locked = {.rlim_cur = 8 << 20, .rlim_max = 8 << 20};
    (void)setrlimit(RLIMIT_MEMLOCK, &locked);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    char path[LAUNCHER_PATH_BYTES + LAUNCHER_NAME_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", spawn->bundle_path, spawn->executable);
    char zone[LAUNCHER_ZONE_BYTES + 3];
    (void)snprintf(zone, sizeof zone, "TZ=%s", spawn->time_zone);
    char *const arguments[] = {path, NULL};
    char language[] = "LANG=C.UTF-8";
    char backtrace[] = "SWIFT_BACKTRACE=enable=no";
    char *const environment[] = {language, backtrace, spawn->time_zone[0] != '\0' ? zone : NULL, NULL};
    const int program = openat(bundle, spawn->executable, O_RDONLY | O_CLOEXEC);
    (void)fexecve(program, arguments, environment);
    refuse("exec");
}

static void start(const struct launcher_spawn *spawn, const int *descriptors, int count) {
    int place = 0;
    while (place < MOST_PROCESSES && processes[place].pid != 0) {
        place++;
    }
    if (place == MOST_PROCESSES) {
        errno = EAGAIN;
        refuse("too many processes");
    }
    const pid_t pid = fork();
    if (pid == 0) {
        run(spawn, descriptors, count);
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/status", pid);
    processes[place].serial = spawn->serial;
    processes[place].pid = pid;
    processes[place].pidfd = linux_pidfd_open(pid);
    const int given[] = {processes[place].pidfd, open(path, O_RDONLY | O_CLOEXEC)};
    const struct launcher_started started = {
        .header = header(LAUNCHER_STARTED), .serial = spawn->serial, .pid = pid, .profile = 'D'};
    tell(&started, sizeof started, given, 2);
    (void)close(given[1]);
}

static void obey(const union launcher_packet *packet, const int *descriptors, int count) {
    switch (packet->header.type) {
    case LAUNCHER_REGISTER_KEY: {
        const int number = OPENER_FIRST_KEY_DESCRIPTOR + key_count++;
        if (fcntl(open(packet->register_key.path, O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, number) != number) {
            refuse("a key has another number than in the opener");
        }
        const struct launcher_key_registered answer = {.header = header(LAUNCHER_KEY_REGISTERED),
                                                       .index = packet->register_key.index};
        tell(&answer, sizeof answer, NULL, 0);
        break;
    }
    case LAUNCHER_REGISTER_VIEW: {
        const struct launcher_view_registered answer = {.header = header(LAUNCHER_VIEW_REGISTERED)};
        tell(&answer, sizeof answer, NULL, 0);
        break;
    }
    case LAUNCHER_SPAWN:
        start(&packet->spawn, descriptors, count);
        break;
    case LAUNCHER_KILL:
        for (int index = 0; index < MOST_PROCESSES; index++) {
            if (processes[index].pid != 0 && processes[index].serial == packet->kill.serial) {
                (void)kill(processes[index].pid, SIGKILL);
            }
        }
        break;
    default:
        break;
    }
}

static void reap(int place) {
    int status = 0;
    struct rusage usage;
    if (wait4(processes[place].pid, &status, WNOHANG, &usage) != processes[place].pid) {
        return;
    }
    const struct launcher_exited exited = {
        .header = header(LAUNCHER_EXITED),
        .serial = processes[place].serial,
        .code = WIFSIGNALED(status) ? CLD_KILLED : CLD_EXITED,
        .status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
        .peak_resident_bytes = (uint64_t)usage.ru_maxrss * 1024,
    };
    (void)close(processes[place].pidfd);
    processes[place].pid = 0;
    tell(&exited, sizeof exited, NULL, 0);
}

static bool hear_host(void) {
    union launcher_packet packet;
    int descriptors[LINUX_MAXIMUM_DESCRIPTORS];
    int count = 0;
    if (linux_receive_packet(LAUNCHER_SOCKET_DESCRIPTOR, &packet, sizeof packet, descriptors, &count) <= 0) {
        return false;
    }
    obey(&packet, descriptors, count);
    for (int index = 0; index < count; index++) {
        (void)close(descriptors[index]);
    }
    return true;
}

int main(void) {
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    const struct launcher_ready ready = {.header = header(LAUNCHER_READY), .profile = 'D'};
    tell(&ready, sizeof ready, NULL, 0);
    for (;;) {
        struct pollfd polled[MOST_PROCESSES + 1];
        for (int index = 0; index < MOST_PROCESSES; index++) {
            polled[index] =
                (struct pollfd){.fd = processes[index].pid != 0 ? processes[index].pidfd : -1, .events = POLLIN};
        }
        polled[MOST_PROCESSES] = (struct pollfd){.fd = LAUNCHER_SOCKET_DESCRIPTOR, .events = POLLIN};
        (void)poll(polled, MOST_PROCESSES + 1, -1);
        for (int index = 0; index < MOST_PROCESSES; index++) {
            if (polled[index].revents != 0) {
                reap(index);
            }
        }
        if (polled[MOST_PROCESSES].revents != 0 && !hear_host()) {
            break;
        }
    }
    for (int index = 0; index < MOST_PROCESSES; index++) {
        if (processes[index].pid != 0) {
            (void)kill(processes[index].pid, SIGKILL);
        }
    }
    return 0;
}
