// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// A batch between the acceptor's hands and its senders.
///
/// The acceptor may hold it longer than the connection lives: what then comes back only frees the room of the bodies.
final class PendingAnswers {
    typealias Answer = (request: any PushAnswering, acceptance: Acceptance?)

    struct Pending {
        /// The asker is nil once its connection is gone.
        var request: (any PushAnswering)?
        let byteCount: Int
    }

    private let listener: PushListener
    /// The connection is nil once it has closed.
    private var connection: PushConnection?
    /// A request that has its answer is nil here.
    private var requests: [Pending?]
    private var missing: Int

    init(connection: PushConnection, requests: [Pending]) {
        listener = connection.listener
        self.connection = connection
        self.requests = requests
        missing = requests.count
    }

    /// Counts once for each request, whatever the acceptor does; an empty answer says that there are no more.
    func deliver(_ answers: [Acceptance], from place: Int) {
        let answered =
            answers.isEmpty
            ? requests.indices.map { ($0, nil) } : zip(place..., answers).map { ($0, Optional($1)) }
        var delivered: [Answer] = []
        var byteCount = 0
        for (index, acceptance) in answered where requests.indices.contains(index) {
            guard let pending = requests[index].take() else { continue }
            missing -= 1
            byteCount += pending.byteCount
            if let request = pending.request { delivered.append((request, acceptance)) }
        }
        listener.hold(-byteCount)
        connection?.deliver(delivered, last: missing == 0 ? self : nil)
    }

    /// The connection is gone, and with it everybody who waits.
    func abandon() {
        connection = nil
        for index in requests.indices { requests[index]?.request = nil }
    }
}
