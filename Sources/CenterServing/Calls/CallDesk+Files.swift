// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import PacketSockets

/// The files that travel with one call of an app.
struct CallFiles: Sendable {
    /// The descriptors, by which attachments of a socket name their files.
    var passed: [PassedFile]
    var intake: FileIntake
}

extension CallDesk {
    /// Bytes of files that wait with the requests of one app.
    static let pendingByteCountLimit: Int64 = 256 << 20

    /// Copies the files of a request; the first that is refused refuses all, and nothing is left of the others.
    func keep(_ attachments: [RequestAttachment], of key: InstallationKey) async throws -> [ContentAttachment] {
        guard !attachments.isEmpty else { return [] }
        var kept: [ContentAttachment] = []
        do {
            for attachment in attachments { kept.append(try await keep(attachment, of: key)) }
            return kept
        } catch {
            discard(kept)
            throw error
        }
    }

    /// Removes the files of a request that is not kept after all.
    func discard(_ attachments: [ContentAttachment]) { center.store.files.discard(attachments.compactMap(\.file)) }

    /// Refuses files that have no room beside those of the app's other requests.
    func checkRoom(for kept: [ContentAttachment], as identifier: String, of key: InstallationKey) throws {
        guard !kept.isEmpty else { return }
        let others = try center.store.pending(of: key).map(\.request.content).filter { $0.identifier != identifier }
        let files = others.flatMap(\.files) + kept.compactMap(\.file)
        guard files.reduce(0, { $0 + $1.byteCount }) <= Self.pendingByteCountLimit else { throw CallFailure.disk }
    }

    /// Writes a file that the app's notifications, requests or responses have into the file that came with the call.
    func give(_ name: StoredFileName, _ key: InstallationKey) async throws -> CallAnswer {
        guard let files, let target = files.passed.first else { throw CallFailure.attachmentURL }
        let found = try center.store.files(ofRequest: name.request, of: key).first {
            center.store.tag(of: $0.id).isWord(name.file)
        }
        guard let found else { throw CallFailure.attachmentNotStored }
        if let failure = await files.intake.give(found, to: target) { throw failure }
        return .done
    }

    private func keep(_ attachment: RequestAttachment, of key: InstallationKey) async throws -> ContentAttachment {
        let thumbnail = attachment.thumbnail?.json
        switch attachment.source {
        case .descriptor(let index):
            guard let files, files.passed.indices.contains(index) else { throw CallFailure.attachmentURL }
            let offer = FileIntake.Offer(
                identifier: attachment.identifier,
                type: attachment.type,
                file: files.passed[index],
                thumbnail: thumbnail
            )
            guard let result = await files.intake.keep([offer]).first else { throw CallFailure.attachmentNotMoved }
            do { return try result.get() } catch { throw error.failure }
        case .scratch: throw CallFailure.attachmentURL
        case .upload(let name):
            guard let file = center.uploads.take(name, of: key) else { throw CallFailure.attachmentNotStored }
            do {
                let kept = try await center.uploadIntake.finish(file, as: attachment.type).get()
                return ContentAttachment(
                    identifier: attachment.identifier,
                    .kept(kept, type: attachment.type, thumbnail: thumbnail)
                )
            } catch {
                throw error.failure
            }
        }
    }
}

extension FileShelf.Refusal {
    /// The error with which Apple answers.
    fileprivate var failure: CallFailure {
        switch self {
        case .type: .attachmentType
        case .unreadable: .attachmentURL
        case .size: .attachmentSize
        case .content: .attachmentCorrupt
        case .disk: .disk
        }
    }
}
