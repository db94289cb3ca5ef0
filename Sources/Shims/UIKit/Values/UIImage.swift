// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import NotificationPayload
package import SceneModel

// SAFETY: immutable after `init`.
/// The bytes of an image, on their way from a download to an attachment or to a view.
///
/// Apple's decodes, draws and encodes. This one carries: it knows format and size by the first bytes and gives the
/// bytes back. Where that is not what was asked for, JPEG bytes for a PNG, the log says so once. An image of a system
/// symbol has a name and no bytes. Files above a megabyte are not in memory.
open class UIImage: NSObject, @unchecked Sendable, _ExpressibleByImageLiteral {
    // Set in `init` alone. A convenience initialiser sets them, because a designated one that is not public would take
    // the inherited initialisers from an author's subclass.
    private(set) var content = ImageContent.nothing
    private(set) var look = ImageLook()

    /// Makes an image without size.
    public override init() {}

    convenience init(_ content: ImageContent, _ look: ImageLook = ImageLook()) {
        self.init()
        (self.content, self.look) = (content, look)
    }

    /// Takes the bytes of an image; nil when they are no PNG, JPEG, GIF, WebP, HEIC, TIFF or BMP.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Takes the bytes of an image and its pixels to a point; nil as for bytes alone.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let picture = ImagePicture(data, scale: scale) else { return nil }
        self.init(.pictures(light: picture, dark: nil))
    }

    /// Takes the image of a file; nil when there is none.
    ///
    /// A name that ends in `@2x` or `@3x` tells the pixels of a point.
    public convenience init?(contentsOfFile path: String) {
        guard let picture = ImagePicture(file: path) else { return nil }
        self.init(.pictures(light: picture, dark: nil))
    }

    /// Stands for `#imageLiteral(resourceName:)`; an image that the bundle does not have is one without size.
    public required convenience init(imageLiteralResourceName name: String) {
        let image = UIImage(named: name)
        if image == nil { HostLog.warnOnce("an image literal names no file of the bundle: it has no size") }
        self.init(image?.content ?? .nothing, image?.look ?? ImageLook())
    }

    /// Pixels of a point.
    open var scale: CGFloat {
        switch content {
        case .nothing: 1
        case .symbol: CGFloat(Surroundings.environment.scale)
        case .pictures(let light, _): light.scale
        }
    }

    /// Width and height in points; zero for a format whose size is not read (all but PNG, JPEG, GIF, WebP and BMP).
    open var size: CGSize {
        switch content {
        case .nothing: return .zero
        case .symbol:
            let side = look.configuration?.side ?? SymbolConfiguration.usualSide
            return CGSize(width: side, height: side)
        case .pictures(let light, _): return light.size
        }
    }

    /// True for a system symbol.
    open var isSymbolImage: Bool {
        if case .symbol = content { true } else { false }
    }

    /// The bytes, whatever their format; nil when there are none.
    open func pngData() -> Data? {
        guard let picture = picture() else { return nil }
        if picture.facts.format != .png { Self.warn(of: picture.facts.format, asked: "PNG") }
        return picture.bytes
    }

    /// The bytes, whatever their format and quality; nil when there are none.
    open func jpegData(compressionQuality: CGFloat) -> Data? {
        guard let picture = picture() else { return nil }
        if picture.facts.format != .jpeg {
            Self.warn(of: picture.facts.format, asked: "JPEG")
        } else if compressionQuality < 1 {
            HostLog.warnOnce("UIImage compresses nothing here: JPEG data is given back as it came")
        }
        return picture.bytes
    }

    /// Compares the bytes, or the symbol's name, and the look.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIImage else { return false }
        return other === self || (other.look == look && other.content == content)
    }

    /// The same for equal images.
    open override var hash: Int { content.hashValue }

    /// Returns the source of what a scene shows in a style; nil when that is nothing.
    package func sceneContent(in style: ViewEnvironment.Style) -> SceneContent? {
        switch content {
        case .nothing: return nil
        case .symbol(let name): return .symbol(name)
        case .pictures(let light, let dark):
            let picture = style == .dark ? dark ?? light : light
            return picture.url.map(SceneContent.file) ?? .data(picture.bytes)
        }
    }

    /// The source of what a scene shows in the style of the surroundings; nil when that is nothing.
    package var sceneContent: SceneContent? { sceneContent(in: Surroundings.environment.style) }

    /// True if the image is another one in the dark style.
    package var hasDarkContent: Bool {
        if case .pictures(_, .some) = content { true } else { false }
    }

    private func picture() -> ImagePicture? {
        switch content {
        case .nothing: return nil
        case .symbol:
            HostLog.warnOnce("a system symbol has no bytes here: UIImage gives no PNG or JPEG data of it")
            return nil
        case .pictures(let light, _): return light
        }
    }

    private static func warn(of format: ImageFacts.Format, asked: String) {
        HostLog.warnOnce("UIImage converts nothing here: asked for \(asked), gave \(format.rawValue) data as it came")
    }

    /// The source of a picture that a scene shows.
    package enum SceneContent: Sendable, Equatable {
        /// The name of a system symbol.
        case symbol(String)
        /// A file that holds the bytes as they are.
        case file(URL)
        /// The bytes themselves.
        case data(Data)
    }
}

/// The type of `#imageLiteral`.
public typealias _ImageLiteralType = UIImage
