// SPDX-License-Identifier: Apache-2.0

import LayoutSolver
import Testing

/// Expressions, weights and violations, before anything is solved.
struct LinearConstraintTests {
    private let x = LayoutVariable(0)
    private let y = LayoutVariable(7)

    @Test func `an expression is a sum that can be added to, subtracted and scaled`() {
        let sum = (LayoutExpression(x, times: 2, plus: 1) + LayoutExpression(y) - 4) * 3 - LayoutExpression(x)
        #expect(sum.constant == -9)
        #expect(sum.terms.map(\.coefficient) == [6, 3, -1])
        #expect(sum.value { $0 == x ? 10 : 100 } == 341)
        #expect((LayoutExpression(constant: 2) + 3).value { _ in 0 } == 5)
    }

    @Test(arguments: [(125.0, 10.0), (250, 100), (375, 1000), (500, 10_000), (750, 1_000_000), (875, 10_000_000)])
    func `each 125 of priority weigh ten times as much`(priority: Double, weight: Double) {
        #expect(LinearConstraint(LayoutExpression(x), .equal, priority: priority).weight == weight)
    }

    @Test(arguments: [(1.0, 1.0185913880541169), (62.5, 3.1622776601683795), (999, 98_174_794.30199844)])
    func `a weight between powers of ten`(priority: Double, weight: Double) {
        let found = LinearConstraint(LayoutExpression(x), .equal, priority: priority).weight
        #expect(abs(found / weight - 1) < 1e-14)
    }

    @Test func `a required constraint weighs without end, one of priority 0 nothing`() {
        #expect(LinearConstraint(LayoutExpression(x), .equal).weight == .infinity)
        #expect(LinearConstraint(LayoutExpression(x), .equal, priority: 2000).weight == .infinity)
        #expect(LinearConstraint(LayoutExpression(x), .equal, priority: 0).weight == 0)
        #expect(LinearConstraint(LayoutExpression(x), .equal, priority: -3).weight == 0)
    }

    @Test(
        arguments: [
            (.equal, 3, 3), (.equal, -3, 3), (.lessOrEqual, 3, 3), (.lessOrEqual, -3, 0), (.greaterOrEqual, 3, 0),
            (.greaterOrEqual, -3, 3),
        ] as [(LinearConstraint.Relation, Double, Double)]
    )
    func `a violation is the distance from what is allowed`(
        relation: LinearConstraint.Relation,
        value: Double,
        violation: Double
    ) {
        #expect(LinearConstraint(LayoutExpression(x), relation).violation(at: value) == violation)
    }

    @Test(arguments: [.nan, .infinity, -.infinity, 1_000_001, -1e300] as [Double])
    func `a coefficient that is no number or too large is refused`(coefficient: Double) {
        #expect(LinearConstraint(LayoutExpression(x, times: coefficient), .equal).isRefused)
    }

    @Test func `a constant or a priority that is no number is refused, a large constant is not`() {
        let refused = [Double.nan, .infinity, -.infinity].map {
            LinearConstraint(LayoutExpression(x, plus: $0), .equal).isRefused
        }
        #expect(refused == [true, true, true])
        #expect(LinearConstraint(LayoutExpression(x), .equal, priority: .nan).isRefused)
        #expect(!LinearConstraint(LayoutExpression(x, plus: .greatestFiniteMagnitude), .equal).isRefused)
        #expect(!LinearConstraint(LayoutExpression(x, times: 1_000_000), .equal).isRefused)
    }
}
