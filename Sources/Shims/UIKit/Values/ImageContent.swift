// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import NotificationPayload

/// The picture, or the pictures, that an image shows.
enum ImageContent: Hashable, Sendable {
    case nothing
    case symbol(String)
    /// `dark` is shown in the dark style; nil means that `light` is.
    case pictures(light: ImagePicture, dark: ImagePicture?)
}

/// The bytes of an image and what their head tells.
struct ImagePicture: Hashable, Sendable {
    /// Files of more bytes stay on the disk until somebody asks for their bytes.
    static let memoryByteCount: UInt64 = 1 << 20

    private enum Source: Sendable {
        case memory(Data)
        /// A file that stays open, so that its bytes are there when its name is gone.
        case opened(Locked<FileHandle>)
    }

    private let source: Source
    let facts: ImageFacts
    let scale: CGFloat
    /// The file that holds the bytes; nil when there is none.
    let url: URL?

    private init(_ source: Source, _ facts: ImageFacts, scale: CGFloat, url: URL?) {
        (self.source, self.facts, self.url) = (source, facts, url)
        self.scale = scale > 0 && scale.isFinite ? scale : 1
    }

    init?(_ bytes: Data, scale: CGFloat, url: URL? = nil) {
        guard let facts = ImageFacts(bytes) else { return nil }
        self.init(.memory(bytes), facts, scale: scale, url: url)
    }

    /// Reads a file that may change or go away.
    init?(file path: String) {
        guard let handle = FileHandle(forReadingAtPath: path), let byteCount = try? handle.seekToEnd(),
            (try? handle.seek(toOffset: 0)) != nil
        else { return nil }
        let isLarge = byteCount > Self.memoryByteCount
        let bytes = isLarge ? try? handle.read(upToCount: ImageFacts.lookedAtByteCount) : try? handle.readToEnd()
        guard let bytes, let facts = ImageFacts(bytes) else { return nil }
        self.init(
            isLarge ? .opened(Locked(handle)) : .memory(bytes),
            facts,
            scale: CGFloat(ImageFile.scale(of: path)),
            url: URL(fileURLWithPath: path)
        )
    }

    /// Maps a file of a bundle, which does not change: its bytes are in memory only while somebody looks at them.
    init?(bundleFile path: String) {
        let url = URL(fileURLWithPath: path)
        guard let bytes = try? Data(contentsOf: url, options: .alwaysMapped) else { return nil }
        self.init(bytes, scale: CGFloat(ImageFile.scale(of: path)), url: url)
    }

    /// Empty if the file can no longer be read.
    var bytes: Data {
        switch source {
        case .memory(let bytes): bytes
        case .opened(let file):
            file.withLock { file in
                guard (try? file.seek(toOffset: 0)) != nil else { return Data() }
                return (try? file.readToEnd()) ?? Data()
            }
        }
    }

    var size: CGSize { CGSize(width: CGFloat(facts.width) / scale, height: CGFloat(facts.height) / scale) }

    static func == (left: ImagePicture, right: ImagePicture) -> Bool {
        left.scale == right.scale && left.facts == right.facts && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(facts.width)
        hasher.combine(facts.height)
        hasher.combine(scale)
    }
}
