/* SPDX-License-Identifier: Apache-2.0 */

/* Foundation reads /dev/urandom for an identifier, and takes zeros where there is none: every UUID of a sandboxed
   process would be the same. `extension-host build` has the linker put these in the places of its two functions
   (--wrap). */

#include <stdlib.h>
#include <sys/random.h>

void __wrap_uuid_generate_random(unsigned char out[16]);
void __wrap__foundation_uuid_generate_random(unsigned char out[16]);

/* Version 4, RFC 9562, section 5.4. */
void __wrap_uuid_generate_random(unsigned char out[16]) {
    if (getrandom(out, 16, 0) != 16) {
        abort();
    }
    out[6] = (unsigned char)((out[6] & 0x0F) | 0x40);
    out[8] = (unsigned char)((out[8] & 0x3F) | 0x80);
}

void __wrap__foundation_uuid_generate_random(unsigned char out[16]) { __wrap_uuid_generate_random(out); }
