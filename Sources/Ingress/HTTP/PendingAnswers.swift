// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// Takes the answers of a batch back to its requests.
protocol AnswerReceiving: AnyObject {
    /// Takes answers that came back; `batch` is given when they were its last.
    func deliver(_ answers: [PendingAnswers.Answer], last batch: PendingAnswers?)
}

/// A batch between the acceptor's hands and its senders.
///
/// The acceptor may hold it longer than the connection lives: what then comes back only frees the room of the bodies.
final class PendingAnswers {
    typealias Answer = (request: any PushAnswering, acceptance: Acceptance?)

    struct Pending {
        /// `nil` means that the connection of the request is gone.
        var request: (any PushAnswering)?
        let byteCount: Int
    }

    private let bodies: ConnectionBodies
    /// `nil` means that the connection has closed.
    private var receiver: (any AnswerReceiving)?
    /// `nil` means that the request has its answer.
    private var requests: [Pending?]
    private var missing: Int

    init(requests: [Pending], bodies: ConnectionBodies, receiver: any AnswerReceiving) {
        self.bodies = bodies
        self.receiver = receiver
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
        bodies.count(-byteCount)
        receiver?.deliver(delivered, last: missing == 0 ? self : nil)
    }

    /// Forgets everybody who waits, because the connection is gone.
    func abandon() {
        receiver = nil
        for index in requests.indices { requests[index]?.request = nil }
    }
}
