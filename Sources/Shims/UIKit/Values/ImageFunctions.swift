// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The bytes, whatever their format: `pngData()` by its older name.
public func UIImagePNGRepresentation(_ image: UIImage) -> Data? { image.pngData() }

/// The bytes, whatever their format: `jpegData(compressionQuality:)` by its older name.
public func UIImageJPEGRepresentation(_ image: UIImage, _ compressionQuality: CGFloat) -> Data? {
    image.jpegData(compressionQuality: compressionQuality)
}

/// The pixels of an image.
@available(*, unavailable, message: "nothing decodes images here: show or attach the image as it is")
public final class CGImage {}

extension UIImage {
    /// Takes the pixels of an image.
    @available(*, unavailable, message: "nothing decodes images here: make the image of its bytes or its file")
    public convenience init(cgImage: CGImage) {
        self.init(.nothing)
    }

    /// Takes the pixels of an image.
    @available(*, unavailable, message: "nothing decodes images here: make the image of its bytes or its file")
    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {
        self.init(.nothing)
    }

    /// The pixels of the image.
    @available(*, unavailable, message: "nothing decodes images here: show or attach the image as it is")
    public var cgImage: CGImage? { nil }

    /// Draws the image.
    @available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
    public func draw(at point: CGPoint) {}

    /// Draws the image.
    @available(*, unavailable, message: "nothing draws here: attach the image as it is, or prepare it on the server")
    public func draw(in rect: CGRect) {}
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
