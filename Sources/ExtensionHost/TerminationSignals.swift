// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// SIGTERM and SIGINT as events: the first asks for a drain, the second ends the process at once.
struct TerminationSignals: ~Copyable {
    private let sources: [any DispatchSourceSignal]

    /// Calls `drain` at the first signal, on a queue of its own.
    init(drain: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "termination-signals")
        let first = FirstCall()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard first.isFirst() else { _exit(128 + number) }
                drain()
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    // SAFETY: only ever asked on the serial queue of the sources.
    private final class FirstCall: @unchecked Sendable {
        private var wasCalled = false

        func isFirst() -> Bool {
            defer { wasCalled = true }
            return !wasCalled
        }
    }
}
