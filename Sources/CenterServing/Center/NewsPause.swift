// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// The pause between two lines of the log about one app, so that no app fills the log.
final class NewsPause: Sendable {
    /// The pause, in milliseconds.
    private static let pause: Int64 = 60_000
    /// The number of apps from which on those whose pause is over are forgotten.
    private static let limit = 1024

    private let last = Locked<[InstallationKey: Int64]>([:])

    /// Returns true for an app once in a minute of the machine's clock.
    func isDue(_ key: InstallationKey, at boot: Int64) -> Bool {
        last.withLock { last in
            if let former = last[key], boot - former < Self.pause { return false }
            if last.count >= Self.limit { last = last.filter { boot - $0.value < Self.pause } }
            last[key] = boot
            return true
        }
    }
}
