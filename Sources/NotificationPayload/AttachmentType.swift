// SPDX-License-Identifier: Apache-2.0

/// A type of file that may be attached to a notification.
///
/// Source: Apple, "UNNotificationAttachment", table of supported types; HEIC and WebP are ours.
package struct AttachmentType: Sendable, Equatable {
    package enum Kind: Sendable {
        case image, audio, film

        /// Inclusive.
        package var maximumByteCount: Int {
            switch self {
            case .image: 10 << 20
            case .audio: 5 << 20
            case .film: 50 << 20
            }
        }
    }

    /// Uniform type identifier.
    package let identifier: String
    package let kind: Kind
    /// The extension in the name of a file of the type, without the dot.
    package let preferredPathExtension: String

    private static let table: [(identifier: String, kind: Kind, extensions: [String])] = [
        ("public.jpeg", .image, ["jpg", "jpeg", "jpe"]),
        ("public.png", .image, ["png"]),
        ("com.compuserve.gif", .image, ["gif"]),
        ("public.heic", .image, ["heic"]),
        ("org.webmproject.webp", .image, ["webp"]),
        ("public.aiff-audio", .audio, ["aiff", "aif"]),
        ("com.microsoft.waveform-audio", .audio, ["wav", "wave"]),
        ("public.mp3", .audio, ["mp3"]),
        ("public.mpeg-4-audio", .audio, ["mp4a"]),
        ("com.apple.m4a-audio", .audio, ["m4a"]),
        ("public.mpeg", .film, ["mpg", "mpeg", "mpe"]),
        ("public.mpeg-2-video", .film, ["m2v"]),
        ("public.mpeg-4", .film, ["mp4", "mpg4"]),
        ("public.avi", .film, ["avi"]),
    ]

    package init?(identifier: String) {
        guard let row = Self.table.first(where: { $0.identifier == identifier }) else { return nil }
        (self.identifier, kind, preferredPathExtension) = (row.identifier, row.kind, row.extensions[0])
    }

    /// Without the dot; upper and lower case are one.
    package init?(pathExtension: String) {
        let name = pathExtension.lowercased()
        guard let row = Self.table.first(where: { $0.extensions.contains(name) }) else { return nil }
        (identifier, kind, preferredPathExtension) = (row.identifier, row.kind, row.extensions[0])
    }
}
