// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import Keychain
package import NotificationPayload
package import SceneModel

/// A message from a worker to the host.
package enum WorkerMessage: Sendable, Equatable {
    /// `ahead` is the number of requests, 0 to 64, that the worker takes beyond those that it works on.
    case ready(ahead: Int)
    case content(id: UInt64, Content)
    case log(Log)
    case keychain(KeychainCall)
    /// A call to the notification centre, under an id of the worker's that rises.
    case call(id: UInt64, CenterCall)
    /// A request that was asked back goes back as it came.
    case returned(id: UInt64)
    /// An update of the scene of the view of that id.
    case viewScene(id: UInt64, SceneUpdate)

    /// The largest number of requests ahead that a worker may name.
    package static let aheadLimit = 64

    package struct Content: Sendable, Equatable {
        package var payload: Payload
        /// The notification's files.
        ///
        /// `nil` means that the worker says nothing of files; an empty list means that there are to be none.
        package var attachments: [ScratchAttachment]?

        package init(payload: Payload, attachments: [ScratchAttachment]? = nil) {
            self.payload = payload
            self.attachments = attachments
        }
    }

    package struct Log: Sendable, Equatable {
        package enum Level: String, Sendable, CaseIterable {
            case debug, info, notice, error, fault
        }

        package var level: Level
        package var message: String

        package init(level: Level, message: String) {
            self.level = level
            self.message = message
        }
    }
}

extension WorkerMessage {
    package var packet: Packet {
        switch self {
        case .ready(let ahead):
            var body: JSONObject = ["protocol": .integer(workerProtocolVersion)]
            if ahead > 0 { body["ahead"] = .integer(Int64(ahead)) }
            return Packet(.ready, body: body)
        case .content(let id, let content):
            var body: JSONObject = ["payload": .object(content.payload.object)]
            body["attachments"] = content.attachments.map(ScratchAttachment.list)
            return Packet(.content, id: id, body: body)
        case .log(let log):
            return Packet(.log, body: ["level": .string(log.level.rawValue), "message": .string(log.message)])
        case .keychain(let call):
            return Packet(.keychain, body: call.body)
        case .call(let id, let call):
            return Packet(.call, id: id, body: call.body)
        case .returned(let id):
            return Packet(.returned, id: id)
        case .viewScene(let id, let update):
            return Packet(.viewScene, id: id, body: update.body)
        }
    }

    /// Reads the bytes of a packet that came from a worker; a message that carries no id has none.
    init(packet bytes: Span<UInt8>) throws(WorkerConversation.Violation) {
        let packet: Packet
        do { packet = try Packet(decoding: bytes) } catch { throw .packet(error) }
        if !packet.type.carriesID, packet.id != 0 { throw .unknownID(packet.id) }
        do { try self.init(packet) } catch { throw .message(error) }
    }

    /// Reads a packet that came from a worker.
    package init(_ packet: Packet) throws(MessageError) {
        let body = packet.body
        switch packet.type {
        case .ready:
            guard body["protocol"]?.integer == workerProtocolVersion else { throw .unsupportedProtocol }
            self = .ready(ahead: try Self.ahead(in: body))
        case .content:
            guard let payload = body["payload"]?.object else { throw .missing("payload") }
            self = .content(
                id: packet.id,
                Content(payload: Payload(payload), attachments: try ScratchAttachment.list(in: body))
            )
        case .log:
            let name = try body.requiredString("level")
            guard let level = Log.Level.allCases.first(where: { name.isWord($0.rawValue) }) else {
                throw .missing("level")
            }
            self = .log(Log(level: level, message: try body.requiredString("message")))
        case .keychain:
            guard let call = KeychainCall(body) else { throw .missing("call") }
            self = .keychain(call)
        case .call:
            let call: CenterCall
            do { call = try CenterCall(body, from: .worker) } catch { throw .member(error) }
            guard !call.name.isForAppsOnly else { throw .member(.onlyForApps(call.name)) }
            self = .call(id: packet.id, call)
        case .returned: self = .returned(id: packet.id)
        case .viewScene:
            do { self = .viewScene(id: packet.id, try SceneUpdate(body)) } catch { throw .view(error) }
        case .hello, .request, .willExpire, .recall, .shutdown, .keychainAnswer, .answer, .open, .sealedFile,
            .sealedBytes,
            .policy, .opened, .refused, .rejected, .unavailable, .fileState, .fileBytes, .view, .viewEvent:
            throw .wrongDirection(packet.type)
        }
    }

    private static func ahead(in body: JSONObject) throws(MessageError) -> Int {
        guard let value = body["ahead"] else { return 0 }
        guard let count = value.integer.flatMap(Int.init(exactly:)), (0...aheadLimit).contains(count) else {
            throw .missing("ahead")
        }
        return count
    }
}
