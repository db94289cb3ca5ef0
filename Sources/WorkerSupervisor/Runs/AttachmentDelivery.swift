// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import WorkerProtocol

/// A content whose files are being taken: nothing that happens to its worker changes the content any more.
final class AttachmentDelivery {
    let payload: Payload
    let isLate: Bool
    /// The place of the files in the store; `nil` means that there is no store.
    let folder: AttachmentFolder?
    private(set) var attachments = Attachments()
    /// The worker may end meanwhile; its files stay.
    let hold: FolderHold?
    /// The files that the extension was given; for one that it hands on, the host's own copy is kept.
    private let given: [GivenFile]
    private var waiting: ArraySlice<ScratchAttachment>
    /// The one that is being taken.
    private var current: ScratchAttachment?

    init(
        _ content: WorkerMessage.Content,
        isLate: Bool,
        given: [GivenFile],
        folder: AttachmentFolder?,
        hold: FolderHold?
    ) {
        self.hold = hold
        payload = content.payload
        self.isLate = isLate
        self.given = given
        self.folder = folder
        let distinct = Self.distinct(content.attachments ?? [])
        waiting = distinct.prefix(AttachmentOffer.maximumCount)
        // One word for all that are too many: a record is no place for a thousand.
        if let surplus = distinct.dropFirst(AttachmentOffer.maximumCount).first {
            attachments.refused.append(.init(identifier: surplus.identifier, reason: .tooMany))
        }
    }

    /// The next file to take; nil when all are taken or refused.
    func next() -> ScratchAttachment? {
        while let named = waiting.popFirst() {
            guard let copy = copy(of: named) else {
                current = named
                return named
            }
            attachments.kept.append(copy)
        }
        return nil
    }

    /// Known by name and identifier, whatever the worker has made of its own copy.
    private func copy(of named: ScratchAttachment) -> Attachment? {
        given.first { $0.name == named.path && $0.attachment.identifier == named.identifier }?.attachment
    }

    func settle(_ result: Result<Attachment, AttachmentRefusal>) {
        switch result {
        case .success(let attachment): attachments.kept.append(attachment)
        case .failure(let reason): refuseCurrent(reason)
        }
        current = nil
    }

    /// Gives up on what is not taken yet.
    func refuseRest(_ reason: AttachmentRefusal) {
        refuseCurrent(reason)
        current = nil
        while let attachment = next() {
            attachments.refused.append(.init(identifier: attachment.identifier, reason: reason))
        }
        current = nil
    }

    private func refuseCurrent(_ reason: AttachmentRefusal) {
        guard let current else { return }
        attachments.refused.append(.init(identifier: current.identifier, reason: reason))
    }

    /// Keeps the last of several files with one identifier, in the place of the first.
    ///
    /// A file without an identifier gets its number as one.
    private static func distinct(_ named: [ScratchAttachment]) -> [ScratchAttachment] {
        var places: [String: Int] = [:]
        var distinct: [ScratchAttachment] = []
        for var attachment in named {
            if attachment.identifier.isEmpty { attachment.identifier = "attachment-\(distinct.count + 1)" }
            if let place = places[attachment.identifier] {
                distinct[place] = attachment
            } else {
                places[attachment.identifier] = distinct.count
                distinct.append(attachment)
            }
        }
        return distinct
    }
}
