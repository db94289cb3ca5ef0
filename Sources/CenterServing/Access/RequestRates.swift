// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore

/// The requests at a port, at the rate of the credential that they show and of its owner.
///
/// A request beyond a rate waits on its connection, so that a busy caller is slower and loses nothing; one that would
/// wait for too long is refused. The owner's own socket has no rate: nobody else may open it.
struct RequestRates {
    static let credential = CallRate(perSecond: 100, atOnce: 500)
    static let owner = CallRate(perSecond: 200, atOnce: 1000)
    /// A request that would wait for longer is refused.
    static let longestPause = Duration.seconds(2)
    /// Rates are let go when so many are kept and they stand as if nobody had asked.
    private static let keptCount = 1024

    /// The rates of credentials, by the hashes of their secrets.
    private var credentials: [[UInt8]: CallRate] = [:]
    private var owners: [OwnerName: CallRate] = [:]

    /// Takes the next turn and returns the time until it comes; `nil` means that it is too far away, and nothing was
    /// taken.
    mutating func take(_ key: Credential, at now: Duration) -> Duration? {
        forgetIdle(at: now)
        var credential = credentials[key.hash, default: Self.credential]
        var owner = owners[key.owner, default: Self.owner]
        let pause = max(credential.reserve(at: now), owner.reserve(at: now))
        guard pause <= Self.longestPause else { return nil }
        credentials[key.hash] = credential
        owners[key.owner] = owner
        return pause
    }

    private mutating func forgetIdle(at now: Duration) {
        if credentials.count >= Self.keptCount { credentials = credentials.filter { !$0.value.isIdle(at: now) } }
        if owners.count >= Self.keptCount { owners = owners.filter { !$0.value.isIdle(at: now) } }
    }
}
