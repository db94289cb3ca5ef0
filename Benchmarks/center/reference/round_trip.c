/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a call and its answer take, in C: a packet to another process and one back.
 *   center-round-trip ROUNDS
 * Prints the median and the p99 in microseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PACKET_BYTE_COUNT 256
#define MAXIMUM_ROUNDS 100000

static double microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void echo(int end) {
    char packet[PACKET_BYTE_COUNT];
    ssize_t count;
    while ((count = recv(end, packet, sizeof packet, 0)) > 0) {
        if (send(end, packet, (size_t)count, MSG_NOSIGNAL) != count) {
            break;
        }
    }
    _exit(0);
}

int main(int argument_count, char **arguments) {
    const int rounds = argument_count == 2 ? atoi(arguments[1]) : 0;
    if (rounds < 1 || rounds > MAXIMUM_ROUNDS) {
        fprintf(stderr, "center-round-trip: error: usage: center-round-trip ROUNDS\n");
        return 2;
    }
    int ends[2];
    static double times[MAXIMUM_ROUNDS];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
        perror("center-round-trip: error");
        return 1;
    }
    const pid_t other = fork();
    if (other == 0) {
        close(ends[0]);
        echo(ends[1]);
    }
    close(ends[1]);
    char packet[PACKET_BYTE_COUNT] = {0};
    for (int round = 0; round < rounds; round++) {
        const double start = microseconds();
        if (send(ends[0], packet, sizeof packet, MSG_NOSIGNAL) < 0 || recv(ends[0], packet, sizeof packet, 0) <= 0) {
            perror("center-round-trip: error");
            return 1;
        }
        times[round] = microseconds() - start;
    }
    close(ends[0]);
    waitpid(other, NULL, 0);
    qsort(times, (size_t)rounds, sizeof(double), compare);
    printf("%.1f %.1f\n", times[rounds / 2], times[rounds * 99 / 100]);
    return 0;
}
