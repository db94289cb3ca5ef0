// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Another thread than the main one, on which code of language mode 5 calls UIKit with a warning.
@MainActor enum OtherThread {
    /// The function without the actor that it is of, as a function of such code has none.
    static func plain(_ body: @escaping @MainActor () -> Void) -> () -> Void {
        // SAFETY: the two have one layout, and what it captures is touched by one thread at a time.
        unsafeBitCast(body, to: (() -> Void).self)
    }

    /// Runs code on another thread.
    ///
    /// The main thread waits for it, so that a change that waited for the main thread would never come back.
    static func run(_ body: @escaping @MainActor () -> Void) {
        // SAFETY: what it captures is touched by one thread at a time, since this one waits.
        nonisolated(unsafe) let body = plain(body)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        isDone.wait()
    }

    /// Lets the turns of the main queue pass that are ordered up to now.
    static func turn() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
