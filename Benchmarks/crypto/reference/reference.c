/* SPDX-License-Identifier: Apache-2.0 */
#include "crypto_reference.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

#define MAXIMUM_COUNT 4096

double reference_cpu_time(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) {
        return -1;
    }
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

double reference_seal_open(size_t count, int rounds) {
    unsigned char public_key[crypto_box_PUBLICKEYBYTES];
    unsigned char secret_key[crypto_box_SECRETKEYBYTES];
    unsigned char message[MAXIMUM_COUNT];
    unsigned char box[MAXIMUM_COUNT + crypto_box_SEALBYTES];
    if (count > MAXIMUM_COUNT || sodium_init() < 0) {
        return -1;
    }
    memset(message, 'a', sizeof message);
    crypto_box_keypair(public_key, secret_key);
    if (crypto_box_seal(box, message, count, public_key) != 0) {
        return -1;
    }
    const double start = reference_cpu_time();
    for (int round = 0; round < rounds; round++) {
        if (crypto_box_seal_open(message, box, count + crypto_box_SEALBYTES, public_key, secret_key) != 0) {
            return -1;
        }
    }
    return (reference_cpu_time() - start) / rounds;
}

double reference_seal(size_t count, int rounds) {
    unsigned char public_key[crypto_box_PUBLICKEYBYTES];
    unsigned char secret_key[crypto_box_SECRETKEYBYTES];
    unsigned char message[MAXIMUM_COUNT];
    unsigned char box[MAXIMUM_COUNT + crypto_box_SEALBYTES];
    if (count > MAXIMUM_COUNT || sodium_init() < 0) {
        return -1;
    }
    memset(message, 'a', sizeof message);
    crypto_box_keypair(public_key, secret_key);
    const double start = reference_cpu_time();
    for (int round = 0; round < rounds; round++) {
        if (crypto_box_seal(box, message, count, public_key) != 0) {
            return -1;
        }
    }
    return (reference_cpu_time() - start) / rounds;
}

double reference_base64url(size_t count, int rounds) {
    unsigned char bytes[MAXIMUM_COUNT];
    char text[sodium_base64_ENCODED_LEN(MAXIMUM_COUNT, sodium_base64_VARIANT_URLSAFE_NO_PADDING)];
    if (count > MAXIMUM_COUNT || sodium_init() < 0) {
        return -1;
    }
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(text, sizeof text, bytes, count, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    const size_t length = strlen(text);
    size_t decoded = 0;
    const double start = reference_cpu_time();
    for (int round = 0; round < rounds; round++) {
        if (sodium_base642bin(bytes, sizeof bytes, text, length, NULL, &decoded, NULL,
                              sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0) {
            return -1;
        }
    }
    return (reference_cpu_time() - start) / rounds;
}
