// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// SIGHUP as an event: files are to be read again.
package struct RenewalSignal: ~Copyable {
    private let source: any DispatchSourceSignal

    /// Has the signal end the process no more; one that comes before `init` is without effect.
    package static func prepare() { signal(SIGHUP, SIG_IGN) }

    /// Calls `renew` at each signal, one after the other, on a queue of its own.
    package init(renew: @escaping @Sendable () -> Void) {
        Self.prepare()
        source = DispatchSource.makeSignalSource(
            signal: SIGHUP,
            queue: DispatchQueue(label: "renewal-signal")
        )
        source.setEventHandler(handler: renew)
        source.resume()
    }

    deinit { source.cancel() }
}
