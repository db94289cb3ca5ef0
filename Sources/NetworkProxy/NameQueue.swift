// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import NIOCore

/// The look-ups of one worker, or of one app's files: a few at a time, so that nobody keeps the resolver from the others.
final class NameQueue {
    private unowned let loop: ProxyLoop
    private var openCount = 0
    private var waiting = CircularBuffer<() -> Void>()

    init(_ loop: ProxyLoop) {
        self.loop = loop
    }

    func lookUp(_ name: String, _ answer: @escaping ([IPAddress]) -> Void) {
        guard openCount < loop.limits.lookUps else {
            // No more wait than there are connections.
            waiting.append { [self] in lookUp(name, answer) }
            return
        }
        openCount += 1
        let finish = NIOLoopBound(
            { [self] (addresses: [IPAddress]) in
                openCount -= 1
                answer(addresses)
                waiting.popFirst()?()
            },
            eventLoop: loop.eventLoop
        )
        loop.resolver.resolve(name) { [execute = loop.execute] addresses in
            execute { finish.value(addresses) }
        }
    }

    func close() {
        waiting.removeAll()
    }
}
