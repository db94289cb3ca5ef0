// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locking

/// The time in which the body of a scene runs.
enum Drawing {
    private static let thread = Locked<pthread_t?>(nil)

    /// The body runs on this thread from now on.
    static func begin() { thread.withLock { $0 = pthread_self() } }

    /// The body has returned.
    static func end() { thread.withLock { $0 = nil } }

    /// True if a body calls this, directly or by what it calls.
    static var isUnderWay: Bool { thread.withLock { $0 == pthread_self() } }
}
