// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import NIOCore

/// The look-ups of one app, of all its workers and files: few at a time, so that it does not take the resolver from
/// others.
///
/// One that was given up counts until the resolver is done with it, for until then it keeps a thread.
final class NameQueue {
    /// One look-up that somebody waits for.
    final class LookUp {
        fileprivate let name: String
        fileprivate var answer: (([IPAddress]) -> Void)?

        fileprivate init(_ name: String, _ answer: @escaping ([IPAddress]) -> Void) {
            self.name = name
            self.answer = answer
        }
    }

    private unowned let loop: ProxyLoop
    private var openCount = 0
    /// No more than there are connections and files: what is given up leaves.
    private var waiting = CircularBuffer<LookUp>()

    init(_ loop: ProxyLoop) {
        self.loop = loop
    }

    func lookUp(_ name: String, _ answer: @escaping ([IPAddress]) -> Void) -> LookUp {
        let lookUp = LookUp(name, answer)
        waiting.append(lookUp)
        startNext()
        return lookUp
    }

    /// Nobody waits for it any more; without effect when it has answered.
    func cancel(_ lookUp: LookUp) {
        lookUp.answer = nil
        waiting.removeAll { $0 === lookUp }
    }

    private func startNext() {
        guard openCount < loop.limits.lookUps, let next = waiting.popFirst() else { return }
        openCount += 1
        let finish = NIOLoopBound(
            { [self] (addresses: [IPAddress]) in
                openCount -= 1
                next.answer?(addresses)
                startNext()
            },
            eventLoop: loop.eventLoop
        )
        loop.resolver.resolve(next.name) { [execute = loop.execute] addresses in
            execute { finish.value(addresses) }
        }
    }
}
