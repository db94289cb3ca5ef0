/* SPDX-License-Identifier: Apache-2.0 */
#include "crypto_reference.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)65536)
#define OVERHEAD crypto_secretstream_xchacha20poly1305_ABYTES
#define HEADER crypto_secretstream_xchacha20poly1305_HEADERBYTES

static const unsigned char preamble[8] = {'N', 'S', 'E', 'A', 1, 16, 0, 0};

/* What both ways work with. */
struct job {
    int source;
    int target;
    crypto_secretstream_xchacha20poly1305_state stream;
    crypto_generichash_state digest;
};

/* Fills `bytes` as far as the file lasts; -1 when it cannot be read. */
static ssize_t fill(int file, unsigned char *bytes, size_t count) {
    size_t got = 0;
    while (got < count) {
        const ssize_t some = read(file, bytes + got, count - got);
        if (some < 0 && errno == EINTR) {
            continue;
        }
        if (some < 0) {
            return -1;
        }
        if (some == 0) {
            break;
        }
        got += (size_t)some;
    }
    return (ssize_t)got;
}

static bool send_all(int file, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t some = write(file, bytes, count);
        if (some < 0 && errno == EINTR) {
            continue;
        }
        if (some <= 0) {
            return false;
        }
        bytes += some;
        count -= (size_t)some;
    }
    return true;
}

static bool seal(struct job *job, const unsigned char *key) {
    static unsigned char plain[2][CHUNK];
    static unsigned char sealed[CHUNK + OVERHEAD];
    unsigned char prefix[sizeof preamble + HEADER];
    memcpy(prefix, preamble, sizeof preamble);
    crypto_secretstream_xchacha20poly1305_init_push(&job->stream, prefix + sizeof preamble, key);
    crypto_generichash_update(&job->digest, prefix, sizeof prefix);
    if (!send_all(job->target, prefix, sizeof prefix)) {
        return false;
    }
    ssize_t count = fill(job->source, plain[0], CHUNK);
    for (size_t index = 0; count >= 0; index++) {
        const ssize_t next = fill(job->source, plain[(index + 1) % 2], CHUNK);
        const unsigned char tag = next == 0 ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0;
        crypto_secretstream_xchacha20poly1305_push(&job->stream, sealed, NULL, plain[index % 2],
                                                   (unsigned long long)count, preamble,
                                                   index == 0 ? sizeof preamble : 0, tag);
        crypto_generichash_update(&job->digest, sealed, (size_t)count + OVERHEAD);
        if (next < 0 || !send_all(job->target, sealed, (size_t)count + OVERHEAD)) {
            return false;
        }
        if (next == 0) {
            return true;
        }
        count = next;
    }
    return false;
}

static bool open_sealed(struct job *job, const unsigned char *key) {
    static unsigned char plain[CHUNK];
    static unsigned char sealed[CHUNK + OVERHEAD];
    unsigned char prefix[sizeof preamble + HEADER];
    if (fill(job->source, prefix, sizeof prefix) != (ssize_t)sizeof prefix ||
        memcmp(prefix, preamble, sizeof preamble) != 0 ||
        crypto_secretstream_xchacha20poly1305_init_pull(&job->stream, prefix + sizeof preamble, key) != 0) {
        return false;
    }
    crypto_generichash_update(&job->digest, prefix, sizeof prefix);
    unsigned char tag = 0;
    for (size_t index = 0; tag != crypto_secretstream_xchacha20poly1305_TAG_FINAL; index++) {
        const ssize_t count = fill(job->source, sealed, sizeof sealed);
        if (count < (ssize_t)OVERHEAD) {
            return false;
        }
        crypto_generichash_update(&job->digest, sealed, (size_t)count);
        if (crypto_secretstream_xchacha20poly1305_pull(&job->stream, plain, NULL, &tag, sealed,
                                                       (unsigned long long)count, preamble,
                                                       index == 0 ? sizeof preamble : 0) != 0 ||
            !send_all(job->target, plain, (size_t)count - OVERHEAD)) {
            return false;
        }
    }
    return fill(job->source, sealed, 1) == 0;
}

static int work(const char *source, const char *target, const unsigned char *key, unsigned char *digest,
                bool (*body)(struct job *, const unsigned char *)) {
    struct job job;
    if (sodium_init() < 0) {
        return -1;
    }
    crypto_generichash_init(&job.digest, NULL, 0, REFERENCE_DIGEST);
    job.source = open(source, O_RDONLY | O_CLOEXEC);
    job.target = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool done = job.source >= 0 && job.target >= 0 && body(&job, key) && fsync(job.target) == 0;
    crypto_generichash_final(&job.digest, digest, REFERENCE_DIGEST);
    if (job.source >= 0) {
        close(job.source);
    }
    if (job.target >= 0) {
        close(job.target);
    }
    return done ? 0 : -1;
}

int reference_attachment_seal(const char *source, const char *target, const unsigned char *key, unsigned char *digest) {
    return work(source, target, key, digest, seal);
}

int reference_attachment_open(const char *source, const char *target, const unsigned char *key, unsigned char *digest) {
    return work(source, target, key, digest, open_sealed);
}
