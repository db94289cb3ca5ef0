// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import Keychain
package import NotificationPayload

/// A message from the host to a worker.
package enum HostMessage: Sendable, Equatable {
    case hello(Hello)
    case request(id: UInt64, Request)
    case willExpire(id: UInt64)
    /// Asks for a request back that the worker has not begun.
    case recall(id: UInt64)
    case shutdown
    case keychain(KeychainAnswer)
    /// The body of the answer to a call; which it may be is decided by the call.
    case answer(id: UInt64, JSONObject)
    /// The one view of a process, under the id of the view.
    case view(id: UInt64, ViewOpening)
    /// An event of the view; `seq` rises.
    case viewEvent(id: UInt64, seq: UInt64, ViewWord)

    package struct Hello: Sendable, Equatable {
        package var bundleIdentifier: String
        package var topic: String
        /// Absolute path in the worker's own view; nil when it has no scratch folder.
        package var scratch: String?
        /// The number of requests that the worker is to work on at once; as many more are opened as it says `ahead`.
        package var maxConcurrentRequests: Int
        /// A system-call filter to load before `ready`, in base64; nil on a host that has none.
        package var filter: String?
        /// True if the app's notifications lie in a notification centre, which takes calls.
        package var hasCenter: Bool

        package init(
            bundleIdentifier: String,
            topic: String,
            scratch: String?,
            maxConcurrentRequests: Int,
            filter: String? = nil,
            hasCenter: Bool = false
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.topic = topic
            self.scratch = scratch
            self.maxConcurrentRequests = maxConcurrentRequests
            self.filter = filter
            self.hasCenter = hasCenter
        }
    }

    package struct Request: Sendable, Equatable {
        package var identifier: String
        /// The instant at which the push was accepted, ISO 8601 in UTC with milliseconds.
        package var date: String
        package var payload: Payload
        /// The part of the budget that is left when the request is sent, or for one behind others the whole budget.
        package var budgetMilliseconds: Int64
        /// Sealed files of the payload, opened and in the worker's scratch folder.
        package var attachments: [ScratchAttachment]

        package init(
            identifier: String,
            date: String,
            payload: Payload,
            budgetMilliseconds: Int64,
            attachments: [ScratchAttachment] = []
        ) {
            self.identifier = identifier
            self.date = date
            self.payload = payload
            self.budgetMilliseconds = budgetMilliseconds
            self.attachments = attachments
        }
    }
}

extension HostMessage {
    package var packet: Packet {
        switch self {
        case .hello(let hello):
            var body: JSONObject = [
                "protocol": .integer(workerProtocolVersion),
                "bundleIdentifier": .string(hello.bundleIdentifier),
                "topic": .string(hello.topic),
                "maxConcurrentRequests": .integer(Int64(hello.maxConcurrentRequests)),
            ]
            body["scratch"] = hello.scratch.map(JSON.string)
            body["filter"] = hello.filter.map(JSON.string)
            if hello.hasCenter { body["center"] = true }
            return Packet(.hello, body: body)
        case .request(let id, let request):
            var body: JSONObject = [
                "identifier": .string(request.identifier),
                "date": .string(request.date),
                "payload": .object(request.payload.object),
                "budgetMilliseconds": .integer(request.budgetMilliseconds),
            ]
            if !request.attachments.isEmpty { body["attachments"] = ScratchAttachment.list(request.attachments) }
            return Packet(.request, id: id, body: body)
        case .willExpire(let id):
            return Packet(.willExpire, id: id)
        case .recall(let id):
            return Packet(.recall, id: id)
        case .shutdown:
            return Packet(.shutdown)
        case .keychain(let answer):
            return Packet(.keychainAnswer, body: answer.body)
        case .answer(let id, let body):
            return Packet(.answer, id: id, body: body)
        case .view(let id, let opening):
            return Packet(.view, id: id, body: opening.body)
        case .viewEvent(let id, let seq, let word):
            return Packet(.viewEvent, id: id, body: word.body(seq: seq))
        }
    }

    /// Reads a packet that came from a host; unknown keys of a body are ignored.
    package init(_ packet: Packet) throws(MessageError) {
        let body = packet.body
        switch packet.type {
        case .hello:
            guard body["protocol"]?.integer == workerProtocolVersion else { throw .unsupportedProtocol }
            self = .hello(
                Hello(
                    bundleIdentifier: try body.requiredString("bundleIdentifier"),
                    topic: try body.requiredString("topic"),
                    scratch: body["scratch"]?.string,
                    maxConcurrentRequests: body["maxConcurrentRequests"]?.integer.flatMap(Int.init(exactly:)) ?? 1,
                    filter: body["filter"]?.string,
                    hasCenter: body["center"]?.bool ?? false
                )
            )
        case .request:
            guard let payload = body["payload"]?.object else { throw .missing("payload") }
            guard let budget = body["budgetMilliseconds"]?.integer else { throw .missing("budgetMilliseconds") }
            self = .request(
                id: packet.id,
                Request(
                    identifier: try body.requiredString("identifier"),
                    date: try body.requiredString("date"),
                    payload: Payload(payload),
                    budgetMilliseconds: budget,
                    attachments: try ScratchAttachment.list(in: body) ?? []
                )
            )
        case .willExpire: self = .willExpire(id: packet.id)
        case .recall: self = .recall(id: packet.id)
        case .shutdown: self = .shutdown
        case .keychainAnswer:
            guard let answer = KeychainAnswer(body) else { throw .missing("answer") }
            self = .keychain(answer)
        case .answer: self = .answer(id: packet.id, body)
        case .view: self = .view(id: packet.id, try ViewOpening(body))
        case .viewEvent:
            let (seq, word) = try ViewWord.read(body)
            self = .viewEvent(id: packet.id, seq: seq, word)
        case .open, .sealedFile, .sealedBytes, .policy, .ready, .content, .log, .keychain, .call, .returned, .opened,
            .refused, .rejected, .unavailable, .fileState, .fileBytes, .viewScene:
            throw .wrongDirection(packet.type)
        }
    }
}

extension HostMessage {
    /// The bytes of an answer about the keychain.
    ///
    /// A page of items and a secret fit a packet; for an answer that does not a failure goes out, since the worker
    /// waits.
    package static func packet(_ answer: KeychainAnswer) throws(PacketError) -> [UInt8] {
        do { return try keychain(answer).packet.encoded() } catch { return try keychain(.failed).packet.encoded() }
    }

    /// The bytes of an answer to a call; for one that fits no packet a failure goes out, since the worker waits.
    package static func packet(_ answer: CallAnswer, to call: UInt64) throws(PacketError) -> [UInt8] {
        do { return try Self.answer(id: call, answer.body).packet.encoded() } catch {
            return try Self.answer(id: call, CallAnswer.failed(.notAllowed).body).packet.encoded()
        }
    }
}

/// The reason for which the receiver of a well-formed packet cannot use it.
package enum MessageError: Error, Equatable {
    case missing(String)
    case unsupportedProtocol
    /// A member of a call that is missing, unknown or of the wrong kind.
    case member(MemberFault)
    /// The same of a view's opening, event or update.
    case view(MemberFault)
    case wrongDirection(MessageType)
}
