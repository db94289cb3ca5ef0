/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread of the loader's time: 28. It is there before main, and acts when the process has loaded all its filters.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "attempts.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_t early;
static long unshare_result;
static int unshare_error;
static int open_error;

static void *act_later(void *unused) {
    (void)pthread_mutex_lock(&gate);
    (void)pthread_mutex_unlock(&gate);
    const int file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    open_error = file < 0 ? errno : 0;
    (void)close(file);
    unshare_result = unshare(CLONE_NEWUSER);
    unshare_error = errno;
    return unused;
}

static __attribute__((constructor)) void start_early(void) {
    (void)pthread_mutex_lock(&gate);
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, 65536);
    (void)pthread_create(&early, &attributes, act_later, NULL);
}

static void early_thread(const char *unused) {
    (void)unused;
    (void)pthread_mutex_unlock(&gate);
    (void)pthread_join(early, NULL);
    say_words(open_error == 0 ? "opened" : strerrorname_np(open_error));
    errno = unshare_error;
    say_result(unshare_result);
}

const struct attempt early_attempts[] = {{"early-thread", early_thread}, {NULL, NULL}};
