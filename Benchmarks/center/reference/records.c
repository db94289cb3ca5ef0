/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a centre's store does with notifications, in C: the rows and statements of Sources/CenterStore on a
 * file that it has made, with its owners and installations, and without limits, text or watchers.
 *   center-records FILE GROUP RECORDS BYTES PAUSE
 * GROUP records are a transaction, each has BYTES of content, and PAUSE milliseconds lie between two transactions.
 * Prints CPU time a record in microseconds, records a second, and the median and p99 of a transaction in milliseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECKPOINT_BYTE_COUNT (16 << 20)
#define PAGE_BYTE_COUNT 4096
#define LIMIT 4096
#define MAXIMUM_GROUPS 100000
#define MAXIMUM_BYTE_COUNT 65536
#define JOURNAL 0xbe9cbe9cL

struct owner {
    long id, next, stored, bytes;
    int is_open;
};

struct installation {
    long id, stored, bytes;
    struct owner *owner;
    int is_open;
};

static sqlite3 *database;
static struct owner owners[LIMIT];
static struct installation installations[LIMIT];
static int owner_count, installation_count, log_page_count;

static void check(int code, const char *stage) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "center-records: error: %s: %s\n", stage, sqlite3_errmsg(database));
        exit(1);
    }
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

static void run(sqlite3_stmt *statement, const char *stage) {
    check(sqlite3_step(statement), stage);
    check(sqlite3_reset(statement), stage);
}

static void bind(sqlite3_stmt *statement, int count, const long *values) {
    for (int place = 0; place < count; place++) {
        check(sqlite3_bind_int64(statement, place + 1, values[place]), "bind");
    }
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int watch_log(void *unused, sqlite3 *connection, const char *name, int pages) {
    (void)unused;
    (void)connection;
    (void)name;
    log_page_count = pages;
    return SQLITE_OK;
}

static void open_database(const char *path) {
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), "open");
    check(sqlite3_exec(database, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON",
                       NULL, NULL, NULL),
          "pragmas");
    sqlite3_wal_hook(database, watch_log, NULL);
    /* The log begins anew in its file: a commit that makes the file longer takes several times as long. */
    check(sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL), "checkpoint");
}

static void read_accounts(void) {
    sqlite3_stmt *statement = prepare("SELECT id, next, stored, bytes FROM owner ORDER BY id");
    while (sqlite3_step(statement) == SQLITE_ROW && owner_count < LIMIT) {
        owners[owner_count++] =
            (struct owner){sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1),
                           sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3), 0};
    }
    sqlite3_finalize(statement);
    statement = prepare("SELECT id, stored, bytes, owner FROM installation ORDER BY id");
    while (sqlite3_step(statement) == SQLITE_ROW && installation_count < LIMIT) {
        struct owner *owner = owners;
        while (owner < owners + owner_count && owner->id != sqlite3_column_int64(statement, 3)) {
            owner++;
        }
        installations[installation_count++] =
            (struct installation){sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1),
                                  sqlite3_column_int64(statement, 2), owner, 0};
    }
    sqlite3_finalize(statement);
    if (owner_count == 0 || installation_count == 0) {
        fprintf(stderr, "center-records: error: the file has no owners\n");
        exit(1);
    }
}

static long hash(long number) { return (long)(((unsigned long)number * 0x9e3779b97f4a7c15UL) >> 1); }

/* The statements of one record: known, former of the name, content, head. */
static sqlite3_stmt *taken, *former, *content, *head;

static void store(long number, const char *body, int byte_count) {
    struct installation *installation = &installations[number % installation_count];
    struct owner *owner = installation->owner;
    bind(taken, 2, (long[]){JOURNAL, number});
    run(taken, "taken");
    bind(former, 2, (long[]){installation->id, hash(number)});
    run(former, "former");
    check(sqlite3_bind_blob(content, 1, body, byte_count, SQLITE_STATIC), "bind");
    run(content, "content");
    bind(head, 12,
         (long[]){owner->id, owner->next, installation->id, hash(number), hash(number / 10), 1795230000000,
                  1795230030000, 79, 1, 1, sqlite3_last_insert_rowid(database), byte_count});
    run(head, "head");
    owner->next++;
    owner->stored++;
    owner->bytes += byte_count;
    owner->is_open = 1;
    installation->stored++;
    installation->bytes += byte_count;
    installation->is_open = 1;
}

/* Writes the sums that the transaction has changed. */
static void save(sqlite3_stmt *of_owner, sqlite3_stmt *of_installation) {
    for (struct owner *owner = owners; owner < owners + owner_count; owner++) {
        if (owner->is_open) {
            bind(of_owner, 4, (long[]){owner->id, owner->next, owner->stored, owner->bytes});
            run(of_owner, "owner");
            owner->is_open = 0;
        }
    }
    for (struct installation *one = installations; one < installations + installation_count; one++) {
        if (one->is_open) {
            bind(of_installation, 3, (long[]){one->id, one->stored, one->bytes});
            run(of_installation, "installation");
            one->is_open = 0;
        }
    }
}

static int compare(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void prepare_record(void) {
    taken = prepare("INSERT OR IGNORE INTO taken VALUES (?1, ?2)");
    former = prepare("SELECT number, plain FROM head INDEXED BY named JOIN content ON id = body"
                     " WHERE installation = ?1 AND name = ?2");
    content = prepare("INSERT INTO content VALUES (NULL, NULL, ?1, NULL)");
    head = prepare("INSERT INTO head VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, NULL)");
}

int main(int argument_count, char **arguments) {
    static char body[MAXIMUM_BYTE_COUNT];
    static double times[MAXIMUM_GROUPS];
    const long group = argument_count == 6 ? atol(arguments[2]) : 0;
    if (group < 1 || atol(arguments[3]) / group >= MAXIMUM_GROUPS || atol(arguments[4]) > MAXIMUM_BYTE_COUNT) {
        fprintf(stderr, "center-records: error: usage: center-records FILE GROUP RECORDS BYTES PAUSE\n");
        return 2;
    }
    const long records = atol(arguments[3]), pause = atol(arguments[5]);
    const int byte_count = atoi(arguments[4]);
    const struct timespec idle = {pause / 1000, pause % 1000 * 1000000};
    open_database(arguments[1]);
    read_accounts();
    prepare_record();
    sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
    sqlite3_stmt *of_owner = prepare("UPDATE owner SET next = ?2, stored = ?3, bytes = ?4 WHERE id = ?1");
    sqlite3_stmt *of_installation = prepare("UPDATE installation SET stored = ?2, bytes = ?3 WHERE id = ?1");
    memset(body, 'a', (size_t)byte_count);

    double cpu = 0, wall = 0;
    long count = 0;
    for (long number = 1; number <= records; number += group) {
        nanosleep(&idle, NULL);
        const double start_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), start = seconds(CLOCK_MONOTONIC);
        run(begin, "begin");
        for (long other = number; other < number + group && other <= records; other++) {
            store(other, body, byte_count);
        }
        save(of_owner, of_installation);
        run(commit, "commit");
        times[count++] = seconds(CLOCK_MONOTONIC) - start;
        if (log_page_count * PAGE_BYTE_COUNT >= CHECKPOINT_BYTE_COUNT) {
            check(sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL), "checkpoint");
        }
        cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
        wall += seconds(CLOCK_MONOTONIC) - start;
    }
    qsort(times, (size_t)count, sizeof(double), compare);
    printf("%.2f %.0f %.3f %.3f\n", cpu * 1e6 / (double)records, (double)records / wall, times[count / 2] * 1e3,
           times[count * 99 / 100] * 1e3);
    return 0;
}
