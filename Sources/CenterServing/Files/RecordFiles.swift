// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import PacketSockets

/// The files of a host's records on their way into what is stored.
struct RecordFiles {
    private let shelf: FileShelf
    private let intake: FileIntake
    /// The files of each piece of work, by its place.
    private var kept: [Int: [FileShelf.File]] = [:]

    init(_ shelf: FileShelf, _ intake: FileIntake) {
        self.shelf = shelf
        self.intake = intake
    }

    /// Copies the files of what is to be kept, and attaches them: the good ones without the bad ones.
    ///
    /// Throws when the disk takes a file not; nothing is left of the others then.
    mutating func attach(
        _ files: [(place: Int, record: LinkRecord, files: [PassedFile])],
        to work: inout [CenterWork]
    ) async throws(DatabaseFailure) {
        for (place, record, passed) in files {
            guard case .arrive(var arrival) = work[place], arrival.keepsFiles else { continue }
            let results = await intake.keep(
                zip(record.files, passed).map { FileIntake.Offer(identifier: $0.identifier, type: $0.type, file: $1) }
            )
            kept[place] = results.compactMap { try? $0.get().file }
            var attachments: [ContentAttachment] = []
            for (file, result) in zip(record.files, results) {
                switch result {
                case .success(let attachment): attachments.append(attachment)
                case .failure(let refusal):
                    guard !refusal.mayPass else {
                        discardAll()
                        throw .disk("\"\(FileShelf.name)\": a file of a notification cannot be kept: \(refusal)")
                    }
                    attachments.append(
                        ContentAttachment(identifier: file.identifier, .refused(reason: refusal.word))
                    )
                }
            }
            arrival.attach(attachments)
            work[place] = .arrive(arrival)
        }
    }

    /// Removes the files of what was not stored after all: a record that came twice.
    func settle(_ results: [WorkResult]) {
        for (place, files) in kept where !results[place].keepsContent { shelf.discard(files) }
    }

    /// Removes all files: nothing was stored.
    func discardAll() {
        for files in kept.values { shelf.discard(files) }
    }
}

extension NotificationArrival {
    /// True if the notification is stored with its files; one that its extension took away waits without them.
    fileprivate var keepsFiles: Bool {
        switch fate {
        case .listed: true
        case .waits(let content): content.course?.isSuppressed != true
        case .silent, .unlisted: false
        }
    }

    /// Puts files before those that were refused.
    fileprivate mutating func attach(_ attachments: [ContentAttachment]) {
        switch fate {
        case .listed(var content, let presentation):
            content.attachments.insert(contentsOf: attachments, at: 0)
            fate = .listed(content, presentation)
        case .waits(var content):
            content.attachments.insert(contentsOf: attachments, at: 0)
            fate = .waits(content)
        case .silent, .unlisted: break
        }
    }
}

extension WorkResult {
    /// True if the content of the arrival is in the store.
    var keepsContent: Bool {
        switch self {
        case .listed, .waits: true
        default: false
        }
    }
}
