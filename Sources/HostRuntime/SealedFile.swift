// SPDX-License-Identifier: Apache-2.0

/// A file that an opened payload names: sealed by itself, somewhere on the network.
///
/// The file's key is not here but with the opener, which knows it by the file's number.
/// Source: FORMAT.md, "Attachments".
package struct SealedFile: Sendable, Equatable {
    /// The opening of the payload, and the file's place in it.
    package struct Number: Sendable, Equatable {
        package let payload: UInt64
        package let index: Int

        package init(payload: UInt64, index: Int) {
            self.payload = payload
            self.index = index
        }
    }

    package let identifier: String
    /// The address as the sender wrote it; `nil` means that the file cannot be fetched.
    package let url: String?
    /// Media type or uniform type identifier, as the sender wrote it.
    package let type: String?
    /// A file name for people.
    package let name: String?
    /// The length of the plaintext.
    package let byteCount: Int
    /// The length of what is fetched.
    package let sealedByteCount: Int
    package let number: Number

    package init(
        identifier: String,
        url: String?,
        type: String?,
        name: String?,
        byteCount: Int,
        sealedByteCount: Int,
        number: Number
    ) {
        self.identifier = identifier
        self.url = url
        self.type = type
        self.name = name
        self.byteCount = byteCount
        self.sealedByteCount = sealedByteCount
        self.number = number
    }
}

/// An element of the list of files in an opened payload.
package enum NamedFile: Sendable, Equatable {
    case sealed(SealedFile)
    /// An element that is no valid entry, or one too many.
    case unusable(AttachmentRefusal)
}

/// Fetches sealed files; the one implementation is on the same loop and under the same rules as the extensions' proxy.
package protocol SealedFileFetching: Sendable {
    /// Writes exactly `sealedByteCount` bytes to an empty file, from its start, and returns it.
    ///
    /// The file is made when it is certain that something is asked of a host, on a thread that may block. Throws
    /// `badEntry`, `notListed`, `notFetched`, `wrongSize`, `storeFailed`, and `outOfTime` at the deadline.
    func fetch(
        _ file: SealedFile,
        for app: String,
        into target: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile
}

/// Opens sealed files; the one implementation talks to the process that holds the keys.
package protocol SealedFileOpening: Sendable {
    /// Reads `sealed` from its start and returns the plaintext in an empty file, to be read from its start.
    ///
    /// The file is made when its turn has come, on a thread that may block. Throws `notOpened`, `openerUnavailable`,
    /// `storeFailed`, `unreadable`, and `outOfTime` at the deadline.
    func open(
        _ file: SealedFile,
        for app: String,
        from sealed: HeldFile,
        into target: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile
}
