/* SPDX-License-Identifier: Apache-2.0
 *
 * Lies to the host: 17 (replies), 31 (attachments).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "attempts.h"
#include "hostile_attempts.h"

enum { HEADER = 9, CONTENT = 0x82, LOG = 0x83 };

/* An extension in Swift has a thread for each request, and what one still sends is never another's. */
static _Thread_local char request[8];

void hostile_request(const void *number) { memcpy(request, number, sizeof request); }

static ssize_t send_packet(unsigned char type, const char *number, const void *body, size_t length) {
    char header[HEADER] = {(char)type};
    memcpy(header + 1, number, sizeof request);
    struct iovec parts[] = {{header, sizeof header}, {(void *)body, length}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(3, &message, MSG_NOSIGNAL);
}

static ssize_t reply(const char *body) { return send_packet(CONTENT, request, body, strlen(body)); }

/* A valid one of so many bytes. */
static void large_reply(const char *size) {
    static const char head[] = "{\"payload\":{\"aps\":{\"alert\":\"large\"},\"x\":\"";
    const size_t length = (size_t)atoi(size);
    char *const body = malloc(length + sizeof head + 3);
    memset(body, 'x', length + sizeof head);
    memcpy(body, head, sizeof head - 1);
    memcpy(body + sizeof head - 1 + length, "\"}}", 3);
    say_result(send_packet(CONTENT, request, body, sizeof head - 1 + length + 3));
    free(body);
}

/* The caller's is the second. It has no words: the next request may be writing its own, in another thread. */
static void second_reply(const char *unused) {
    (void)unused;
    (void)reply("{\"payload\":{\"aps\":{\"alert\":{\"body\":\"first\"}}}}");
}

static void reply_flood(const char *unused) {
    (void)unused;
    static const char body[] = "{\"payload\":{\"aps\":{\"alert\":{\"body\":\"first\"}}}}";
    for (int count = 0; count < 5000; count++) {
        (void)reply(body);
    }
}

static void log_flood(const char *unused) {
    (void)unused;
    static const char none[8];
    static const char body[] = "{\"level\":\"fault\",\"message\":\"again\"}";
    while (send_packet(LOG, none, body, sizeof body - 1) > 0) {
    }
    say_result(-1);
}

static void other_request(const char *unused) {
    (void)unused;
    static const char number[8] = "\x7f\0\0\0\0\0\0";
    static const char body[] = "{\"payload\":{}}";
    say_result(send_packet(CONTENT, number, body, sizeof body - 1));
}

static void truncated_packet(const char *unused) {
    (void)unused;
    say_result(send(3, "\x82\0\0\0", 4, MSG_NOSIGNAL));
}

static void garbage(const char *unused) {
    (void)unused;
    say_result(send(3, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL));
}

static void truncated_json(const char *unused) {
    (void)unused;
    say_result(reply("{\"payload\":{\"aps\":"));
}

static void nested_json(const char *unused) {
    (void)unused;
    char body[40000] = "{\"payload\":";
    const size_t length = strlen(body);
    memset(body + length, '[', sizeof body - length - 1);
    say_result(reply(body));
}

static void other_bytes(const char *unused) {
    (void)unused;
    say_result(reply("{\"payload\":{\"aps\":{\"alert\":\"\xff\xfe\xc0\x80\"}}}"));
}

static void double_key(const char *unused) {
    (void)unused;
    say_result(reply("{\"payload\":{\"aps\":{\"alert\":\"a\"}},\"payload\":{\"aps\":{\"alert\":\"b\"}}}"));
}

/* One that is good, and what leads elsewhere: the test has put a link and a fifo into its home. */
static void attach(const char *unused) {
    (void)unused;
    char path[512];
    const char *const folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/good.png", folder != NULL ? folder : "/tmp");
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    say_result(write(file, "\x89PNG\r\n\x1a\n", 8));
    (void)close(file);
    static const char *const names[] = {"tmp/good.png", "../x",      "/etc/passwd",    "home/../../x",
                                        "home/link",    "home/fifo", "home/link/none", "home/missing"};
    char body[4096] = "{\"payload\":{\"aps\":{\"alert\":{\"body\":\"attached\"}}},\"attachments\":[";
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        const size_t length = strlen(body);
        const char *const format = "%s{\"identifier\":\"%zu\",\"path\":\"%s\",\"type\":\"public.png\"}";
        (void)snprintf(body + length, sizeof body - length, format, index == 0 ? "" : ",", index, names[index]);
    }
    (void)strcat(body, "]}");
    say_result(reply(body));
}

const struct attempt host_attempts[] = {
    {"large-reply", large_reply},
    {"second-reply", second_reply},
    {"reply-flood", reply_flood},
    {"log-flood", log_flood},
    {"other-request", other_request},
    {"truncated-packet", truncated_packet},
    {"garbage", garbage},
    {"truncated-json", truncated_json},
    {"nested-json", nested_json},
    {"other-bytes", other_bytes},
    {"double-key", double_key},
    {"attach", attach},
    {NULL, NULL},
};
