// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Values of geometry in an object, as animations take them.
extension NSValue {
    /// A point.
    public convenience init(cgPoint point: CGPoint) { self.init(point: point) }
    /// A size.
    public convenience init(cgSize size: CGSize) { self.init(size: size) }
    /// A rectangle.
    public convenience init(cgRect rect: CGRect) { self.init(rect: rect) }

    /// A transform.
    @available(*, unavailable, message: "give the CATransform3D itself: Swift puts it in an Any without an NSValue")
    public convenience init(caTransform3D t: CATransform3D) { self.init(point: .zero) }

    /// A transform.
    @available(*, unavailable, message: "give the CGAffineTransform itself: Swift puts it in an Any without an NSValue")
    public convenience init(cgAffineTransform transform: CGAffineTransform) { self.init(point: .zero) }

    /// The point; zero for a value of another kind.
    public var cgPointValue: CGPoint { pointValue }
    /// The size; zero for a value of another kind.
    public var cgSizeValue: CGSize { sizeValue }
    /// The rectangle; zero for a value of another kind.
    public var cgRectValue: CGRect { rectValue }

    /// True for a value that was made of a size.
    var holdsSize: Bool { unsafe String(cString: objCType).contains("Size") }
}
