// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import HostRuntime
import NotificationPayload
import WorkerProtocol

/// The reason for which the opener did not become ready, or was ended.
package enum OpenerError: Error, Equatable {
    /// The opener refuses a key file or a sender's key; `descriptor` tells which file, and `nil` means that the policy
    /// is at fault.
    case rejected(descriptor: Int?, line: Int?, reason: String, hint: String?)
    case notStarted(SystemError)
    case exited(ProcessExit)
    case protocolViolation
    /// The opener had something for the answer limit and did not answer.
    case silent
    /// The opener neither became ready nor ended within its time.
    case notReady
    case launcherLost
}

extension OpenerError {
    /// The descriptor of the first registered key file in the opener.
    package static let firstKeyDescriptor = Int(OPENER_FIRST_KEY_DESCRIPTOR)
    /// The descriptor of the first of the opener's two replay files.
    package static let firstReplayDescriptor = Int(OPENER_FIRST_REPLAY_DESCRIPTOR)

    /// Returns the error for the opener's packet about the file or the policy that it refuses.
    static func rejected(_ body: JSONObject) -> OpenerError {
        .rejected(
            descriptor: body["descriptor"]?.integer.flatMap(Int.init(exactly:)),
            line: body["line"]?.integer.flatMap(Int.init(exactly:)),
            reason: body["reason"]?.string?.asLogLine ?? "no reason given",
            hint: body["hint"]?.string?.asLogLine
        )
    }
}

/// The opener's answer to an opening.
enum OpenerAnswer {
    case opened(Payload, usesRetiredKey: Bool, files: [NamedFile], mark: EnvelopeMark?)
    case refused(OpenRefusal)
    /// The opener could not remember what it opens, so nothing was opened; the reason is one line.
    case cannotRemember(reason: String)

    /// `nil` means that the packet lacks what belongs to an answer, or is none.
    init?(_ packet: Packet) {
        switch packet.type {
        case .opened:
            guard let payload = packet.body["payload"]?.object else { return nil }
            let named = packet.body["files"]?.array ?? []
            let files = named.compactMap { NamedFile($0, ofPayload: packet.id) }
            guard files.count == named.count else { return nil }
            let mark = packet.body["mark"].map { EnvelopeMark($0) }
            if case .some(nil) = mark { return nil }
            self = .opened(
                Payload(payload),
                usesRetiredKey: packet.body["retiredKey"]?.bool == true,
                files: files,
                mark: mark ?? nil
            )
        case .refused:
            guard let refusal = packet.body["error"]?.string.flatMap(OpenRefusal.init(rawValue:)) else { return nil }
            self = .refused(refusal)
        case .unavailable:
            guard let reason = packet.body["reason"]?.string else { return nil }
            self = .cannotRemember(reason: reason.asLogLine)
        default:
            return nil
        }
    }
}

extension OpenRequest {
    /// The question that the opener gets; `row` is the number of the request's push with every opener.
    func packet(id: UInt64, row: Int64) -> Packet {
        var body: JSONObject = [
            "app": .string(app), "topic": .string(push.topic), "requestID": .string(push.id),
            "device": .string(push.deviceToken), "row": .integer(row),
        ]
        body["collapseID"] = push.collapseID.map(JSON.string)
        body["payload"] = .object(push.payload.object)
        return Packet(.open, id: id, body: body)
    }
}

extension EnvelopeMark {
    /// Reads the opener's mark of an envelope; `nil` means that it is none.
    fileprivate init?(_ description: JSON) {
        guard let object = description.object, let text = object["id"]?.string,
            let id = Hexadecimal.decode(text), id.count == 16, let expiry = object["expiry"]?.integer, expiry >= 0
        else { return nil }
        // To the end of its second, so that no rounding forgets an envelope early.
        self.init(id: id, expiry: expiry / 1000 + 1)
    }
}

extension NamedFile {
    /// Reads the opener's description of a file; `nil` means that it is none.
    fileprivate init?(_ description: JSON, ofPayload payload: UInt64) {
        guard let object = description.object, let identifier = object["id"]?.string else { return nil }
        if let error = object["error"]?.string {
            self = .unusable(AttachmentRefusal(rawValue: error) ?? .badEntry)
            return
        }
        guard let index = object["index"]?.integer.flatMap(Int.init(exactly:)), index >= 0,
            let size = object["size"]?.integer.flatMap(Int.init(exactly:)), size >= 0,
            let sealedSize = object["sealedSize"]?.integer.flatMap(Int.init(exactly:)), sealedSize > 0
        else { return nil }
        self = .sealed(
            SealedFile(
                identifier: identifier,
                url: object["url"]?.string,
                type: object["type"]?.string,
                name: object["name"]?.string,
                byteCount: size,
                sealedByteCount: sealedSize,
                number: .init(payload: payload, index: index)
            )
        )
    }
}
