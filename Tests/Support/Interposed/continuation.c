// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer what a continuation orders when it is resumed before it is awaited.
//
// The runtime of Swift tells it of every resumption, and of a task that is run again behind one. A task that finds its
// continuation resumed when it comes to await it goes on at once, and that is told nowhere (Swift 6.3): what another
// thread wrote before the resumption is then reported as a data race, one time in some thousand tests.
//
// `swift_continuation_await` of this program is called for the continuations that are unsafe; one that is resumed
// between its two steps stays untold. Those that are checked are awaited inside the runtime's library, and
// `CheckedContinuations.swift`, which has the functions that make them, tells of them afterwards.

#include "interposed.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TELLS_THE_SANITIZER
#endif
#endif

#ifndef TELLS_THE_SANITIZER

void continuation_was_resumed(void) {}

#else

#include <dlfcn.h>
#include <stdio.h>

void __tsan_acquire(void *address);
__attribute__((swiftcall)) void *swift_task_getCurrent(void);

typedef __attribute__((swiftasynccall)) void await(void *context);
static await *await_of_runtime;

__attribute__((constructor)) static void find_await_of_runtime(void) {
    await_of_runtime = (await *)dlsym(RTLD_NEXT, "swift_continuation_await");
    if (await_of_runtime)
        return;
    fputs("Fatal error: Swift's runtime has no swift_continuation_await\n", stderr);
    __builtin_trap();
}

void continuation_was_resumed(void) { __tsan_acquire(swift_task_getCurrent()); }

/// Awaits the continuation with this context as the runtime does, having told of a resumption that came before.
__attribute__((swiftasynccall)) void swift_continuation_await(void *context) {
    continuation_was_resumed();
    __attribute__((musttail)) return await_of_runtime(context);
}

#endif
