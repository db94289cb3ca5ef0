// SPDX-License-Identifier: Apache-2.0

import Locking
import UserNotifications

/// A request of the host that waits for its completion, and the extension instance that works on it.
final class OpenRequest: Sendable {
    // SAFETY: Apple's contract calls one instance from two threads, `didReceive` and the last call; keeping its own
    // state in order is the extension's part.
    /// An instance on its way between threads.
    struct Instance: @unchecked Sendable {
        let service: UNNotificationServiceExtension
    }

    private enum Stage {
        /// The instance is being made; the last call may come meanwhile.
        case starting(expired: Bool)
        case running(Instance)
        case closed
    }

    private let stage = Locked(Stage.starting(expired: false))

    let id: UInt64
    /// Files came with it.
    let hasAttachments: Bool

    init(id: UInt64, hasAttachments: Bool = false) {
        self.id = id
        self.hasAttachments = hasAttachments
    }

    /// Holds the instance until `close()`; true when the last call came before it.
    func begin(_ instance: Instance) -> Bool {
        stage.withLock { stage in
            guard case .starting(let expired) = stage else { return false }
            stage = .running(instance)
            return expired
        }
    }

    /// The instance to give the last call to; nil while it is being made, and after the completion.
    func expire() -> Instance? {
        stage.withLock { stage in
            switch stage {
            case .starting:
                stage = .starting(expired: true)
                return nil
            case .running(let instance): return instance
            case .closed: return nil
            }
        }
    }

    /// Lets go of the instance, which may end its life here.
    func close() {
        // Released outside the lock: the extension's `deinit` is foreign code.
        let last = stage.withLock { stage in
            defer { stage = .closed }
            return stage
        }
        _ = last
    }
}
