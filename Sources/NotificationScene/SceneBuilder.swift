// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// Something that a scene shows: an element, or several in their order.
///
/// A function or a property that returns `some SceneContent` is a part that other scenes use again.
@MainActor public protocol SceneContent {
    /// The elements of the content.
    var elements: SceneElements { get }
}

/// Elements of a scene in their order.
@MainActor public struct SceneElements: SceneContent {
    var list: [Element]

    /// The elements themselves.
    public var elements: SceneElements { self }
}

/// One element: a node of the scene without an id, and what is done at its events.
@MainActor struct Element {
    /// The place in its parent's description, by which an element stays the same node when the scene is drawn anew.
    struct Identity: Hashable {
        /// Indices in the description, from the innermost outwards, unless `name` takes their place.
        var path: [Int] = []
        /// The name that `id(_:)` gives.
        var name: AnyHashable?
    }

    /// Bytes of UTF-8 that an element's own text may have, beside its label.
    static let textByteCount = SceneLimits.nodeTextByteCount - SceneLimits.titleByteCount

    var identity = Identity()
    /// Makes the node's kind for a place with so large texts; 1 is the usual size.
    var kind: (_ textSize: Double) -> SceneKind
    var style = SceneStyle()
    var size: SceneSize?
    var grow = 0.0
    var label: String?
    var isStrip = false
    var children: [Element] = []
    /// The functions that are called at the node's events, by their names.
    var acts: [NodeEvent.Name: @MainActor (NodeEvent) -> Void] = [:]

    init(_ kind: SceneKind, children: [Element] = []) {
        self.kind = { _ in kind }
        self.children = children
    }

    init(kind: @escaping (_ textSize: Double) -> SceneKind) {
        self.kind = kind
    }

    /// The element as the one at an index of a list.
    func at(_ index: Int) -> Element {
        var element = self
        element.identity.path.append(index)
        return element
    }
}

/// Puts the statements of a scene together: elements, `if`, `switch` and `for`.
@MainActor @resultBuilder public enum SceneBuilder {
    /// Takes one element, or a part with several.
    public static func buildExpression(_ content: some SceneContent) -> SceneElements { content.elements }

    /// Puts statements one behind the other.
    public static func buildBlock(_ parts: SceneElements...) -> SceneElements { joined(parts) }

    /// Takes an `if` without `else`.
    public static func buildOptional(_ part: SceneElements?) -> SceneElements { part ?? SceneElements(list: []) }

    /// Takes the first branch of a condition.
    public static func buildEither(first part: SceneElements) -> SceneElements { joined([part]) }

    /// Takes another branch of a condition, whose elements are never taken for those of the first.
    public static func buildEither(second part: SceneElements) -> SceneElements {
        joined([SceneElements(list: []), part])
    }

    /// Takes the rounds of a loop; elements that move in it keep their state with ``SceneContent/id(_:)``.
    public static func buildArray(_ parts: [SceneElements]) -> SceneElements {
        SceneElements(
            list: parts.enumerated().flatMap { index, part in
                part.list.map { $0.identity.name == nil ? $0.at(index) : $0 }
            }
        )
    }

    /// Takes what is there on this version of a system.
    public static func buildLimitedAvailability(_ part: SceneElements) -> SceneElements { part }

    private static func joined(_ parts: [SceneElements]) -> SceneElements {
        SceneElements(list: parts.enumerated().flatMap { index, part in part.list.map { $0.at(index) } })
    }
}
