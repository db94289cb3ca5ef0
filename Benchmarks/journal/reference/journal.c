/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a journal in SQLite does, in C: the rows, statements and settings of Sources/Store/Journal without
 * keys, limits or counts.
 *   journal-reference FILE BATCH PUSHES
 * Prints CPU time per push for its arrival and its end together, in microseconds, and pushes per second.
 */
#define _POSIX_C_SOURCE 199309L
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BODY_BYTE_COUNT 2048
#define CHECKPOINT_BYTE_COUNT (16 << 20)

static sqlite3 *database;

static void check(int code, const char *stage) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "journal-reference: error: %s: %s\n", stage, sqlite3_errmsg(database));
        exit(1);
    }
}

static void run(sqlite3_stmt *statement, const char *stage) {
    check(sqlite3_step(statement), stage);
    check(sqlite3_reset(statement), stage);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int watch_log(void *length, sqlite3 *connection, const char *name, int pages) {
    (void)connection;
    (void)name;
    *(int *)length = pages;
    return SQLITE_OK;
}

static void open_database(const char *path) {
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL),
          "open");
    check(sqlite3_exec(database,
                       "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                       "PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF;"
                       "CREATE TABLE waiting (number INTEGER PRIMARY KEY, topic INTEGER NOT NULL, token TEXT NOT NULL,"
                       " bytes INTEGER NOT NULL, accepted INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,"
                       " priority INTEGER NOT NULL, kept INTEGER NOT NULL, expiration REAL, collapse TEXT,"
                       " received REAL NOT NULL, body BLOB NOT NULL) STRICT;"
                       "CREATE INDEX heads ON waiting (topic, number, token, bytes);"
                       "CREATE TABLE seen (number INTEGER PRIMARY KEY, keys BLOB NOT NULL, id ANY NOT NULL) STRICT",
                       NULL, NULL, NULL),
          "schema");
}

static void store(sqlite3_stmt *statement, sqlite3_stmt *note, long number, const unsigned char *body) {
    char token[65];
    unsigned char keys[32];
    unsigned char identifier[16];
    snprintf(token, sizeof token, "%064lx", number % 1000);
    memset(keys, (int)(number & 0xff), sizeof keys);
    memset(identifier, (int)(number & 0xff), sizeof identifier);
    sqlite3_bind_int64(statement, 1, number);
    sqlite3_bind_int64(statement, 2, 1);
    sqlite3_bind_text(statement, 3, token, 64, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 4, BODY_BYTE_COUNT);
    sqlite3_bind_int64(statement, 5, number);
    sqlite3_bind_text(statement, 6, "00000000-0000-4000-8000-000000000000", 36, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 7, "alert", 5, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 8, 10);
    sqlite3_bind_int64(statement, 9, 1);
    sqlite3_bind_null(statement, 10);
    sqlite3_bind_null(statement, 11);
    sqlite3_bind_double(statement, 12, 1795230000.125);
    sqlite3_bind_blob(statement, 13, body, BODY_BYTE_COUNT, SQLITE_STATIC);
    run(statement, "store");
    sqlite3_bind_int64(note, 1, number);
    sqlite3_bind_blob(note, 2, keys, sizeof keys, SQLITE_TRANSIENT);
    sqlite3_bind_blob(note, 3, identifier, sizeof identifier, SQLITE_TRANSIENT);
    run(note, "note");
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) {
        fprintf(stderr, "journal-reference: error: usage: journal-reference FILE BATCH PUSHES\n");
        return 2;
    }
    const long batch = atol(arguments[2]);
    const long pushes = atol(arguments[3]);
    open_database(arguments[1]);
    int log_length = 0;
    sqlite3_wal_hook(database, watch_log, &log_length);
    sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE");
    sqlite3_stmt *commit = prepare("COMMIT");
    sqlite3_stmt *insert =
        prepare("INSERT INTO waiting VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
    sqlite3_stmt *note = prepare("INSERT INTO seen VALUES (?1, ?2, ?3)");
    sqlite3_stmt *conclude = prepare("DELETE FROM waiting WHERE number = ?1");
    unsigned char body[BODY_BYTE_COUNT];
    for (size_t place = 0; place < sizeof body; place++) {
        body[place] = (unsigned char)('a' + rand() % 26);
    }

    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double start = seconds(CLOCK_MONOTONIC);
    for (long number = 1; number <= pushes; number += batch) {
        run(begin, "begin");
        for (long other = number - batch; other >= 1 && other < number; other++) {
            sqlite3_bind_int64(conclude, 1, other);
            run(conclude, "conclude");
        }
        for (long other = number; other < number + batch; other++) {
            store(insert, note, other, body);
        }
        run(commit, "commit");
        if (log_length * 8192 >= CHECKPOINT_BYTE_COUNT) {
            check(sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL), "checkpoint");
        }
    }
    printf("%.2f %.0f\n", (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e6 / (double)pushes,
           (double)pushes / (seconds(CLOCK_MONOTONIC) - start));
    return 0;
}
