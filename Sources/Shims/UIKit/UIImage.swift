// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import NotificationPayload

// SAFETY: immutable after `init`.
/// Bytes of an image, on their way from a download to an attachment.
///
/// Apple's decodes, draws and encodes. This one carries: it knows format and size by the first bytes and gives the bytes
/// back. Where that is not what was asked for, JPEG bytes for a PNG, the log says so once.
open class UIImage: NSObject, @unchecked Sendable {
    /// Pixels of a point.
    public let scale: CGFloat

    private let bytes: Data
    private let facts: ImageFacts

    /// An image of these bytes; nil when they are no PNG, JPEG, GIF, WebP, HEIC, TIFF or BMP.
    public init?(data: Data, scale: CGFloat = 1) {
        guard let facts = ImageFacts(data) else { return nil }
        (bytes, self.facts, self.scale) = (data, facts, scale > 0 ? scale : 1)
    }

    /// An image of a file; nil when there is none.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// An image file of the extension's bundle, by name, with or without an extension; nil when there is none.
    ///
    /// Asset catalogs are not read.
    public convenience init?(named name: String) {
        let path = ["", "png", "jpg", "jpeg", "gif"].lazy.compactMap { Bundle.main.path(forResource: name, ofType: $0) }
        guard let path = path.first else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Always `nil`, because the symbols are Apple's.
    public convenience init?(systemName name: String) {
        HostLog.warnOnce("there are no system symbols here: UIImage(systemName:) is nil")
        return nil
    }

    /// Width and height in points; zero for a format whose size is not read (all but PNG, JPEG, GIF, WebP and BMP).
    open var size: CGSize { CGSize(width: CGFloat(facts.width) / scale, height: CGFloat(facts.height) / scale) }

    /// The bytes, whatever their format.
    open func pngData() -> Data? {
        if facts.format != .png { Self.warn(of: facts.format, asked: "PNG") }
        return bytes
    }

    /// The bytes, whatever their format and quality.
    open func jpegData(compressionQuality: CGFloat) -> Data? {
        if facts.format != .jpeg {
            Self.warn(of: facts.format, asked: "JPEG")
        } else if compressionQuality < 1 {
            HostLog.warnOnce("UIImage compresses nothing here: JPEG data is given back as it came")
        }
        return bytes
    }

    private static func warn(of format: ImageFacts.Format, asked: String) {
        HostLog.warnOnce("UIImage converts nothing here: asked for \(asked), gave \(format.rawValue) data as it came")
    }
}

/// The bytes, whatever their format: `pngData()` by its older name.
public func UIImagePNGRepresentation(_ image: UIImage) -> Data? { image.pngData() }

/// The bytes, whatever their format: `jpegData(compressionQuality:)` by its older name.
public func UIImageJPEGRepresentation(_ image: UIImage, _ compressionQuality: CGFloat) -> Data? {
    image.jpegData(compressionQuality: compressionQuality)
}

/// Draws images.
@available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
public final class UIGraphicsImageRenderer: NSObject {}

/// Begins a drawing.
@available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {}

/// Begins a drawing.
@available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
public func UIGraphicsBeginImageContext(_ size: CGSize) {}

/// Ends a drawing.
@available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
public func UIGraphicsEndImageContext() {}

/// The drawing so far.
@available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? { nil }
