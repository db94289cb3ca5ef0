// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// The pause between two lines of the log about one app, so that no app fills the log.
final class NewsPause: Sendable {
    /// Milliseconds.
    private static let pause: Int64 = 60_000

    private let last = Locked<[InstallationKey: Int64]>([:])

    /// True once a minute for an app, by the machine's clock; only for apps that the store has, which are bounded.
    func isDue(_ key: InstallationKey, at boot: Int64) -> Bool {
        last.withLock { last in
            if let former = last[key], boot - former < Self.pause { return false }
            last[key] = boot
            return true
        }
    }
}
