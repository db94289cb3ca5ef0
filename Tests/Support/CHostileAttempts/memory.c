/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker can take: 13 (descriptors), 14 (memory), 22 (new code).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attempts.h"

#define MIB ((size_t)1 << 20)

static void descriptors_without_end(const char *unused) {
    (void)unused;
    int last = 0;
    while (last >= 0 && last < 4096) {
        const int next = dup(0);
        if (next < 0) {
            break;
        }
        last = next;
    }
    say_result(-1);
    say(" %d", last + 1);
}

/* Touched, so that it counts; 256 MiB if nobody stops it. */
static void map_and_touch(int flags) {
    size_t total = 0;
    while (total < 256 * MIB) {
        char *const part = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
        if (part == MAP_FAILED) {
            say_result(-1);
            return;
        }
        memset(part, 1, 4 * MIB);
        total += 4 * MIB;
    }
    say_words("256 MiB");
}

static void private_memory(const char *unused) {
    (void)unused;
    map_and_touch(MAP_PRIVATE);
}

static void shared_memory(const char *unused) {
    (void)unused;
    map_and_touch(MAP_SHARED);
}

/* Stacks are not data to the limit on data. */
static void growing_stack(const char *unused) {
    (void)unused;
    map_and_touch(MAP_PRIVATE | MAP_GROWSDOWN);
}

static void moved_stack(const char *unused) {
    (void)unused;
    char here;
    char *const page = (char *)((uintptr_t)&here & ~(uintptr_t)4095);
    char *const moved = mremap(page, 4096, 256 * MIB, MREMAP_MAYMOVE);
    say_result(moved == MAP_FAILED ? -1 : 0);
}

static void huge_pages(const char *unused) {
    (void)unused;
    map_and_touch(MAP_PRIVATE | MAP_HUGETLB);
}

/* Given back at the end, so that there is room for an answer. */
static void many_small(const char *unused) {
    (void)unused;
    size_t total = 0;
    void **last = NULL;
    while (total < 256 * MIB) {
        void **const part = malloc(4096);
        if (part == NULL) {
            say_result(-1);
            break;
        }
        for (size_t at = 0; at < 4096 / sizeof *part; at += 128) {
            part[at] = last;
        }
        last = part;
        total += 4096;
    }
    if (total >= 256 * MIB) {
        say_words("256 MiB");
    }
    while (last != NULL) {
        void **const next = *last;
        free(last);
        last = next;
    }
}

/* One page read in each 2 MiB of zero pages: page tables and nothing else. RLIMIT_AS ends it. */
static void page_tables(const char *unused) {
    (void)unused;
    volatile char sum = 0;
    for (size_t total = 0; total < 512; total++) {
        const char *const part = mmap(NULL, 1024 * MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (part == MAP_FAILED) {
            say_result(-1);
            return;
        }
        for (size_t at = 0; at < 1024 * MIB; at += 2 * MIB) {
            sum = (char)(sum + part[at]);
        }
    }
    say_words("512 GiB");
}

static void new_code(const char *unused) {
    (void)unused;
    say_result(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                   ? -1
                   : 0);
    void *const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    say_result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
    say_result(mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
    say_result(mprotect((void *)((uintptr_t)&new_code & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
}

const struct attempt memory_attempts[] = {
    {"descriptors-without-end", descriptors_without_end},
    {"private-memory", private_memory},
    {"shared-memory", shared_memory},
    {"huge-pages", huge_pages},
    {"growing-stack", growing_stack},
    {"moved-stack", moved_stack},
    {"many-small", many_small},
    {"page-tables", page_tables},
    {"new-code", new_code},
    {NULL, NULL},
};
