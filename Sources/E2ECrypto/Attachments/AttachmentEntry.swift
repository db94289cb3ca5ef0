// SPDX-License-Identifier: Apache-2.0

/// All that a recipient needs for one attachment: a member of `attachments` in the sealed content.
///
/// **The entry holds the file's key.** It is made to travel inside the sealed JSON, so it is as secret as the text of
/// the notification: seal it, and never log, store or print it in the clear. In memory the key is wiped when the last
/// copy of the entry goes; the JSON made from it, and the JSON it was read from, are the caller's.
/// Source: FORMAT.md, "Attachments".
public struct AttachmentEntry: Sendable {
    /// The members of an entry, in the order in which they are checked and written.
    public enum Member: String, Sendable, CaseIterable {
        /// The sender's name for the file.
        case id
        /// The address at which the sealed file is fetched.
        case url
        /// The media type or uniform type identifier of the file.
        case type
        /// A file name for people.
        case name
        /// Bytes of the plaintext.
        case size
        /// The key of this file alone.
        case key
        /// BLAKE2b-256 of the sealed file.
        case digest
    }

    /// Id, address, type and name; the address may be set once the sealed file is uploaded.
    public var label: AttachmentLabel
    /// Bytes of the plaintext, 0 to `Attachment.maximumByteCount`.
    public let size: Int
    /// BLAKE2b-256 of the sealed file, 32 bytes.
    public let digest: [UInt8]
    let key: AttachmentKey

    package init(label: AttachmentLabel, size: Int, key: AttachmentKey, digest: [UInt8]) {
        self.label = label
        self.size = size
        self.key = key
        self.digest = digest
    }

    /// Bytes of the sealed file, which a client may hold a download against.
    public var sealedByteCount: Int { AttachmentLayout.sealedByteCount(of: size) }
}
