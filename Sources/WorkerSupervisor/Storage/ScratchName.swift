// SPDX-License-Identifier: Apache-2.0

/// A path below a scratch folder, as a worker names it.
struct ScratchName: Equatable {
    static let maximumByteCount = 255
    static let maximumPartCount = 6

    let text: String

    /// Takes a path that is relative and short, and of which every part is a name; `nil` means that this one is not.
    init?(_ text: String) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumPartCount else { return nil }
        for part in parts where part.isEmpty || part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
            return nil
        }
        self.text = text
    }

    /// The path below `tmp`; `nil` means that it lies elsewhere.
    var temporary: String? { text.hasPrefix("tmp/") ? String(text.dropFirst("tmp/".count)) : nil }

    /// The text behind the last dot of the last part; `nil` where there is none.
    var pathExtension: String? {
        guard let name = text.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
        return String(name[name.index(after: dot)...])
    }

    /// Below a folder that outlives the worker, in its own mount where there are mounts.
    var isStored: Bool { text.hasPrefix("home/") || text.hasPrefix("groups/") }
}
