// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The brightness of a scene's box as a whole, so far as sizes, colours and opacities say it.
///
/// Each node counts by the part of the box that it may cover, one in front of the other, wherever it stands. Of
/// pictures only the part is known, and texts are left out. A change of a tenth is one that hurts if it comes again and
/// again.
/// Source: WCAG 2.2, "general flash and red flash thresholds".
struct SceneBrightness {
    /// A change of brightness that counts, of which white has 1 and black 0.
    private static let leastChange = 0.1
    /// A change of the part of the box that a picture covers, which counts.
    private static let leastPart = 0.25
    /// The box of a scene that names no size.
    private static let usual = SceneSize(360, 216)

    /// The room of a node in points, and its opacity with all above it, for those below it.
    private struct Place {
        let width: Double
        let height: Double
        let opacity: Double
    }

    /// The brightness in the light scheme and in the dark one, from the page's own backgrounds on.
    private var light = 1.0
    private var dark = 0.0
    /// The parts of the box by the numbers of the pictures that cover them.
    private var pictures: [UInt32: Double] = [:]

    init(_ scene: SceneTree) {
        let size = scene.size ?? Self.usual
        let box = Place(width: max(1, size.width), height: max(1, size.height), opacity: 1)
        var places: [UInt32: Place] = [:]
        for node in scene.inOrder where !node.style.isHidden && !node.isStrip {
            guard let above = node.up == 0 ? box : places[node.up] else { continue }
            let isInFlow = scene[node.up].map { Self.isFlow($0.kind) } ?? false
            // A row or a column shares its room out.
            let share = isInFlow ? Double(max(1, scene.children(of: node.up).count)) : 1
            let place = Place(
                width: node.frame?.width ?? above.width,
                height: node.frame?.height ?? above.height / share,
                opacity: above.opacity * node.style.opacity
            )
            places[node.id] = place
            paint(node, min(1, Self.area(of: place, node.style.transform, in: box)) * place.opacity)
        }
    }

    /// True for a row and for a column.
    private static func isFlow(_ kind: SceneKind) -> Bool {
        switch kind {
        case .row, .column: true
        default: false
        }
    }

    /// True if the change from another scene is one that counts.
    func differs(from other: SceneBrightness) -> Bool {
        let isOther = abs(light - other.light) >= Self.leastChange || abs(dark - other.dark) >= Self.leastChange
        return isOther
            || Set(pictures.keys).union(other.pictures.keys).contains { picture in
                abs((pictures[picture] ?? 0) - (other.pictures[picture] ?? 0)) >= Self.leastPart
            }
    }

    /// The part of the box that a place covers at most, and without its opacity.
    private static func area(of place: Place, _ transform: [Double]?, in box: Place) -> Double {
        let scale = transform.map { ($0[0] * $0[0] + $0[1] * $0[1], $0[2] * $0[2] + $0[3] * $0[3]) } ?? (1, 1)
        let width = min(place.width * scale.0.squareRoot(), box.width)
        let height = min(place.height * scale.1.squareRoot(), box.height)
        return width * height / (box.width * box.height)
    }

    private mutating func paint(_ node: SceneNode, _ part: Double) {
        let gradient = node.style.gradient
        for (color, weight) in [(node.style.background, 1.0), (gradient?.from, 0.5), (gradient?.to, 0.5)] {
            guard let color else { continue }
            light = Self.mixed(light, color.light, part * weight)
            dark = Self.mixed(dark, color.dark, part * weight)
        }
        if let picture = node.kind.source { pictures[picture, default: 0] += part }
    }

    private static func mixed(_ behind: Double, _ color: UInt32, _ part: Double) -> Double {
        func channel(_ place: UInt32) -> Double {
            let value = Double((color >> place) & 0xFF) / 255
            // The square is within a twentieth of what a screen gives.
            return value * value
        }
        let share = part * Double(color & 0xFF) / 255
        return behind * (1 - share) + (0.2126 * channel(24) + 0.7152 * channel(16) + 0.0722 * channel(8)) * share
    }
}
