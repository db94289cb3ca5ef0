// SPDX-License-Identifier: Apache-2.0

import HostLog
import Locking

/// The way to the app's keychain, for module Security.
///
/// A worker asks its host, one call at a time; in any other process the items are kept in memory.
package enum HostKeychain {
    package typealias Exchange = @Sendable (KeychainCall) -> KeychainAnswer

    private struct State {
        var exchange: Exchange?
        var items = KeychainItems()
    }

    private static let state = Locked(State())

    /// Sends calls from now on to the host; nil keeps items in memory again, none at first.
    package static func redirect(to exchange: Exchange?) {
        state.withLock { state in
            state.exchange = exchange
            state.items = KeychainItems()
        }
    }

    /// Waits for the answer.
    package static func answer(to call: KeychainCall) -> KeychainAnswer {
        guard let exchange = state.withLock({ $0.exchange }) else {
            HostLog.warnOnce("no host keeps a keychain for this process: its items are gone with it")
            return state.withLock { $0.items.carryOut(call) }
        }
        return exchange(call)
    }
}
