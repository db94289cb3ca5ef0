/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of PostgreSQL's client library, libpq, that the fleet calls; the library is loaded by the first call.
 *
 * Nothing links libpq: it brings OpenSSL, LDAP and Kerberos with it, and a host that is no member of a fleet shall
 * neither need nor load them. The functions here have libpq's names behind `postgres_`, its arguments and its results;
 * its binary interface, libpq.so.5, has been the same since 2006. Source: PostgreSQL 15, "libpq - C Library".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct pg_conn;
struct pg_result;

/* ConnStatusType, PQping aside. */
enum { POSTGRES_CONNECTION_OK = 0, POSTGRES_CONNECTION_BAD = 1 };

/* ExecStatusType: what a result can be that ends a call. */
enum { POSTGRES_COMMAND_OK = 1, POSTGRES_TUPLES_OK = 2 };

/* The fields of an error or a notice that are asked for, as the protocol names them. */
enum {
    POSTGRES_FIELD_SQLSTATE = 'C',
    POSTGRES_FIELD_MESSAGE = 'M',
    POSTGRES_FIELD_DETAIL = 'D',
    POSTGRES_FIELD_FUNCTION = 'R',
};

/* Loads the library if it is not loaded; null, or what the loader says. May be called from any thread. */
const char *postgres_load(void);

/* All below may be called only after `postgres_load` has returned null. */
struct pg_conn *postgres_connect(const char *const *keywords, const char *const *values);
void postgres_finish(struct pg_conn *connection);
int postgres_status(const struct pg_conn *connection);
int postgres_socket(const struct pg_conn *connection);
int postgres_server_version(const struct pg_conn *connection);
/* The host and the port of the server that was reached, as the connection string names them. */
const char *postgres_host(const struct pg_conn *connection);
const char *postgres_port(const struct pg_conn *connection);
const char *postgres_error(const struct pg_conn *connection);

/* The options of a connection string, or null if it is none. The end of the list has a null keyword; an option that the
 * text does not give has a null value. */
struct postgres_options;
struct postgres_options *postgres_parse(const char *conninfo);
const char *postgres_parsed_keyword(const struct postgres_options *options, int index);
const char *postgres_parsed_value(const struct postgres_options *options, int index);
void postgres_parse_free(struct postgres_options *options);

/* Calls `receive` with each notice instead of printing it on standard error; the result is the library's. */
void postgres_set_notice_receiver(struct pg_conn *connection,
                                  void (*receive)(void *context, const struct pg_result *notice), void *context);

/* From now on nothing that sends blocks; 0 if that went well. */
int postgres_set_nonblocking(struct pg_conn *connection);
/* 0 if all is sent, 1 if the socket takes no more now, -1 if the connection is broken. */
int postgres_flush(struct pg_conn *connection);

/* Each of these three: 1 if it was taken for sending, 0 if not. Parameters and results are in the binary format. */
int postgres_send_prepare(struct pg_conn *connection, const char *name, const char *sql);
int postgres_send_prepared(struct pg_conn *connection, const char *name, int count, const char *const *values,
                           const int *lengths);
/* Several statements, without parameters; results are in the text format. */
int postgres_send_script(struct pg_conn *connection, const char *sql);

/* Reads what the socket has; 0 if the connection is broken. */
int postgres_consume_input(struct pg_conn *connection);
/* 0 if `postgres_next_result` would not block. */
int postgres_is_busy(struct pg_conn *connection);
/* Null at the end of a call's results. */
struct pg_result *postgres_next_result(struct pg_conn *connection);

int postgres_result_status(const struct pg_result *result);
const char *postgres_result_field(const struct pg_result *result, int field);
int postgres_row_count(const struct pg_result *result);
int postgres_column_count(const struct pg_result *result);
int postgres_is_null(const struct pg_result *result, int row, int column);
int postgres_length(const struct pg_result *result, int row, int column);
const char *postgres_value(const struct pg_result *result, int row, int column);
void postgres_clear(struct pg_result *result);
