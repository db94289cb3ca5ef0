// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// A property of a layer that animations can move, with its values as numbers.
enum AnimatedProperty: String, Hashable {
    case opacity, hidden, cornerRadius, borderWidth, backgroundColor, transform, bounds, position
    case positionX = "position.x"
    case positionY = "position.y"
    case size = "bounds.size"
    case width = "bounds.size.width"
    case height = "bounds.size.height"
    case scale = "transform.scale"
    case scaleX = "transform.scale.x"
    case scaleY = "transform.scale.y"
    case rotation = "transform.rotation"
    case translation = "transform.translation"
    case translationX = "transform.translation.x"
    case translationY = "transform.translation.y"

    /// Takes the key path of an animation; `nil` for what is not drawn.
    init?(keyPath: String) {
        switch keyPath {
        case "transform.rotation.z": self = .rotation
        case "transform.scale.xy": self = .scale
        default:
            guard let property = AnimatedProperty(rawValue: keyPath) else { return nil }
            self = property
        }
    }

    /// The numbers of a value.
    private var count: Int {
        switch self {
        case .position, .size, .translation: 2
        case .bounds, .backgroundColor: 4
        case .transform: 6
        default: 1
        }
    }

    /// The numbers of a value as code gives it; `nil` for none, and for one of another kind.
    func numbers(_ value: Any?) -> [Double]? {
        guard let value else { return nil }
        let numbers: [Double]? =
            switch value {
            case let number as CGFloat: [Double(number)]
            case let number as Double: [number]
            case let number as Float: [Double(number)]
            case let number as Int: [Double(number)]
            case let flag as Bool: [flag ? 1 : 0]
            case let number as NSNumber: [number.doubleValue]
            case let point as CGPoint: [Double(point.x), Double(point.y)]
            case let size as CGSize: Self.numbers(of: size)
            case let rect as CGRect: Self.numbers(of: rect)
            case let transform as CATransform3D: transform.plane.sceneNumbers
            case let transform as CGAffineTransform: transform.sceneNumbers
            case let color as CGColor: color.components?.map { Double($0) }
            case let color as UIColor: color.cgColor.components?.map { Double($0) }
            case let value as NSValue: numbers(of: value)
            default: nil
            }
        guard let numbers, numbers.count == count, numbers.allSatisfy(\.isFinite) else { return nil }
        return numbers
    }

    private func numbers(of value: NSValue) -> [Double]? {
        switch self {
        case .bounds: Self.numbers(of: value.cgRectValue)
        case .size: Self.numbers(of: value.cgSizeValue)
        case .translation where value.holdsSize: Self.numbers(of: value.cgSizeValue)
        case .position, .translation: [Double(value.cgPointValue.x), Double(value.cgPointValue.y)]
        default: nil
        }
    }

    private static func numbers(of size: CGSize) -> [Double] { [Double(size.width), Double(size.height)] }

    private static func numbers(of rect: CGRect) -> [Double] {
        [Double(rect.minX), Double(rect.minY), Double(rect.width), Double(rect.height)]
    }

    /// The value of a layer itself.
    @MainActor func value(of layer: CALayer) -> [Double]? {
        let parts = TransformParts(layer.affineTransform())
        let bounds = layer.bounds
        return switch self {
        case .opacity: [Double(layer.alpha)]
        case .hidden: [layer.isHidden ? 1 : 0]
        case .cornerRadius: [Double(layer.cornerRadius)]
        case .borderWidth: [Double(layer.borderWidth)]
        case .backgroundColor: (layer.owner?.backgroundColor?.cgColor ?? layer.backgroundColor).flatMap(numbers)
        case .transform: layer.affineTransform().sceneNumbers
        case .bounds: Self.numbers(of: bounds)
        case .position: [Double(layer.position.x), Double(layer.position.y)]
        case .positionX: [Double(layer.position.x)]
        case .positionY: [Double(layer.position.y)]
        case .size: [Double(bounds.width), Double(bounds.height)]
        case .width: [Double(bounds.width)]
        case .height: [Double(bounds.height)]
        case .scale, .scaleX: [parts.scaleX]
        case .scaleY: [parts.scaleY]
        case .rotation: [parts.rotation]
        case .translation: [parts.x, parts.y]
        case .translationX: [parts.x]
        case .translationY: [parts.y]
        }
    }

    static func sum(_ left: [Double], _ right: [Double]) -> [Double] {
        left.count == right.count ? zip(left, right).map { $0 + $1 } : left
    }
}

/// A transform of the plane as a scale, a turn and a way, one after the other.
struct TransformParts {
    var scaleX: Double
    var scaleY: Double
    /// Radians.
    var rotation: Double
    var x: Double
    var y: Double

    /// Takes a transform apart; what it skews is lost.
    init(_ transform: CGAffineTransform) {
        let (a, b, c, d) = (Double(transform.a), Double(transform.b), Double(transform.c), Double(transform.d))
        scaleX = (a * a + b * b).squareRoot()
        scaleY = scaleX > 0 ? (a * d - b * c) / scaleX : d
        rotation = atan2(b, a)
        (x, y) = (Double(transform.tx), Double(transform.ty))
    }

    var transform: CGAffineTransform {
        CGAffineTransform(scaleX: CGFloat(scaleX), y: CGFloat(scaleY))
            .concatenating(CGAffineTransform(rotationAngle: CGFloat(rotation)))
            .concatenating(CGAffineTransform(translationX: CGFloat(x), y: CGFloat(y)))
    }
}

extension CALayer {
    /// Gives the node of the layer the look that its animations have now.
    func showAnimated(_ values: [(AnimatedProperty, [Double])], in node: inout SceneNode) {
        var parts: TransformParts?
        for (property, value) in values {
            switch property {
            case .opacity: node.style.opacity = value[0].scene(SceneLimits.opacity)
            case .hidden: node.style.isHidden = value[0] >= 0.5
            case .cornerRadius: node.style.radius = value[0].scene(SceneLimits.extent)
            case .borderWidth: node.style.border?.width = value[0].scene(SceneLimits.extent)
            case .backgroundColor:
                let color = CGColor(ColorComponents(value[0], value[1], value[2], value[3]))
                node.style.background = color.sceneColor
            case .transform:
                let own = CGAffineTransform(value[0], value[1], value[2], value[3], value[4], value[5])
                node.style.transform = sceneTransform(own)
            case .position, .positionX, .positionY, .bounds, .size, .width, .height:
                if let frame = node.frame { node.frame = animated(frame, property, value) }
            case .scale, .scaleX, .scaleY, .rotation, .translation, .translationX, .translationY:
                var changed = parts ?? TransformParts(affineTransform())
                changed.take(value, of: property)
                parts = changed
            }
        }
        if let parts { node.style.transform = sceneTransform(parts.transform) }
    }

    private func animated(_ frame: SceneFrame, _ property: AnimatedProperty, _ value: [Double]) -> SceneFrame {
        var frame = frame
        func grow(width: Double, height: Double) {
            let (dx, dy) = (width - Double(bounds.width), height - Double(bounds.height))
            frame.x -= Double(anchorPoint.x) * dx
            frame.y -= Double(anchorPoint.y) * dy
            frame.width += dx
            frame.height += dy
        }
        switch property {
        case .position:
            frame.x += value[0] - Double(position.x)
            frame.y += value[1] - Double(position.y)
        case .positionX: frame.x += value[0] - Double(position.x)
        case .positionY: frame.y += value[0] - Double(position.y)
        case .bounds: grow(width: value[2], height: value[3])
        case .size: grow(width: value[0], height: value[1])
        case .width: grow(width: value[0], height: Double(bounds.height))
        default: grow(width: Double(bounds.width), height: value[0])
        }
        return SceneFrame(
            frame.x.scene(SceneLimits.number),
            frame.y.scene(SceneLimits.number),
            frame.width.scene(SceneLimits.length),
            frame.height.scene(SceneLimits.length)
        )
    }
}

extension TransformParts {
    fileprivate mutating func take(_ value: [Double], of property: AnimatedProperty) {
        switch property {
        case .scale: (scaleX, scaleY) = (value[0], value[0])
        case .scaleX: scaleX = value[0]
        case .scaleY: scaleY = value[0]
        case .rotation: rotation = value[0]
        case .translation: (x, y) = (value[0], value[1])
        case .translationX: x = value[0]
        case .translationY: y = value[0]
        default: break
        }
    }
}
