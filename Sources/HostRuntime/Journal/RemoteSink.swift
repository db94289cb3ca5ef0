// SPDX-License-Identifier: Apache-2.0

/// Takes records over a network, one attempt a call; what failed is tried again from the journal.
package protocol RemoteSink: Sendable {
    /// Stable: records wait under this name across restarts.
    var name: String { get }
    /// One attempt; returns within its own time-out. A cancelled call is a failed attempt.
    func send(_ record: OutboxRecord) async -> Sending
    /// Closes what the sink has open; nothing is under way any more.
    func close() async
}

extension RemoteSink {
    package func close() async {}
}

/// The result of one attempt.
package enum Sending: Sendable, Equatable {
    case delivered
    /// May succeed later; `after` is the other side's own wish.
    case failed(reason: String, after: Duration?)
    /// Would fail each time.
    case refused(reason: String)
    /// The target of the record is gone; its device token is to be removed.
    case gone(reason: String)
}
