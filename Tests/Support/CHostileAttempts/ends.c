/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends, and none: 14 (out of memory), 15 (time), 16 (crashes), 27 (output), 30 (what the next one finds).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attempts.h"

#define MIB ((size_t)1 << 20)

/* All there is, and when there is no more, the end that most programs choose. */
static void hoard(const char *unused) {
    (void)unused;
    for (size_t total = 0; total < 1024 * MIB; total += MIB) {
        char *const part = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (part == MAP_FAILED) {
            abort();
        }
        memset(part, 1, MIB);
    }
    say_words("1 GiB");
}

static void spin(const char *unused) {
    (void)unused;
    for (volatile unsigned turns = 0;; turns++) {
    }
}

/* Never reads its socket again. */
static void sleep_on(const char *unused) {
    (void)unused;
    for (;;) {
        (void)pause();
    }
}

/* Reads what the host says, the last call too, and does nothing about it. */
static void listen_only(const char *unused) {
    (void)unused;
    char packet[65536];
    while (recv(3, packet, sizeof packet, 0) > 0) {
    }
}

static void abort_it(const char *unused) {
    (void)unused;
    abort();
}

static void trap(const char *unused) {
    (void)unused;
    __builtin_trap();
}

static void null_pointer(const char *unused) {
    (void)unused;
    int *volatile const nowhere = NULL;
    *nowhere = 1;
}

static __attribute__((noinline)) int deeper(int depth) {
    volatile char frame[4096] = {(char)depth};
    if (depth < 0) {
        return 0;
    }
    return frame[depth & 4095] + deeper(depth + 1) + frame[1];
}

static void overflow(const char *unused) {
    (void)unused;
    say("%d", deeper(0));
}

static void leave(const char *unused) {
    (void)unused;
    exit(0);
}

/* 1 GiB to each, or as much as there is time for. */
static void print_much(const char *unused) {
    (void)unused;
    static char text[65536];
    memset(text, 'x', sizeof text);
    for (int count = 0; count < 16384; count++) {
        if (write(STDOUT_FILENO, text, sizeof text) < 0 || write(STDERR_FILENO, text, sizeof text) < 0) {
            say_result(-1);
            return;
        }
    }
    say_words("printed");
}

/* Leaves a trace of each kind, and says what it has found of the last one. */
static void trace(const char *unused) {
    (void)unused;
    static int memory;
    char path[512];
    const char *const folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/trace", folder != NULL ? folder : "/tmp");
    if (memory++ > 0) {
        say_words("memory");
    }
    if (access(path, F_OK) == 0) {
        say_words("file");
    }
    if (fcntl(40, F_GETFD) >= 0) {
        say_words("descriptor");
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || dup2(file, 40) != 40) {
        say_result(-1);
    }
    say_words("none");
}

const struct attempt end_attempts[] = {
    {"hoard", hoard},    {"spin", spin},        {"sleep", sleep_on},    {"listen-only", listen_only},
    {"abort", abort_it}, {"trap", trap},        {"null", null_pointer}, {"overflow", overflow},
    {"leave", leave},    {"print", print_much}, {"trace", trace},       {NULL, NULL},
};
