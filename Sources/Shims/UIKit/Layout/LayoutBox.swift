// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver

/// A rectangle of which each number is an expression of the solver's variables, in the coordinates of the highest view.
struct LayoutBox {
    var x: LayoutExpression
    var y: LayoutExpression
    var width: LayoutExpression
    var height: LayoutExpression
}

extension LayoutBox {
    var maxX: LayoutExpression { x + width }
    var maxY: LayoutExpression { y + height }
    var midX: LayoutExpression { x + width * 0.5 }
    var midY: LayoutExpression { y + height * 0.5 }

    /// Returns the box without these distances from its edges.
    func inset(by insets: UIEdgeInsets) -> LayoutBox {
        guard insets != .zero else { return self }
        return LayoutBox(
            x: x + Double(insets.left),
            y: y + Double(insets.top),
            width: width - Double(insets.left + insets.right),
            height: height - Double(insets.top + insets.bottom)
        )
    }
}

/// The start and the size of a box in one direction, in which the start has the smaller number.
///
/// From right to left the numbers are those of a mirror: a place is its negative.
struct LayoutSpan {
    let start: LayoutExpression
    let size: LayoutExpression

    init(_ box: LayoutBox, _ axis: NSLayoutConstraint.Axis, isMirrored: Bool) {
        switch axis {
        case .horizontal:
            start = isMirrored ? box.maxX * -1 : box.x
            size = box.width
        case .vertical:
            start = box.y
            size = box.height
        }
    }

    var end: LayoutExpression { start + size }
    var middle: LayoutExpression { start + size * 0.5 }
}
