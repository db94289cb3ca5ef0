// SPDX-License-Identifier: Apache-2.0

// The functions of Swift's library that make a checked continuation, under their own symbols: `make tsan` links these
// instead, and all that calls the others calls them. `continuation.c` says what the thread sanitizer is not told.

#if THREAD_SANITIZER
import Interposed

@_silgen_name("$ss23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF")
package func checkedContinuation<Value>(
    isolation: isolated (any Actor)?,
    function: String,
    _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> sending Value {
    let value: Value = await withUnsafeContinuation(isolation: isolation) {
        body(CheckedContinuation(continuation: $0, function: function))
    }
    continuation_was_resumed()
    return value
}

@_silgen_name("$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF")
package func checkedThrowingContinuation<Value>(
    isolation: isolated (any Actor)?,
    function: String,
    _ body: (CheckedContinuation<Value, any Error>) -> Void
) async throws -> sending Value {
    defer { continuation_was_resumed() }
    return try await withUnsafeThrowingContinuation(isolation: isolation) {
        body(CheckedContinuation(continuation: $0, function: function))
    }
}
#endif
