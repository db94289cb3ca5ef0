// SPDX-License-Identifier: Apache-2.0

private import Locking

/// A file of a notification, in the host's own store.
package struct Attachment: Sendable, Equatable {
    package let identifier: String
    /// Absolute; nothing in it was chosen by an extension or a sender.
    package let path: String
    /// Uniform type identifier.
    package let type: String
    package let byteCount: Int

    package init(identifier: String, path: String, type: String, byteCount: Int) {
        self.identifier = identifier
        self.path = path
        self.type = type
        self.byteCount = byteCount
    }
}

/// The files that a notification named, attached or refused: the good ones are delivered without the bad ones.
package struct Attachments: Sendable, Equatable {
    package struct Refused: Sendable, Equatable {
        package let identifier: String
        package let reason: AttachmentRefusal

        package init(identifier: String, reason: AttachmentRefusal) {
            self.identifier = identifier
            self.reason = reason
        }
    }

    /// The files that are attached, in the order in which they were named.
    package var kept: [Attachment]
    package var refused: [Refused]

    package var isEmpty: Bool { kept.isEmpty && refused.isEmpty }

    package init(kept: [Attachment] = [], refused: [Refused] = []) {
        self.kept = kept
        self.refused = refused
    }
}

/// The reason for which a file is not attached, as the delivery record spells it.
package enum AttachmentRefusal: String, Sendable, Equatable, CaseIterable, Error {
    /// No relative path of at most 255 bytes and 6 parts, or one that leads upwards.
    case badName
    /// There is no such file, or none any more.
    case notFound
    /// A folder, a pipe, a device; or there is a link on the way.
    case notAFile
    /// None of the types that may be attached.
    case unknownType
    /// Empty, or its first bytes are of no type of its kind.
    case wrongContent
    /// Larger than files of its kind may be.
    case tooLarge
    /// Ten files have been named already.
    case tooMany
    /// The budget ended before it was taken.
    case outOfTime
    /// The file could not be read.
    case unreadable
    /// The host could not write it.
    case storeFailed
    /// The extension has no folder to take files from.
    case noScratch
    /// The sender's entry for a sealed file is malformed, or has no address that can be fetched.
    case badEntry
    /// The host of the file is not in the bundle's `NetworkHosts`, or is at an address that would have to be listed
    /// itself.
    case notListed
    /// The host did not answer, or not with the file.
    case notFetched
    /// The fetched file is longer or shorter than its entry says.
    case wrongSize
    /// The key of its entry does not open it.
    case notOpened
    /// Nobody was there to open it, or its entry was forgotten.
    case openerUnavailable
}

/// Keeps the files of notifications where sinks find them.
package protocol AttachmentKeeping: Sendable {
    /// A new place for the files of one notification; nothing is made before the first file.
    func folder(for pushID: String) -> AttachmentFolder

    /// Copies what `descriptor` holds, from its current position to its end, and checks type and size on the copy.
    ///
    /// The descriptor stays the caller's and is not used after the return. Nothing is left of a file that is refused.
    func keep(
        _ offer: AttachmentOffer,
        from descriptor: Int32,
        in folder: AttachmentFolder
    ) async throws(AttachmentRefusal) -> Attachment

    /// An empty file without a name, for what is on its way to an app's owner; nil when there is no room for one.
    ///
    /// The room is taken until the file is closed. May block.
    func temporaryFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile?

    /// The same for a picture that a view shows, as long as the view does; it takes no room from what is on its way.
    func viewFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile?

    /// A file that was kept, for reading; nil when it is kept no more. May block.
    func open(_ attachment: Attachment) -> HeldFile?

    /// Removes files that were kept: their notification is not shown.
    func discard(_ attachments: [Attachment])
}

/// A file that wants to become an attachment.
package struct AttachmentOffer: Sendable {
    /// A notification has at most so many attachments.
    package static let maximumCount = 10

    package let identifier: String
    /// Uniform type identifier, as it was named.
    package let type: String
    /// Instant of `HostClock` from which on the file is refused as `outOfTime`.
    package let deadline: Duration

    package init(identifier: String, type: String, deadline: Duration) {
        self.identifier = identifier
        self.type = type
        self.deadline = deadline
    }
}

/// The files of one notification in the store.
///
/// The folder numbers its files, so that a name is not used twice when the store lets the folder go between two.
package struct AttachmentFolder: Sendable, Equatable {
    /// Made by the store; safe as a name of a folder.
    package let name: String
    private let lastNumber = Locked(0)

    package init(name: String) {
        self.name = name
    }

    /// Returns 1 first, then each number that follows.
    package func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    package static func == (a: AttachmentFolder, b: AttachmentFolder) -> Bool { a.name == b.name }
}
