/* SPDX-License-Identifier: Apache-2.0 */

/* Foundation reads /dev/urandom for an identifier, and takes zeros where there is none: every UUID of a sandboxed
   process would be the same. `extension-host build` has the linker put these in the places of its two functions
   (--wrap). In a program that `swift build` has linked beside Foundation's libraries their plain names come before
   Foundation's; they are weak, because where Foundation is a part of the program its own are there too. */

#include <stdlib.h>
#include <sys/random.h>

void __wrap_uuid_generate_random(unsigned char out[16]);
void __wrap__foundation_uuid_generate_random(unsigned char out[16]);
void uuid_generate_random(unsigned char out[16]) __attribute__((weak));
void _foundation_uuid_generate_random(unsigned char out[16]) __attribute__((weak));

/* Version 4, RFC 9562, section 5.4. */
void __wrap_uuid_generate_random(unsigned char out[16]) {
    if (getrandom(out, 16, 0) != 16) {
        abort();
    }
    out[6] = (unsigned char)((out[6] & 0x0F) | 0x40);
    out[8] = (unsigned char)((out[8] & 0x3F) | 0x80);
}

void __wrap__foundation_uuid_generate_random(unsigned char out[16]) { __wrap_uuid_generate_random(out); }

void uuid_generate_random(unsigned char out[16]) { __wrap_uuid_generate_random(out); }

void _foundation_uuid_generate_random(unsigned char out[16]) { __wrap_uuid_generate_random(out); }
