// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// Something that a scene shows: an element, or several in their order.
///
/// A method or a property of a scene that returns `some SceneContent` is a part of its description. A part holds no
/// ``State`` of its own, because it is made anew at each drawing: it takes a ``Binding``.
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

/// Puts the statements of a scene together: elements, `if`, `switch` and `for`.
@MainActor @resultBuilder public enum SceneBuilder {
    /// Takes one element, or a part with several.
    public static func buildExpression(_ content: some SceneContent) -> SceneElements { content.elements }

    /// Puts statements one behind the other.
    public static func buildBlock(_ parts: SceneElements...) -> SceneElements {
        parts.count == 1 ? parts[0] : joined(parts)
    }

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
