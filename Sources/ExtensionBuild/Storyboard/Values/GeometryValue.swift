// SPDX-License-Identifier: Apache-2.0

/// A storyboard's rectangles, sizes, points, insets and ranges as Swift.
enum GeometryValue {
    /// "CGRect(x: 0, y: 0, width: 320, height: 37)"; nil, and a warning, when a number is missing or none.
    static func rect(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        value("CGRect", element, [("x", "x"), ("y", "y"), ("width", "width"), ("height", "height")], script)
    }

    static func size(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        value("CGSize", element, [("width", "width"), ("height", "height")], script)
    }

    static func point(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        value("CGPoint", element, [("x", "x"), ("y", "y")], script)
    }

    /// An `<inset>` has minX, minY, maxX and maxY, an `<edgeInsets>` the names of the sides.
    static func insets(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        let names =
            element.name == "inset"
            ? [("top", "minY"), ("left", "minX"), ("bottom", "maxY"), ("right", "maxX")]
            : [("top", "top"), ("left", "left"), ("bottom", "bottom"), ("right", "right")]
        return value("UIEdgeInsets", element, names, script)
    }

    static func directionalInsets(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        let sides = [("top", "top"), ("leading", "leading"), ("bottom", "bottom"), ("trailing", "trailing")]
        return value("NSDirectionalEdgeInsets", element, sides, script)
    }

    static func range(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        value("NSRange", element, [("location", "location"), ("length", "length")], script)
    }

    private static func value(
        _ type: String,
        _ element: InterfaceElement,
        _ names: [(label: String, attribute: String)],
        _ script: InterfaceScript
    ) -> String? {
        _ = element.key
        var arguments: [String] = []
        for name in names {
            guard let number = element[name.attribute].flatMap(SwiftText.number) else {
                script.warn(element, "\"\(name.attribute)\" is no number")
                return nil
            }
            arguments.append("\(name.label): \(SwiftText.literal(number))")
        }
        return "\(type)(\(arguments.joined(separator: ", ")))"
    }
}
