// SPDX-License-Identifier: Apache-2.0

/// The parts of an element that hold for some classes of size alone.
///
/// A notification's view is as wide as an iPhone held upright: of compact width and regular height. What holds for
/// other classes is left out without a word, as on such an iPhone.
/// Source: Apple, "UITraitCollection".
enum SizeVariation {
    private static let classes: Set<Substring> = ["default", "heightClass=regular", "widthClass=compact"]

    /// True for a variation that holds for a notification's view.
    static func applies(_ variation: InterfaceElement) -> Bool {
        (variation.attribute("key") ?? "").split(separator: "-").allSatisfy(classes.contains)
    }

    private static func applying(to element: InterfaceElement) -> [InterfaceElement] {
        element.children.filter { $0.name == "variation" && applies($0) }.map {
            _ = $0.key
            return $0.reading()
        }
    }

    /// The ids of subviews or constraints that are not there; the later variation counts.
    static func excluded(from element: InterfaceElement, key: String) -> Set<String> {
        var ids: Set<String> = []
        for variation in applying(to: element) {
            guard let mask = variation.child("mask", key: key) else { continue }
            _ = mask.key
            for child in mask.children {
                guard let id = child.reading()["reference"] else { continue }
                if child.name == "include" { ids.remove(id) } else { ids.insert(id) }
            }
        }
        return ids
    }
}
