// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import NIOCore

/// Lets answers through to the event loop while it runs.
final class AnswerGate: Sendable {
    private let isOpen = Locked(true)

    func execute(on eventLoop: any EventLoop, _ task: @escaping @Sendable () -> Void) {
        isOpen.withLock { isOpen in
            if isOpen { eventLoop.execute(task) }
        }
    }

    func shut() {
        isOpen.withLock { $0 = false }
    }
}
