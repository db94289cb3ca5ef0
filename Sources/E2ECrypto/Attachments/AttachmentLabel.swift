// SPDX-License-Identifier: Apache-2.0

/// The id, address, type and name of a file in its entry, none of which opening needs.
public struct AttachmentLabel: Sendable, Equatable {
    /// The sender's name for it, unique in a payload: 1 to 255 bytes of UTF-8 without control characters.
    public let id: String
    /// The address at which the sealed file is fetched: 1 to 2048 printable ASCII characters without a space.
    ///
    /// `nil` means that nobody knows it yet.
    public let url: String?
    /// Media type or uniform type identifier: 1 to 127 printable ASCII characters.
    public let type: String?
    /// A file name for people: 1 to 255 bytes of UTF-8 without "/" and control characters, neither "." nor "..".
    public let name: String?

    /// Throws `badEntry` with the first member that is out of its range.
    public init(
        id: String,
        url: String? = nil,
        type: String? = nil,
        name: String? = nil
    ) throws(AttachmentError) {
        let texts: [(AttachmentEntry.Member, String?)] = [(.id, id), (.url, url), (.type, type), (.name, name)]
        for (member, text) in texts {
            guard Self.isValid(text, as: member) else { throw .badEntry(member) }
        }
        self.id = id
        self.url = url
        self.type = type
        self.name = name
    }

    /// Tells whether a member may have this text; `nil` means that the member is absent.
    static func isValid(_ text: String?, as member: AttachmentEntry.Member) -> Bool {
        guard let text else { return member != .id }
        return switch member {
        case .id: isText(text, limit: 255)
        case .url: isASCII(text, from: 0x21, limit: 2048)
        case .type: isASCII(text, from: 0x20, limit: 127)
        // A receiver may use it as the last part of a path.
        case .name: isText(text, limit: 255) && !text.utf8.contains(UInt8(ascii: "/")) && text != "." && text != ".."
        case .size, .key, .digest: true
        }
    }

    private static func isText(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isASCII(_ text: String, from first: UInt8, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (first...0x7E).contains($0) }
    }
}
