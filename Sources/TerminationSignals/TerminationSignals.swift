// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Locking

/// SIGTERM and SIGINT as events: the first asks for an end, the second ends the process at once.
package struct TerminationSignals: ~Copyable {
    private let sources: [any DispatchSourceSignal]

    /// Calls `stop` at the first signal, on a queue of its own.
    package init(stop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "termination-signals")
        let isStopping = Locked(false)
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let isSecond = isStopping.withLock { isStopping in
                    defer { isStopping = true }
                    return isStopping
                }
                if isSecond { _exit(128 + number) }
                stop()
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
