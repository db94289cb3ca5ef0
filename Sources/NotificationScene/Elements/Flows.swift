// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The place of elements across the direction of their row or column.
public enum Alignment: Sendable {
    /// At the top, or on the side on which the language begins.
    case start
    /// In the middle.
    case center
    /// At the bottom, or on the other side.
    case end
    /// Over the whole row or column.
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
        let flow = SceneFlow(spacing: spacing, padding: padding, alignment.scene)
        elements = SceneElements(list: [Element(.column(flow), children: content().list)])
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
        let flow = SceneFlow(spacing: spacing, padding: padding, alignment.scene)
        elements = SceneElements(list: [Element(.row(flow), children: content().list)])
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

extension SceneFlow {
    fileprivate init(spacing: Double, padding: Double, _ alignment: SceneFlow.Alignment) {
        self.init(
            gap: spacing.within(SceneLimits.extent),
            alignment: alignment,
            padding: padding.within(SceneLimits.extent)
        )
    }
}
