/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that telling many watchers takes, in C: one loop of writes to as many Unix sockets, whose other ends
 * another process reads. center-watchers WATCHERS BYTES ROUNDS Prints CPU time of the writer a watcher in microseconds,
 * and the medians of the times until the first and until the last one was read, in milliseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTE_COUNT 65536
#define MAXIMUM_WATCHERS 10000
#define MAXIMUM_ROUNDS 1000

/* Shared by both processes: when the first and the last watcher of a round was reached. */
struct times {
    double first[MAXIMUM_ROUNDS], last[MAXIMUM_ROUNDS];
};

static int writers[MAXIMUM_WATCHERS], readers[MAXIMUM_WATCHERS];
static struct pollfd polled[MAXIMUM_WATCHERS];
static char text[BUFFER_BYTE_COUNT];

static void fail(const char *stage) {
    fprintf(stderr, "center-watchers: error: %s: %s\n", stage, strerror(errno));
    exit(1);
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

/* Reads `bytes` of each watcher a round: whoever comes first, and then one after the other. */
static void read_all(long count, long bytes, int rounds, struct times *times, int done) {
    for (long place = 0; place < count; place++) {
        polled[place] = (struct pollfd){.fd = readers[place], .events = POLLIN};
    }
    for (int round = 0; round < rounds; round++) {
        if (poll(polled, (nfds_t)count, 10000) <= 0) {
            fail("no watcher got anything");
        }
        times->first[round] = seconds(CLOCK_MONOTONIC);
        for (long place = 0; place < count; place++) {
            if (recv(readers[place], text, (size_t)bytes, MSG_WAITALL) != bytes) {
                fail("a watcher got too little");
            }
        }
        times->last[round] = seconds(CLOCK_MONOTONIC);
        if (write(done, "", 1) != 1) {
            fail("write");
        }
    }
    _exit(0);
}

/* Writes to all, and returns the CPU time of that in seconds once all have read it. */
static double write_all(long count, long bytes, int round, struct times *times, int done) {
    char byte;
    const struct timespec idle = {0, 50000000};
    nanosleep(&idle, NULL);
    const double start_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), start = seconds(CLOCK_MONOTONIC);
    for (long place = 0; place < count; place++) {
        if (write(writers[place], text, (size_t)bytes) != bytes) {
            fail("write");
        }
    }
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    if (read(done, &byte, 1) != 1) {
        fail("the reader has ended");
    }
    times->first[round] = (times->first[round] - start) * 1e3;
    times->last[round] = (times->last[round] - start) * 1e3;
    return cpu;
}

static void raise_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argument_count, char **arguments) {
    const long count = argument_count == 4 ? atol(arguments[1]) : 0;
    const long bytes = count > 0 ? atol(arguments[2]) : 0;
    const int rounds = count > 0 ? atoi(arguments[3]) : 0;
    if (count < 1 || count > MAXIMUM_WATCHERS || bytes < 1 || bytes > BUFFER_BYTE_COUNT || rounds < 1 ||
        rounds > MAXIMUM_ROUNDS) {
        fprintf(stderr, "center-watchers: error: usage: center-watchers WATCHERS BYTES ROUNDS\n");
        return 2;
    }
    raise_limit();
    struct times *times = mmap(NULL, sizeof(struct times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int done[2];
    if (times == MAP_FAILED || pipe(done) != 0) {
        fail("memory");
    }
    for (long place = 0; place < count; place++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
            fail("socketpair");
        }
        writers[place] = ends[0];
        readers[place] = ends[1];
    }
    const pid_t reader = fork();
    if (reader == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        read_all(count, bytes, rounds, times, done[1]);
    }
    close(done[1]);
    double cpu = 0;
    for (int round = 0; round < rounds; round++) {
        cpu += write_all(count, bytes, round, times, done[0]);
    }
    waitpid(reader, NULL, 0);
    qsort(times->first, (size_t)rounds, sizeof(double), compare);
    qsort(times->last, (size_t)rounds, sizeof(double), compare);
    printf("%.2f %.3f %.3f\n", cpu * 1e6 / (double)rounds / (double)count, times->first[rounds / 2],
           times->last[rounds / 2]);
    return 0;
}
