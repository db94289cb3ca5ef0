// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The place of elements across the direction of their row or column.
public enum Alignment: Sendable {
    /// The top, or the side on which the language begins.
    case start
    /// The middle.
    case center
    /// The bottom, or the side on which the language ends.
    case end
    /// The whole height of a row or width of a column.
    case stretch

    fileprivate var scene: SceneFlow.Alignment {
        switch self {
        case .start: .start
        case .center: .center
        case .end: .end
        case .stretch: .stretch
        }
    }
}

/// Elements below each other.
public struct Column: SceneContent {
    /// The column as one element.
    public let elements: SceneElements

    /// A column with so many points between two elements, and between them and each side.
    public init(
        spacing: Double = 8,
        padding: Double = 0,
        alignment: Alignment = .stretch,
        @SceneBuilder content: () -> SceneElements
    ) {
        elements = SceneElements(.column(SceneFlow(spacing, padding, alignment.scene)), around: content())
    }
}

/// Elements beside each other, in the direction of the language.
public struct Row: SceneContent {
    /// The row as one element.
    public let elements: SceneElements

    /// A row with so many points between two elements, and between them and each side.
    public init(
        spacing: Double = 8,
        padding: Double = 0,
        alignment: Alignment = .center,
        @SceneBuilder content: () -> SceneElements
    ) {
        elements = SceneElements(.row(SceneFlow(spacing, padding, alignment.scene)), around: content())
    }
}

/// Free room, which grows as far as the row or column has some.
public struct Spacer: SceneContent {
    /// The room as one element.
    public let elements: SceneElements

    /// A share of the free room as large as that of every other spacer.
    public init() {
        var element = Element(.view)
        element.grow = 1
        elements = SceneElements(list: [element])
    }
}

extension SceneElements {
    fileprivate init(_ flow: SceneKind, around content: SceneElements) {
        self.init(list: [Element(flow, children: content.list)])
    }
}

extension SceneFlow {
    fileprivate init(_ spacing: Double, _ padding: Double, _ alignment: Alignment) {
        self.init(
            gap: spacing.within(SceneLimits.extent),
            alignment: alignment,
            padding: padding.within(SceneLimits.extent)
        )
    }
}
