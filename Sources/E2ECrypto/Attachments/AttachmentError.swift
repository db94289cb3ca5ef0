// SPDX-License-Identifier: Apache-2.0

/// The reason for which an attachment was not sealed or not opened, or its entry is not valid.
///
/// Nothing is left behind when an error is thrown: no file, no part of one.
/// Source: FORMAT.md, "Attachments", the table of errors.
public enum AttachmentError: Error, Equatable, Sendable {
    /// The file that is read, or the one that is made.
    public enum Side: Sendable {
        /// The file that is read.
        case source
        /// The file that is made.
        case target
    }

    /// The entry is no JSON object that the content rules allow.
    case malformedEntry
    /// This member of the entry is missing or not what it has to be.
    case badEntry(AttachmentEntry.Member)
    /// The plaintext has more bytes than the limit.
    case tooLarge(limit: Int)
    /// The sealed file has not the length that the entry's size makes it; nothing of it was read.
    case wrongSize(needed: Int, got: Int)
    /// The file does not begin as a sealed attachment of this version does.
    case badPreamble
    /// The sealed stream, whose length was not known before, ends early.
    case truncated(needed: Int, got: Int)
    /// Bytes follow the last chunk.
    case trailingBytes(after: Int)
    /// Wrong key, or changed: which of the two, and where, is not said.
    case notOpened
    /// The file opens, and is not the one that the entry names.
    case wrongDigest
    /// There is a file of the target's name already; it was not touched.
    case exists
    /// The progress closure said so.
    case cancelled
    /// There is no locked memory for the key.
    case memory(SecretMemoryError)
    /// An errno of opening, reading or writing.
    case system(Side, Int32)
}

extension AttachmentError: CustomStringConvertible {
    /// One clause for a person, which names no file: the caller knows what the user called it.
    public var description: String {
        switch self {
        case .malformedEntry: "the entry is no JSON object"
        case .badEntry(let member): "the entry's \"\(member.rawValue)\" is missing or not valid"
        case .tooLarge(let limit): "the attachment is larger than \(limit) bytes"
        case .wrongSize(let needed, let got): "the sealed file has \(got) bytes, its entry says \(needed)"
        case .badPreamble: "this is no sealed attachment"
        case .truncated(let needed, let got): "the sealed file ends after \(got) of \(needed) bytes"
        case .trailingBytes(let end): "the sealed file goes on after its end at \(end)"
        case .notOpened: "not opened: another entry's file, or changed on its way"
        case .wrongDigest: "the file is not the one of its entry"
        case .exists: "the file exists already"
        case .cancelled: "cancelled"
        case .memory(let error): error.description
        case .system(_, let code): systemMessage(code)
        }
    }
}
