// SPDX-License-Identifier: Apache-2.0

/// The place of a picture in a layer.
public struct CALayerContentsGravity: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The middle.
    public static let center = CALayerContentsGravity(rawValue: "center")
    /// The top.
    public static let top = CALayerContentsGravity(rawValue: "top")
    /// The bottom.
    public static let bottom = CALayerContentsGravity(rawValue: "bottom")
    /// The left side.
    public static let left = CALayerContentsGravity(rawValue: "left")
    /// The right side.
    public static let right = CALayerContentsGravity(rawValue: "right")
    /// The top left corner.
    public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
    /// The top right corner.
    public static let topRight = CALayerContentsGravity(rawValue: "topRight")
    /// The bottom left corner.
    public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
    /// The bottom right corner.
    public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
    /// Stretched.
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    /// Undistorted and whole.
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    /// Undistorted, and cut.
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// The way in which a picture of a layer is made larger or smaller.
public struct CALayerContentsFilter: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The nearest pixel.
    public static let nearest = CALayerContentsFilter(rawValue: "nearest")
    /// The mean of the pixels around.
    public static let linear = CALayerContentsFilter(rawValue: "linear")
    /// The mean of the pixels around, of a picture that was made smaller before.
    public static let trilinear = CALayerContentsFilter(rawValue: "trilinear")
}

/// Edges of a layer that are drawn smoothly.
public struct CAEdgeAntialiasingMask: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt32

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The left edge.
    public static let layerLeftEdge = CAEdgeAntialiasingMask(rawValue: 1)
    /// The right edge.
    public static let layerRightEdge = CAEdgeAntialiasingMask(rawValue: 2)
    /// The lower edge.
    public static let layerBottomEdge = CAEdgeAntialiasingMask(rawValue: 4)
    /// The upper edge.
    public static let layerTopEdge = CAEdgeAntialiasingMask(rawValue: 8)
}

/// The curve along which corners are rounded.
public struct CALayerCornerCurve: Hashable, Sendable, RawRepresentable {
    /// Apple's number or word, unknown ones included.
    public let rawValue: String

    /// Takes any value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A part of a circle.
    public static let circular = CALayerCornerCurve(rawValue: "circular")
    /// Apple's continuous curve.
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")
}

/// Some of a layer's corners.
public struct CACornerMask: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Top left.
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    /// Top right.
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    /// Bottom left.
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    /// Bottom right.
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)

    static let all: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
}
