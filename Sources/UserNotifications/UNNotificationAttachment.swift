// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
public import Foundation
import NotificationPayload

/// Option of an attachment: its uniform type identifier, for a file whose name does not tell.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// Option of an attachment: a boolean, whether no thumbnail is shown.
///
/// An app's request carries it to the notification centre, as it does the two other words on a thumbnail.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// Option of an attachment: the part of the image shown as thumbnail, a `CGRect` of numbers from 0 to 1 or a dictionary
/// with `X`, `Y`, `Width` and `Height`.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// Option of an attachment: the moment of the film shown as thumbnail, in seconds, or a dictionary with `value` and
/// `timescale`.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

// SAFETY: immutable after `init`.
/// An image, sound or film beside a notification's text.
///
/// | kind | types | at most |
/// | --- | --- | --- |
/// | image | JPEG, PNG, GIF; here also HEIC and WebP | 10 MB |
/// | sound | AIFF, WAV, MP3, M4A | 5 MB |
/// | film | MPEG, MPEG-2, MP4, AVI | 50 MB |
///
/// Apple moves the file into a store of its own as soon as the attachment is made into a request; here the host takes
/// it away once the content was handed over, from the extension's own folders, and copies one of its bundle.
/// Source: Apple, "UNNotificationAttachment".
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    private let place: Place
    private let typeIdentifier: String
    /// The words on a thumbnail; `nil` means that there are none.
    package let thumbnail: RequestAttachment.Thumbnail?

    /// The place of the file.
    private enum Place: Equatable {
        case at(URL)
        /// A file that the centre keeps, fetched when the app asks for its place.
        case kept(KeptFile)
    }

    /// Makes the attachment of a notification that the centre keeps; nothing is fetched yet.
    init(_ file: KeptFile) {
        name = file.identifier
        place = .kept(file)
        typeIdentifier = file.type
        thumbnail = file.thumbnail
    }

    /// Checks the file now, and leaves it where it is: it is taken away after the content was handed over.
    ///
    /// An empty identifier is replaced by a new one. The type comes from the hint, else from the file extension; the
    /// bytes are not looked at.
    /// Errors, all `UNError`: `attachmentInvalidURL` (no file URL, no regular file there),
    /// `attachmentUnrecognizedType`, `attachmentInvalidFileSize` (empty, or above 10 MB for an image, 5 MB for a
    /// sound, 50 MB for a film).
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, let byteCount = Self.byteCountOfFile(at: url.path) else {
            throw UNError(.attachmentInvalidURL, userInfo: [NSURLErrorKey: url])
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let type = hint.map(AttachmentType.init(identifier:)) ?? AttachmentType(pathExtension: url.pathExtension)
        else { throw UNError(.attachmentUnrecognizedType, userInfo: [NSURLErrorKey: url]) }
        guard (1...type.kind.maximumByteCount).contains(byteCount) else {
            throw UNError(.attachmentInvalidFileSize, userInfo: [NSURLErrorKey: url])
        }
        name = identifier.isEmpty ? UUID().uuidString : identifier
        place = .at(url)
        typeIdentifier = type.identifier
        thumbnail = options.flatMap { RequestAttachment.Thumbnail(options: $0) }
    }

    /// The same with the label's older spelling.
    public convenience init(identifier: String, URL url: URL, options: [AnyHashable: Any]? = nil) throws {
        try self.init(identifier: identifier, url: url, options: options)
    }

    /// Unique in its notification; never empty.
    open var identifier: String { name }
    /// The place of the file when the attachment was made.
    ///
    /// The file of a notification that the centre keeps is fetched here, once, into a private folder of the process,
    /// and this waits for the centre as reading a file waits for a disk, for 10 s at most. The folder has the last 64
    /// files and 256 MiB of them; an older one is fetched anew. It goes with the process. A file that the centre does
    /// not keep any more has a place at which there is no file.
    open var url: URL {
        switch place {
        case .at(let url): url
        case .kept(let file): file.url
        }
    }

    /// True if the centre keeps the file.
    var isKept: Bool {
        if case .kept = place { true } else { false }
    }

    /// Uniform type identifier.
    open var type: String { typeIdentifier }

    /// Returns the file's length; `nil` unless a regular file is there that may be read.
    private static func byteCountOfFile(at path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: Foundation.URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        )
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            FileManager.default.isReadableFile(atPath: path)
        else { return nil }
        return (attributes[.size] as? NSNumber)?.intValue
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the attachment itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationAttachment else { return false }
        return name == other.name && place == other.place && typeIdentifier == other.typeIdentifier
            && thumbnail == other.thumbnail
    }

    /// The same for equal objects.
    open override var hash: Int { name.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text(forKey: "identifier"), let path = coder.text(forKey: "path"),
            let type = coder.text(forKey: "type")
        else { return nil }
        name = identifier
        place = .at(Foundation.URL(fileURLWithPath: path))
        typeIdentifier = type
        thumbnail = coder.payload(forKey: "thumbnail").flatMap { RequestAttachment.Thumbnail(archived: $0) }
    }

    /// Archives identifier, path, type and the words on a thumbnail; not the file.
    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "identifier")
        coder.encode(url.path as NSString, forKey: "path")
        coder.encode(typeIdentifier as NSString, forKey: "type")
        if let thumbnail { coder.encodePayload(thumbnail.json, forKey: "thumbnail") }
    }
}
