// SPDX-License-Identifier: Apache-2.0

package import LayoutSolver

/// Constraints as a screen of nested views has them, of any number, for tests and measurements.
///
/// Each view has four variables: left, top, width and height, in points from the root's corner. A box fills its
/// parent's width, a label hugs its text below a limit, a picture is centred and has a ratio. Equations tie a view to
/// its parent or to the sibling before it; texts give two preferences a side, 250 for hugging and 750 against
/// compression. The same count and seed give the same constraints.
package struct ViewTree {
    package private(set) var constraints: [LinearConstraint] = []
    private var views: [View] = []
    private var numbers: SplitMix

    private struct View {
        let parent: Int
        var lastChild: Int?
        var childCount = 0
        let depth: Int
    }

    private enum Side: Int {
        case left, top, width, height
    }

    package init(constraintCount: Int, seed: UInt64 = 1) {
        numbers = SplitMix(state: seed)
        views = [View(parent: 0, depth: 0)]
        for (side, value) in [(Side.left, 0.0), (.top, 0), (.width, 360), (.height, 640)] {
            equal(expression(0, side), LayoutExpression(constant: value))
        }
        while constraints.count < constraintCount { addView() }
        constraints.removeLast(constraints.count - constraintCount)
    }

    private mutating func addView() {
        var parent = numbers.below(views.count)
        while views[parent].depth >= 8 || views[parent].childCount >= 6 { parent = numbers.below(views.count) }
        let view = views.count
        let sibling = views[parent].lastChild
        views.append(View(parent: parent, depth: views[parent].depth + 1))
        views[parent].lastChild = view
        views[parent].childCount += 1
        if let sibling {
            equal(expression(view, .top), bottom(sibling) + 8)
        } else {
            equal(expression(view, .top), expression(parent, .top) + 8)
        }
        switch numbers.below(4) {
        case 0: addBox(view, in: parent, after: sibling)
        case 1: addPicture(view, in: parent)
        default: addLabel(view, in: parent)
        }
        // What is inside should not stick out.
        if numbers.below(3) == 0 { prefer(bottom(view), .lessOrEqual, bottom(parent) - 8, 500) }
    }

    private mutating func addBox(_ view: Int, in parent: Int, after sibling: Int?) {
        equal(expression(view, .left), expression(parent, .left) + 8)
        equal(right(view), right(parent) - 8)
        if let sibling, numbers.below(2) == 0 {
            equal(expression(view, .height), expression(sibling, .height))
        } else {
            prefer(expression(view, .height), .equal, LayoutExpression(constant: Double(numbers.below(200))), 999)
            atMost(expression(view, .height), expression(parent, .height))
        }
    }

    private mutating func addPicture(_ view: Int, in parent: Int) {
        equal(
            expression(view, .left) + expression(view, .width) * 0.5,
            expression(parent, .left) + expression(parent, .width) * 0.5
        )
        equal(expression(view, .width), expression(view, .height) * 1.5)
        atMost(expression(view, .width), expression(parent, .width))
        prefer(expression(view, .height), .equal, LayoutExpression(constant: Double(20 + numbers.below(300))), 750)
    }

    private mutating func addLabel(_ view: Int, in parent: Int) {
        equal(expression(view, .left), expression(parent, .left) + 16)
        atMost(right(view), right(parent) - 16)
        for (side, size) in [(Side.width, Double(10 + numbers.below(500))), (.height, 20.5)] {
            prefer(expression(view, side), .lessOrEqual, LayoutExpression(constant: size), 250)
            prefer(expression(view, side), .greaterOrEqual, LayoutExpression(constant: size), 750)
        }
    }

    private func expression(_ view: Int, _ side: Side) -> LayoutExpression {
        LayoutExpression(LayoutVariable(4 * view + side.rawValue))
    }

    private func right(_ view: Int) -> LayoutExpression { expression(view, .left) + expression(view, .width) }

    private func bottom(_ view: Int) -> LayoutExpression { expression(view, .top) + expression(view, .height) }

    private mutating func equal(_ left: LayoutExpression, _ right: LayoutExpression) {
        constraints.append(LinearConstraint(left, .equal, right))
    }

    private mutating func atMost(_ left: LayoutExpression, _ right: LayoutExpression) {
        constraints.append(LinearConstraint(left, .lessOrEqual, right))
    }

    private mutating func prefer(
        _ left: LayoutExpression,
        _ relation: LinearConstraint.Relation,
        _ right: LayoutExpression,
        _ priority: Double
    ) {
        constraints.append(LinearConstraint(left, relation, right, priority: priority))
    }
}

/// Numbers that look random and are the same in each run.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix: RandomNumberGenerator {
    package var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `count` - 1.
    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
