// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// Images by name, and system symbols.
extension UIImage {
    /// Finds an image of the extension's bundle by name, with or without an extension; nil when there is none.
    ///
    /// Images of the asset catalogue go before files, which are named `NAME[~dark][@2x|@3x].EXTENSION`. That for the
    /// scale of the screen is taken, and both styles are kept.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil, compatibleWith: nil)
    }

    /// Finds an image of a bundle by name; nil means the extension's bundle.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?)
    {
        guard let content = ImageContent(named: name, in: bundle ?? .main, compatibleWith: traitCollection) else {
            return nil
        }
        let isTemplate = ImageFile.asset(named: name)?.isTemplate == true
        self.init(content, ImageLook(mode: isTemplate ? .alwaysTemplate : .automatic))
    }

    /// Finds an image of a bundle by name; nil means the extension's bundle.
    public convenience init?(named name: String, in bundle: Bundle?, with configuration: UIImage.Configuration?) {
        self.init(named: name, in: bundle, compatibleWith: nil)
    }

    /// Names a system symbol; nil when no symbol has such a name: small letters, digits and points.
    ///
    /// The page draws some thirty symbols, and a plain square for the others.
    public convenience init?(systemName name: String) {
        self.init(systemName: name, withConfiguration: nil)
    }

    /// Names a system symbol and its size; nil when no symbol has such a name.
    public convenience init?(systemName name: String, withConfiguration configuration: UIImage.Configuration?) {
        let isName =
            (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            }
        guard isName else { return nil }
        self.init(.symbol(name), ImageLook(configuration: configuration as? SymbolConfiguration))
    }

    /// Names a system symbol; traits change nothing about it.
    public convenience init?(systemName name: String, compatibleWith traitCollection: UITraitCollection?) {
        self.init(systemName: name, withConfiguration: nil)
    }

    /// Takes the first of several images and a duration in seconds; nil without images.
    ///
    /// The page draws the first one.
    public class func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? {
        guard let first = images.first else { return nil }
        HostLog.warnOnce("UIImage moves nothing here: of an animated image the first one is drawn; a GIF file moves")
        return first.changed { ($0.images, $0.duration) = (images, duration) }
    }

    /// Finds images of the bundle by a name and a number behind it, from 0 or 1 to 1,024; nil when there are none.
    ///
    /// The page draws the first one.
    public class func animatedImageNamed(_ name: String, duration: TimeInterval) -> UIImage? {
        let start = UIImage(named: name + "0") == nil ? 1 : 0
        let images = sequence(first: start) { $0 < 1024 ? $0 + 1 : nil }.lazy.map { UIImage(named: "\(name)\($0)") }
        return animatedImage(with: images.prefix { $0 != nil }.compactMap { $0 }, duration: duration)
    }
}
