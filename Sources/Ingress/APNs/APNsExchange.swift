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

    func exchange(method: String, path: String, on connection: PushConnection) -> any PushExchange {
        APNsExchange(request: ProviderRequest(method: method, path: path), validator: validator, connection: connection)
    }
}

/// One request of a provider.
struct APNsExchange: PushExchange {
    private var request: ProviderRequest
    private let validator: PushValidator
    private let connection: PushConnection
    private(set) var id = ""

    init(request: ProviderRequest, validator: PushValidator, connection: PushConnection) {
        self.request = request
        self.validator = validator
        self.connection = connection
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
        id = request.repeatableID ?? connection.listener.messageIDs.next()
        do {
            return .success(try connection.judge(request, answerID: id, by: validator))
        } catch {
            return .failure(error)
        }
    }

    func addHeaders(to headers: inout some AnswerHeaders, acceptance: Acceptance?) {
        headers.add("apns-id", id)
        if validator.environment == .development {
            headers.add("apns-unique-id", connection.listener.messageIDs.next())
        }
    }
}

extension PushHead: PushInWaiting {
    var maximumByteCount: Int { pushType.maximumPayloadByteCount }

    func join(_ body: Span<UInt8>, receivedAt: Date) throws(Refusal) -> IncomingPush {
        try push(body: body, receivedAt: receivedAt)
    }
}
