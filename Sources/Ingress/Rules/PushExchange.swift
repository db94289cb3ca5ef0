// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

internal import struct Foundation.Date

/// An interface that senders speak over HTTP: APNs' provider API, Web Push.
///
/// Listeners, connections, deadlines, limits and drains are alike for all of them and know nothing else.
protocol PushService: Sendable {
    /// The name of the interface in logs.
    var name: String { get }
    /// True if a listener without authentication has to stay on loopback, because whoever reaches the address may send.
    ///
    /// An interface whose addresses nobody can guess may be reached by everybody.
    var needsAuthentication: Bool { get }
    /// Returns whether requests for this path belong to the interface.
    func owns(_ path: String) -> Bool
    /// Begins a request of a connection's senders; its headers follow.
    func exchange(method: String, path: String, from sender: SenderSession) -> any PushExchange
}

/// One request and its answer: headers in, a verdict and the headers of the answer out; no I/O.
protocol PushExchange {
    /// The identifier of the request in its answer and in logs; empty before `judge`.
    var id: String { get }
    /// Bytes of body that were announced; nil when absent or no number, and before `judge`.
    var contentLength: Int? { get }
    /// The interface, as metrics name it.
    var source: LabelValue { get }
    /// The status of an accepted push.
    var acceptedStatus: Int { get }
    /// Takes one header, its name in lower case.
    mutating func add(_ name: String, _ value: String)
    /// Judges the headers, once, after the last of them.
    mutating func judge() -> Result<any PushInWaiting, Refusal>
    /// Puts into this interface's words what is wrong with the request beyond its own rules.
    func refusal(_ fault: PushFault) -> Refusal
    /// Adds what belongs to this interface's answers alone; a refusal has no `acceptance`.
    func addHeaders(to headers: inout some AnswerHeaders, acceptance: Acceptance?)
}

extension PushExchange {
    /// Returns the answer to a request that is turned away.
    func refusal(_ turndown: Turndown) -> Refusal {
        switch turndown {
        case .judged(let refusal): refusal
        case .fault(let fault): refusal(fault)
        }
    }
}

/// A push whose headers were taken; only its body is missing.
protocol PushInWaiting {
    /// The longest body that the push may have, in bytes.
    var maximumByteCount: Int { get }
    /// Joins the body to the head.
    func join(_ body: Span<UInt8>, receivedAt: Date) throws(Refusal) -> IncomingPush
}
