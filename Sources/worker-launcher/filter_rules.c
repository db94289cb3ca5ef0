/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "filter_code.h"

#define THREAD_FLAGS (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define NAMESPACE_FLAGS                                                                                                \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define WITHOUT_TYPE_FLAGS (LOW & ~(uint64_t)(SOCK_CLOEXEC | SOCK_NONBLOCK))

/* A thread, and nothing more: a child would outlive what the host can count. clone3 hides its flags behind a pointer;
 * it answers ENOSYS, and libraries come back to this one. */
const struct rule clone_rule = {"clone", ERROR(EPERM), {{ALLOW, {{0, THREAD_FLAGS | NAMESPACE_FLAGS, THREAD_FLAGS}}}}};

const struct rule prlimit_rule = {"prlimit64", ERROR(EPERM), {{ALLOW, {{0, LOW, 0}, {2, WHOLE, 0}}}}};

/* With network: TCP over IPv4, and no protocol beside it (MPTCP is a number of its own). */
const struct rule socket_rule = {
    "socket",
    ERROR(EAFNOSUPPORT),
    {{ALLOW, {{0, LOW, AF_INET}, {1, WITHOUT_TYPE_FLAGS, SOCK_STREAM}, {2, LOW, 0}}},
     {ALLOW, {{0, LOW, AF_INET}, {1, WITHOUT_TYPE_FLAGS, SOCK_STREAM}, {2, LOW, IPPROTO_TCP}}}}};

/* Libraries wake a thread through one. */
const struct rule socketpair_rule = {
    "socketpair", ERROR(EPERM), {{ALLOW, {{0, LOW, AF_UNIX}, {1, WITHOUT_TYPE_FLAGS, SOCK_STREAM}}}}};

/* Delays, buffers and signs of life; not the options that load programs into the kernel or change its protocols. */
const struct rule setsockopt_rule = {"setsockopt",
                                     ERROR(ENOPROTOOPT),
                                     {{ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_KEEPALIVE}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_REUSEADDR}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_SNDBUF}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_RCVBUF}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_LINGER}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_RCVTIMEO}}},
                                      {ALLOW, {{1, LOW, SOL_SOCKET}, {2, LOW, SO_SNDTIMEO}}},
                                      {ALLOW, {{1, LOW, IPPROTO_TCP}, {2, LOW, TCP_NODELAY}}},
                                      {ALLOW, {{1, LOW, IPPROTO_TCP}, {2, LOW, TCP_KEEPIDLE}}},
                                      {ALLOW, {{1, LOW, IPPROTO_TCP}, {2, LOW, TCP_KEEPINTVL}}},
                                      {ALLOW, {{1, LOW, IPPROTO_TCP}, {2, LOW, TCP_KEEPCNT}}},
                                      {ALLOW, {{1, LOW, IPPROTO_TCP}, {2, LOW, TCP_USER_TIMEOUT}}}}};

void add_rule(struct filter_description *description, const struct rule *rule) {
    size_t index = 0;
    while (index < MOST_RULES - 1 && description->rules[index] != NULL) {
        index++;
    }
    description->rules[index] = rule;
}

void add_list(struct filter_description *description, uint32_t action, const char *const *names) {
    size_t index = 0;
    while (index < MOST_LISTS - 1 && description->lists[index].names != NULL) {
        index++;
    }
    description->lists[index] = (struct filter_calls){action, names};
}
