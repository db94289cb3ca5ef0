// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
package import UserNotifications
import WorkerProtocol

/// A content on its way to the host: its payload, its attachments, and what had to be left out.
package struct OutgoingContent {
    /// More than these are dropped, the last ones first.
    static let maximumAttachmentCount = 10

    private let message: WorkerMessage.Content
    /// One clause each; they name keys and identifiers, never a value.
    private(set) var warnings: [String] = []

    package struct TooLarge: Error, Equatable {
        let message: String
    }

    /// A content of a request that came with files speaks for them too: when it has none, there are to be none.
    ///
    /// The files of any other content get names of their own, so that the next notification cannot write over them
    /// before the host has taken them.
    package init(_ content: UNNotificationContent, scratch: ScratchFolder?, wasGivenAttachments: Bool = false) {
        let (payload, droppedPaths) = content.payload()
        var warnings = droppedPaths.sorted().map { "userInfo key \"\($0)\" holds no JSON value: left out" }
        var attachments: [ScratchAttachment] = []
        var ownNames: [String: String] = [:]
        for attachment in Self.distinct(content.attachments) {
            guard attachments.count < Self.maximumAttachmentCount else {
                warnings.append("more than \(Self.maximumAttachmentCount) attachments: the rest is left out")
                break
            }
            guard let path = scratch?.relativePath(of: attachment) else {
                warnings.append(
                    "attachment \"\(attachment.identifier)\" cannot be brought to the scratch folder: left out"
                )
                continue
            }
            let name = wasGivenAttachments ? path : ownNames[path] ?? scratch?.setAside(path) ?? path
            ownNames[path] = name
            attachments.append(.init(identifier: attachment.identifier, path: name, type: attachment.type))
        }
        let saysNothing = attachments.isEmpty && !wasGivenAttachments
        message = WorkerMessage.Content(payload: payload, attachments: saysNothing ? nil : attachments)
        self.warnings = warnings
    }

    /// Keeps the last of several attachments with one identifier, in the place of the first.
    private static func distinct(_ attachments: [UNNotificationAttachment]) -> [UNNotificationAttachment] {
        var places: [String: Int] = [:]
        var distinct: [UNNotificationAttachment] = []
        for attachment in attachments {
            if let place = places[attachment.identifier] {
                distinct[place] = attachment
            } else {
                places[attachment.identifier] = distinct.count
                distinct.append(attachment)
            }
        }
        return distinct
    }

    package func encoded(id: UInt64) -> Result<[UInt8], TooLarge> {
        let packet = WorkerMessage.content(id: id, message).packet
        do {
            return .success(try packet.encoded())
        } catch {
            let byteCount = packet.body.serialized.count + Packet.headerByteCount
            let limit = Packet.maximumByteCount
            let key = largestKey ?? ""
            return .failure(
                TooLarge(message: "content of \(byteCount) bytes, limit \(limit); its largest key is \"\(key)\"")
            )
        }
    }

    private var largestKey: String? {
        message.payload.object.members.max { Self.byteCount(of: $0) < Self.byteCount(of: $1) }?.key
    }

    private static func byteCount(of member: JSONObject.Member) -> Int {
        var bytes: [UInt8] = []
        member.value.write(to: &bytes)
        return bytes.count
    }
}
