// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

private import struct Foundation.Date

/// A Web Push server as its senders see it: `POST /push/<capability>`.
///
/// Source: RFC 8030, section 5; RFC 8291; RFC 8292; UnifiedPush, "Push server".
package struct WebPushService: Sendable {
    fileprivate let validator: WebPushValidator

    /// `alerts` has for each app, by its topic, what is shown in place of a message that cannot be opened.
    package init(
        origin: WebPushOrigin,
        subscriptions: any WebPushSubscriptions,
        alerts: [String: WebPushAlert] = [:]
    ) {
        validator = WebPushValidator(subscriptions: subscriptions, origin: origin, alerts: alerts)
    }
}

extension WebPushService: PushService {
    var name: String { "web-push" }

    func owns(_ path: String) -> Bool { path.hasPrefix(WebPushOrigin.subscriptionPath) }

    /// Each sender knows an endpoint that nobody can guess.
    var needsAuthentication: Bool { false }

    func exchange(method: String, path: String, from sender: SenderSession) -> any PushExchange {
        WebPushExchange(request: WebPushRequest(method: method, path: path), validator: validator, sender: sender)
    }
}

/// One request of a Web Push sender.
struct WebPushExchange: PushExchange {
    private var request: WebPushRequest
    private let validator: WebPushValidator
    private let sender: SenderSession
    private(set) var id = ""
    /// The seconds for which the push is kept.
    private var timeToLive = 0

    init(request: WebPushRequest, validator: WebPushValidator, sender: SenderSession) {
        self.request = request
        self.validator = validator
        self.sender = sender
    }

    private(set) var contentLength: Int?
    var source: LabelValue { "web-push" }
    var acceptedStatus: Int { 201 }

    mutating func add(_ name: String, _ value: String) {
        request.add(name, value)
    }

    mutating func judge() -> Result<any PushInWaiting, Refusal> {
        // Its strings may be long, and its stream may stay open.
        defer { request = WebPushRequest(method: "", path: "") }
        contentLength = request.contentLength
        id = sender.freshID()
        do {
            let head = try validator.judge(
                request,
                id: id,
                now: Date(),
                senders: &sender.vapid,
                looksAtTokens: !sender.hasFailedTooOften
            )
            timeToLive = head.timeToLive
            if !head.quirks.isEmpty { sender.saw(head.quirks) }
            return .success(head)
        } catch {
            if error == .invalidAuthorization { sender.noteFailedToken() }
            return .failure(Refusal(webPush: error))
        }
    }

    func refusal(_ fault: PushFault) -> Refusal { Refusal(webPush: fault) }

    /// A repeated push is found where it was first accepted.
    func addHeaders(to headers: inout some AnswerHeaders, acceptance: Acceptance?) {
        switch acceptance {
        case .accepted: headers.add("location", validator.origin.message(id))
        case .repeated(let first): headers.add("location", validator.origin.message(first))
        case .idTaken, .deviceBusy, .unavailable, .notStored, .badToken, nil: return
        }
        headers.add("ttl", String(timeToLive))
    }
}
