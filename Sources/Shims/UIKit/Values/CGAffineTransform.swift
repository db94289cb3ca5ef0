// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A transform of the plane that keeps lines straight and parallel.
///
/// A point becomes `(a·x + c·y + tx, b·x + d·y + ty)`. Source: Apple, "CGAffineTransform".
public struct CGAffineTransform: Hashable, Codable, Sendable {
    /// The part of x that goes into x.
    public var a: CGFloat
    /// The part of x that goes into y.
    public var b: CGFloat
    /// The part of y that goes into x.
    public var c: CGFloat
    /// The part of y that goes into y.
    public var d: CGFloat
    /// Points to the right.
    public var tx: CGFloat
    /// Points down.
    public var ty: CGFloat

    /// Takes the six numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// Takes the six numbers.
    public init(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat, _ tx: CGFloat, _ ty: CGFloat) {
        self.init(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
    }

    /// Makes the transform whose numbers are all zero, as Apple's does.
    public init() {
        self.init(0, 0, 0, 0, 0, 0)
    }

    /// Moves by a distance.
    public init(translationX tx: CGFloat, y ty: CGFloat) {
        self.init(1, 0, 0, 1, tx, ty)
    }

    /// Makes larger or smaller, from the origin.
    public init(scaleX sx: CGFloat, y sy: CGFloat) {
        self.init(sx, 0, 0, sy, 0, 0)
    }

    /// Turns about the origin by an angle in radians, clockwise where y points down.
    public init(rotationAngle angle: CGFloat) {
        self.init(cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0)
    }

    /// Changes nothing.
    public static let identity = CGAffineTransform(1, 0, 0, 1, 0, 0)

    /// True if it changes nothing.
    public var isIdentity: Bool { self == .identity }

    /// Returns the transform that does this one and then the other.
    public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a * t2.a + b * t2.c,
            a * t2.b + b * t2.d,
            c * t2.a + d * t2.c,
            c * t2.b + d * t2.d,
            tx * t2.a + ty * t2.c + t2.tx,
            tx * t2.b + ty * t2.d + t2.ty
        )
    }

    /// Returns the transform that undoes this one; itself when nothing does.
    public func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return self }
        return CGAffineTransform(
            d / determinant,
            -b / determinant,
            -c / determinant,
            a / determinant,
            (c * ty - d * tx) / determinant,
            (b * tx - a * ty) / determinant
        )
    }

    /// Returns the transform that moves and then does this one.
    public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: tx, y: ty).concatenating(self)
    }

    /// Returns the transform that scales and then does this one.
    public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
    }

    /// Returns the transform that turns and then does this one.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// The six numbers as a scene has them.
    package var sceneNumbers: [Double] { [a, b, c, d, tx, ty].map { Double($0) } }
}

extension CGPoint {
    /// Returns the place to which a transform brings this one.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

extension CGSize {
    /// Returns the size that a transform makes of this one; it is not moved.
    public func applying(_ t: CGAffineTransform) -> CGSize {
        CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
}

extension CGRect {
    /// Returns the smallest upright rectangle around the four corners that a transform moved.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        if isNull || isInfinite { return self }
        let corners = [(minX, minY), (maxX, minY), (minX, maxY), (maxX, maxY)].map { corner in
            CGPoint(x: corner.0, y: corner.1).applying(t)
        }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.reduce(xs[0], min), ys.reduce(ys[0], min))
        return CGRect(
            x: left,
            y: top,
            width: xs.reduce(xs[0], max) - left,
            height: ys.reduce(ys[0], max) - top
        )
    }
}

/// A direction and a length in the plane.
public struct CGVector: Hashable, Codable, Sendable {
    /// The length along x.
    public var dx: CGFloat
    /// The length along y.
    public var dy: CGFloat

    /// Takes the two lengths.
    public init(dx: CGFloat, dy: CGFloat) {
        (self.dx, self.dy) = (dx, dy)
    }

    /// Takes no length.
    public init() {
        self.init(dx: 0, dy: 0)
    }

    /// No length.
    public static let zero = CGVector()
}
