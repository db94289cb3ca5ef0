// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

internal import struct Foundation.Date

/// APNs' provider API: `POST /3/device/<device token>`.
///
/// Source: Apple, "Sending notification requests to APNs".
struct APNsService: PushService {
    let validator: PushValidator

    var name: String { "apns" }

    func owns(_ path: String) -> Bool { path.hasPrefix("/3/") }

    /// A device token is no secret: gateways keep lists of them.
    var needsAuthentication: Bool { true }

    func exchange(method: String, path: String, from sender: SenderSession) -> any PushExchange {
        APNsExchange(request: ProviderRequest(method: method, path: path), validator: validator, sender: sender)
    }
}

/// One request of a provider.
struct APNsExchange: PushExchange {
    private var request: ProviderRequest
    private let validator: PushValidator
    private let sender: SenderSession
    private(set) var id = ""

    init(request: ProviderRequest, validator: PushValidator, sender: SenderSession) {
        self.request = request
        self.validator = validator
        self.sender = sender
    }

    private(set) var contentLength: Int?
    var acceptedStatus: Int { 200 }
    var source: LabelValue { "apns" }

    mutating func add(_ name: String, _ value: String) {
        request.add(name, value)
    }

    mutating func judge() -> Result<any PushInWaiting, Refusal> {
        // Its strings may be long, and its stream may stay open.
        defer { request = ProviderRequest(method: "", path: "") }
        contentLength = request.contentLength
        id = request.repeatableID ?? sender.freshID()
        do {
            let head = try validator.judge(request, freshID: id, now: Date(), authorize: sender.authorize)
            if !head.quirks.isEmpty { sender.saw(head.quirks) }
            return .success(head)
        } catch {
            return .failure(error)
        }
    }

    func refusal(_ fault: PushFault) -> Refusal { Refusal(apns: fault) }

    func addHeaders(to headers: inout some AnswerHeaders, acceptance: Acceptance?) {
        headers.add("apns-id", id)
        if validator.environment == .development {
            headers.add("apns-unique-id", sender.freshID())
        }
    }
}
