/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a front page reads, in C: every head of an owner, and the contents of 50 of them.
 *   center-page FILE OWNER ROUNDS
 * Prints the median and the p99 of a round in milliseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STACKS 50
#define MEMBERS 10
#define MAXIMUM_ROUNDS 100000

static sqlite3 *database;

static void check(int code, const char *stage) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "center-page: error: %s: %s\n", stage, sqlite3_errmsg(database));
        exit(1);
    }
}

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static long round_of(sqlite3_stmt *heads, sqlite3_stmt *content, const char *owner) {
    sqlite3_int64 shown[STACKS];
    long sum = 0;
    int row = 0, count = 0;
    check(sqlite3_bind_text(heads, 1, owner, -1, SQLITE_STATIC), "bind");
    while (sqlite3_step(heads) == SQLITE_ROW) {
        for (int column = 0; column < 8; column++) {
            sum += (long)sqlite3_column_int64(heads, column);
        }
        if (row++ % MEMBERS == 0 && count < STACKS) {
            shown[count++] = sqlite3_column_int64(heads, 8);
        }
    }
    check(sqlite3_reset(heads), "heads");
    for (int place = 0; place < count; place++) {
        check(sqlite3_bind_int64(content, 1, shown[place]), "bind");
        if (sqlite3_step(content) == SQLITE_ROW) {
            sum += sqlite3_column_bytes(content, 0);
        }
        check(sqlite3_reset(content), "content");
    }
    return row > 0 ? sum : 0;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) {
        fprintf(stderr, "center-page: error: usage: center-page FILE OWNER ROUNDS\n");
        return 2;
    }
    static double times[MAXIMUM_ROUNDS];
    const int rounds = atoi(arguments[3]);
    if (rounds < 1 || rounds > MAXIMUM_ROUNDS) {
        return 2;
    }
    check(sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), "open");
    sqlite3_stmt *heads = NULL, *content = NULL;
    check(sqlite3_prepare_v2(database,
                             "SELECT number, installation, thread, date, until, flags, level, count, body FROM head"
                             " WHERE owner = (SELECT id FROM owner WHERE name = ?1) ORDER BY number DESC",
                             -1, &heads, NULL),
          "heads");
    check(sqlite3_prepare_v2(database, "SELECT plain FROM content WHERE id = ?1", -1, &content, NULL), "content");
    for (int round = 0; round < rounds; round++) {
        const double start = milliseconds();
        if (round_of(heads, content, arguments[2]) == 0) {
            fprintf(stderr, "center-page: error: the owner has nothing\n");
            return 1;
        }
        times[round] = milliseconds() - start;
    }
    qsort(times, (size_t)rounds, sizeof(double), compare);
    printf("%.3f %.3f\n", times[rounds / 2], times[rounds * 99 / 100]);
    return 0;
}
