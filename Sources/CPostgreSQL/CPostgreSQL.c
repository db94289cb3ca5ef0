// SPDX-License-Identifier: Apache-2.0

#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef struct pg_conn connection;
typedef struct pg_result result;
typedef void (*notice_receiver)(void *, const result *);

// PQconninfoOption.
typedef struct postgres_options {
    const char *keyword, *environment, *compiled, *value, *label, *display;
    int display_size;
} options;

// libpq's functions: result, name, arguments.
#define FUNCTIONS(X)                                                                                                   \
    X(connection *, PQconnectdbParams, (const char *const *, const char *const *, int))                                \
    X(options *, PQconninfoParse, (const char *, char **))                                                             \
    X(void, PQconninfoFree, (options *))                                                                               \
    X(void, PQfreemem, (void *))                                                                                       \
    X(void, PQfinish, (connection *))                                                                                  \
    X(int, PQstatus, (const connection *))                                                                             \
    X(int, PQsocket, (const connection *))                                                                             \
    X(int, PQserverVersion, (const connection *))                                                                      \
    X(char *, PQhost, (const connection *))                                                                            \
    X(char *, PQport, (const connection *))                                                                            \
    X(char *, PQerrorMessage, (const connection *))                                                                    \
    X(notice_receiver, PQsetNoticeReceiver, (connection *, notice_receiver, void *))                                   \
    X(int, PQsendPrepare, (connection *, const char *, const char *, int, const unsigned *))                           \
    X(int, PQsendQueryPrepared, (connection *, const char *, int, const char *const *, const int *, const int *, int)) \
    X(int, PQsendQuery, (connection *, const char *))                                                                  \
    X(int, PQsetnonblocking, (connection *, int))                                                                      \
    X(int, PQflush, (connection *))                                                                                    \
    X(int, PQconsumeInput, (connection *))                                                                             \
    X(int, PQisBusy, (connection *))                                                                                   \
    X(result *, PQgetResult, (connection *))                                                                           \
    X(int, PQresultStatus, (const result *))                                                                           \
    X(char *, PQresultErrorField, (const result *, int))                                                               \
    X(int, PQntuples, (const result *))                                                                                \
    X(int, PQnfields, (const result *))                                                                                \
    X(int, PQgetisnull, (const result *, int, int))                                                                    \
    X(int, PQgetlength, (const result *, int, int))                                                                    \
    X(char *, PQgetvalue, (const result *, int, int))                                                                  \
    X(void, PQclear, (result *))

#define DECLARE(type, name, arguments) type(*name) arguments;
static struct { FUNCTIONS(DECLARE) } library;

static const char *fault;

static void load(void) {
    // What `dlerror` returns is the thread's own, and gone with its next call.
    static char reason[256];
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(reason, sizeof reason, "%s", dlerror());
        fault = reason;
        return;
    }
#define FIND(type, name, arguments)                                                                                    \
    if (fault == NULL) {                                                                                               \
        void *address = dlsym(handle, #name);                                                                          \
        if (address == NULL)                                                                                           \
            fault = "libpq.so.5 has no " #name;                                                                        \
        *(void **)&library.name = address;                                                                             \
    }
    FUNCTIONS(FIND)
}

const char *postgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return fault;
}

connection *postgres_connect(const char *const *keywords, const char *const *values) {
    // The value of `dbname` may be a whole connection string.
    return library.PQconnectdbParams(keywords, values, 1);
}

options *postgres_parse(const char *conninfo) {
    char *reason = NULL;
    options *parsed = library.PQconninfoParse(conninfo, &reason);
    if (reason != NULL)
        library.PQfreemem(reason);
    return parsed;
}

const char *postgres_parsed_keyword(const options *options, int index) { return options[index].keyword; }

const char *postgres_parsed_value(const options *options, int index) { return options[index].value; }

void postgres_parse_free(options *options) { library.PQconninfoFree(options); }

void postgres_finish(connection *connection) { library.PQfinish(connection); }

int postgres_status(const connection *connection) { return library.PQstatus(connection); }

int postgres_socket(const connection *connection) { return library.PQsocket(connection); }

int postgres_server_version(const connection *connection) { return library.PQserverVersion(connection); }

const char *postgres_host(const connection *connection) { return library.PQhost(connection); }

const char *postgres_port(const connection *connection) { return library.PQport(connection); }

const char *postgres_error(const connection *connection) { return library.PQerrorMessage(connection); }

void postgres_set_notice_receiver(connection *connection, notice_receiver receive, void *context) {
    library.PQsetNoticeReceiver(connection, receive, context);
}

int postgres_send_prepare(connection *connection, const char *name, const char *sql) {
    return library.PQsendPrepare(connection, name, sql, 0, NULL);
}

// PostgreSQL's own limit is 65,535 parameters; a statement of ours has a few arrays.
enum { MAXIMUM_PARAMETERS = 32 };

int postgres_send_prepared(connection *connection, const char *name, int count, const char *const *values,
                           const int *lengths) {
    int formats[MAXIMUM_PARAMETERS];
    if (count > MAXIMUM_PARAMETERS)
        return 0;
    for (int index = 0; index < count; index++)
        formats[index] = 1;
    return library.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
}

int postgres_send_script(connection *connection, const char *sql) { return library.PQsendQuery(connection, sql); }

int postgres_set_nonblocking(connection *connection) { return library.PQsetnonblocking(connection, 1); }

int postgres_flush(connection *connection) { return library.PQflush(connection); }

int postgres_consume_input(connection *connection) { return library.PQconsumeInput(connection); }

int postgres_is_busy(connection *connection) { return library.PQisBusy(connection); }

result *postgres_next_result(connection *connection) { return library.PQgetResult(connection); }

int postgres_result_status(const result *result) { return library.PQresultStatus(result); }

const char *postgres_result_field(const result *result, int field) { return library.PQresultErrorField(result, field); }

int postgres_row_count(const result *result) { return library.PQntuples(result); }

int postgres_column_count(const result *result) { return library.PQnfields(result); }

int postgres_is_null(const result *result, int row, int column) { return library.PQgetisnull(result, row, column); }

int postgres_length(const result *result, int row, int column) { return library.PQgetlength(result, row, column); }

const char *postgres_value(const result *result, int row, int column) {
    return library.PQgetvalue(result, row, column);
}

void postgres_clear(result *result) { library.PQclear(result); }
