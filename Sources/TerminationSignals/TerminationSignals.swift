// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Locking

/// SIGTERM and SIGINT as events: the first asks for an end, the second ends the process at once.
package struct TerminationSignals: ~Copyable {
    private let sources: [any DispatchSourceSignal]

    /// Calls `stop` at the first signal, on a queue of its own.
    ///
    /// A signal that comes before `init` returns ends the process: there is no time in which one is ignored.
    package init(stop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "termination-signals")
        let isStopping = Locked(false)
        sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let isSecond = isStopping.withLock { isStopping in
                    defer { isStopping = true }
                    return isStopping
                }
                if isSecond { _exit(128 + number) }
                stop()
            }
            let isListening = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            isListening.wait()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
