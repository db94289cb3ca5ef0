// SPDX-License-Identifier: Apache-2.0

extension AttachmentType {
    /// The number of bytes at the start of a file that `fits` reads.
    package static let lookedAtByteCount = 12

    /// Tells whether a file may be of this type's kind, by its first bytes.
    ///
    /// The type itself is not compared: senders name a JPEG `.png`, and players go by the content too.
    package func fits(_ start: some Collection<UInt8>) -> Bool {
        let start = Array(start.prefix(Self.lookedAtByteCount))
        switch kind {
        case .image: return Self.isImage(start)
        case .audio: return Self.isAudio(start)
        case .film: return Self.isFilm(start)
        }
    }

    private static func isImage(_ start: [UInt8]) -> Bool {
        switch ImageFacts.format(of: start) {
        case .png, .jpeg, .gif, .webP, .heic: true
        case .tiff, .bmp, nil: false
        }
    }

    private static func isAudio(_ start: [UInt8]) -> Bool {
        start.isContainer("FORM", of: "AIFF") || start.isContainer("FORM", of: "AIFC")
            || start.isContainer("RIFF", of: "WAVE") || start.starts(with: "ID3".utf8)
            || (start.count >= 2 && start[0] == 0xFF && start[1] & 0xE0 == 0xE0) || start.isMPEG4
    }

    private static func isFilm(_ start: [UInt8]) -> Bool {
        start.starts(with: [0, 0, 1, 0xBA]) || start.starts(with: [0, 0, 1, 0xB3]) || start.first == 0x47
            || start.isContainer("RIFF", of: "AVI ") || start.isMPEG4
    }
}

extension [UInt8] {
    /// Four letters, a length, four letters.
    fileprivate func isContainer(_ container: String, of content: String) -> Bool {
        starts(with: container.utf8) && dropFirst(8).starts(with: content.utf8)
    }

    fileprivate var isMPEG4: Bool {
        ["ftyp", "moov", "mdat", "free", "wide"].contains { dropFirst(4).starts(with: $0.utf8) }
    }
}
