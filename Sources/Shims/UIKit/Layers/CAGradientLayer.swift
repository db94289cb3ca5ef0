// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A layer that goes from one colour to another.
///
/// The page draws two: the first and the last, from edge to edge. Of more colours, of `locations`, and of gradients
/// that are not linear the log says so. Source: Apple, "CAGradientLayer".
@preconcurrency @MainActor open class CAGradientLayer: CALayer {
    /// The colours, each a `CGColor`.
    @_OnMainThread open var colors: [Any]? {
        didSet {
            if let colors, colors.count > 2 {
                Absent.note("a third colour of a CAGradientLayer", "it goes from the first to the last")
            }
            changed()
        }
    }
    /// The places of the colours; the first is at the beginning and the last at the end, whatever this says.
    @_OnMainThread open var locations: [NSNumber]? {
        didSet {
            let ends = [locations?.first?.doubleValue ?? 0, locations?.last?.doubleValue ?? 1]
            if ends != [0, 1] { Absent.note("CAGradientLayer.locations", "colours are at the edges") }
        }
    }
    /// The place of the first colour, from 0 to 1 of the size.
    @_OnMainThread open var startPoint = CGPoint(x: 0.5, y: 0) { didSet { changed() } }
    /// The place of the last colour, from 0 to 1 of the size.
    @_OnMainThread open var endPoint = CGPoint(x: 0.5, y: 1) { didSet { changed() } }
    /// The kind of the gradient: all are drawn as linear ones.
    @_OnMainThread open var type = CAGradientLayerType.axial {
        didSet { if type != .axial { Absent.note("CAGradientLayer.type", "the gradient is linear") } }
    }

    /// Makes an empty one.
    public required init() {
        super.init()
    }

    override func sceneGradient() -> SceneStyle.Gradient? {
        let known = (colors ?? []).compactMap { color in
            (color as? CGColor)?.sceneColor ?? (color as? UIColor)?.sceneColor
        }
        guard let from = known.first, let to = known.last else { return nil }
        return SceneStyle.Gradient(from: from, to: to, angle: angle)
    }

    /// Degrees clockwise from upwards, as CSS has them, of the way in the layer's size.
    private var angle: Double {
        let dx = Double((endPoint.x - startPoint.x) * bounds.width)
        let dy = Double((endPoint.y - startPoint.y) * bounds.height)
        guard dx != 0 || dy != 0, dx.isFinite, dy.isFinite else { return 180 }
        let degrees = atan2(dx, -dy) * 180 / .pi
        return (degrees < 0 ? degrees + 360 : degrees).scene(0...360)
    }
}

/// The kind of a gradient.
public struct CAGradientLayerType: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// From side to side.
    public static let axial = CAGradientLayerType(rawValue: "axial")
    /// From the middle outwards.
    public static let radial = CAGradientLayerType(rawValue: "radial")
    /// Around the middle.
    public static let conic = CAGradientLayerType(rawValue: "conic")
}
