// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LayoutSolver

/// Values that rounding moved, and the equations that they should satisfy.
struct RefinementTests {
    private static let x = LayoutExpression(LayoutVariable(0))
    private static let y = LayoutExpression(LayoutVariable(1))
    private let constraints = [
        LinearConstraint(x + y - 10, .equal), LinearConstraint(x - y, .lessOrEqual, LayoutExpression(constant: 2)),
        // This one follows from the others.
        LinearConstraint(x * 2 - 12, .greaterOrEqual, priority: 250),
    ]

    private func refined(_ values: [Double], _ constraints: [LinearConstraint]) -> [Double] {
        Refinement(constraints, Numbering(constraints)).refined(values)
    }

    @Test func `values that are off are moved to where the expressions are 0`() {
        #expect(refined([6.001, 3.998], constraints) == [6, 4])
        #expect(refined([0, 0], constraints) == [6, 4])
    }

    @Test func `values that are near enough stay as they are`() {
        let values = [6 + 2e-12, 4 - 2e-12]
        #expect(refined(values, constraints) == values)
    }

    @Test func `a variable that no equation decides stays where it is`() {
        #expect(refined([7, 4], [LinearConstraint(Self.x + Self.y - 10, .equal)]) == [7, 3])
    }

    @Test func `equations that contradict make nothing worse`() {
        let values = [5.0, 5]
        #expect(refined(values, [Self.x - 4, Self.x - 6, Self.y - 5].map { LinearConstraint($0, .equal) }) == values)
    }
}
