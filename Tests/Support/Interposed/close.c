// SPDX-License-Identifier: Apache-2.0

// Takes the place of `close` in the program of all tests and ends it when a descriptor is closed that is not open.
//
// Whoever closes a descriptor twice closes, one time in some thousand, what another thread has opened in between: a
// test that has nothing to do with it then fails. The thread sanitizer has a `close` of its own, which stays.

#include "interposed.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LEAVES_CLOSE_ALONE
#endif
#endif

#ifdef LEAVES_CLOSE_ALONE

bool close_is_watched(void) { return false; }

#else

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

bool close_is_watched(void) { return true; }

int close(int descriptor) {
    long result = syscall(SYS_close, descriptor);
    // -1 is what a failed `open` returns; no descriptor of another thread has that number.
    if (result == 0 || errno != EBADF || descriptor < 0)
        return (int)result;
    dprintf(STDERR_FILENO, "Fatal error: descriptor %d was closed and is not open\n", descriptor);
    // As Swift's own preconditions do, so that its backtrace names the callers.
    __builtin_trap();
}

#endif
