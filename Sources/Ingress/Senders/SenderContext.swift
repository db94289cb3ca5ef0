// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The state that the sessions of one listener's senders share; it lives on the listener's event loop.
final class SenderContext {
    let environment: PushEnvironment
    let conformance: Conformance
    let counters: IngressCounters
    /// `nil` means that whoever reaches the address may send.
    private(set) var authentication: SenderAuthentication?
    /// Grows each time keys or certificates of senders may have changed.
    private(set) var version = 0
    private var messageIDs = MessageIDGenerator()

    init(
        authentication: SenderAuthentication?,
        environment: PushEnvironment,
        conformance: Conformance,
        counters: IngressCounters
    ) {
        self.authentication = authentication
        self.environment = environment
        self.conformance = conformance
        self.counters = counters
    }

    /// Judges by other keys and certificates from now on, on open connections too.
    func use(_ authentication: SenderAuthentication?) {
        self.authentication = authentication
        version += 1
    }

    /// Returns a random identifier, a version 4 UUID in lower case.
    func freshID() -> String { messageIDs.next() }
}
