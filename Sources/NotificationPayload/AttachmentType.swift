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
    /// Media type, without parameters.
    package let mediaType: String

    private typealias Row = (identifier: String, kind: Kind, extensions: [String], media: String)

    private static let table: [Row] = [
        ("public.jpeg", .image, ["jpg", "jpeg", "jpe"], "image/jpeg"),
        ("public.png", .image, ["png"], "image/png"),
        ("com.compuserve.gif", .image, ["gif"], "image/gif"),
        ("public.heic", .image, ["heic"], "image/heic"),
        ("org.webmproject.webp", .image, ["webp"], "image/webp"),
        ("public.aiff-audio", .audio, ["aiff", "aif"], "audio/aiff"),
        ("com.microsoft.waveform-audio", .audio, ["wav", "wave"], "audio/wav"),
        ("public.mp3", .audio, ["mp3"], "audio/mpeg"),
        ("public.mpeg-4-audio", .audio, ["mp4a"], "audio/mp4"),
        ("com.apple.m4a-audio", .audio, ["m4a"], "audio/mp4"),
        ("public.mpeg", .film, ["mpg", "mpeg", "mpe"], "video/mpeg"),
        ("public.mpeg-2-video", .film, ["m2v"], "video/mpeg"),
        ("public.mpeg-4", .film, ["mp4", "mpg4"], "video/mp4"),
        ("public.avi", .film, ["avi"], "video/x-msvideo"),
    ]

    package init?(identifier: String) {
        guard let row = Self.table.first(where: { $0.identifier == identifier }) else { return nil }
        self.init(row)
    }

    /// Without the dot; upper and lower case are one.
    package init?(pathExtension: String) {
        let name = pathExtension.lowercased()
        guard let row = Self.table.first(where: { $0.extensions.contains(name) }) else { return nil }
        self.init(row)
    }

    /// True for a type that every browser of today shows or plays.
    ///
    /// Source: MDN, "Image file type and format guide" and "Media container formats".
    package var isForBrowsers: Bool {
        switch identifier {
        case "public.jpeg", "public.png", "com.compuserve.gif", "org.webmproject.webp",
            "com.microsoft.waveform-audio", "public.mp3", "public.mpeg-4-audio", "com.apple.m4a-audio",
            "public.mpeg-4":
            true
        default: false
        }
    }

    private init(_ row: Row) {
        (identifier, kind, mediaType) = (row.identifier, row.kind, row.media)
        preferredPathExtension = row.extensions[0]
    }
}
