// SPDX-License-Identifier: Apache-2.0

import LayoutSolver
import Testing

/// Required constraints that cannot all hold: the later one is left out and named.
struct ContradictionTests {
    private let x = LayoutVariable(0)
    private let y = LayoutVariable(1)

    private func sum(_ terms: (LayoutVariable, Double)...) -> LayoutExpression {
        LayoutExpression(terms.map { LayoutExpression.Term($0.0, $0.1) })
    }

    private func constraint(
        _ left: LayoutExpression,
        _ relation: LinearConstraint.Relation,
        _ right: Double,
        _ priority: Double = LinearConstraint.requiredPriority
    ) -> LinearConstraint {
        LinearConstraint(left - right, relation, priority: priority)
    }

    @Test func `the second of two equations is left out`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, 10), constraint(sum((x, 1)), .equal, 11),
            constraint(sum((x, 2)), .equal, 20),
        ]).solution()
        #expect(solution.unsatisfied == [1])
        #expect(solution[x] == 10)
    }

    @Test func `an equation is left out that contradicts an earlier inequality`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .lessOrEqual, 10), constraint(sum((x, 1)), .equal, 11),
        ]).solution()
        #expect(solution.unsatisfied == [1])
        #expect(solution[x] == 10)
    }

    @Test func `an inequality is left out that contradicts an earlier equation`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, 11), constraint(sum((x, 1)), .lessOrEqual, 10),
        ]).solution()
        #expect(solution.unsatisfied == [1])
        #expect(solution[x] == 11)
    }

    @Test func `an equation that inequalities before it already leave no choice about`() {
        let bounds = [
            constraint(sum((x, 1), (y, 1)), .lessOrEqual, 10), constraint(sum((x, 1), (y, 1)), .greaterOrEqual, 10),
            constraint(sum((x, 1), (y, -1)), .greaterOrEqual, 2), constraint(sum((x, 1)), .lessOrEqual, 6),
        ]
        let right = LayoutSystem(bounds + [constraint(sum((y, 1)), .equal, 4)]).solution()
        #expect(right.unsatisfied.isEmpty)
        #expect(right[x] == 6)
        #expect(right[y] == 4)
        let wrong = LayoutSystem(
            bounds + [constraint(sum((y, 1)), .equal, 5), constraint(sum((x, 1), (y, 1)), .equal, 10)]
        ).solution()
        #expect(wrong.unsatisfied == [4])
        #expect(wrong[x] == 6)
        #expect(wrong[y] == 4)
    }

    @Test(arguments: [(-10.0, 10.0, 20.0), (-15, 10, 25), (10, 20, 10)])
    func `an equation behind inequalities holds when preferences pull at it`(
        difference: Double,
        left: Double,
        right: Double
    ) {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .lessOrEqual, 20), constraint(sum((y, 1)), .lessOrEqual, 30),
            constraint(sum((x, 1), (y, -1)), .equal, difference), constraint(sum((x, 1)), .equal, 1000),
            constraint(sum((x, 1)), .equal, difference < 0 ? 10 : 25, 500), constraint(sum((y, 1)), .equal, 30, 400),
        ]).solution()
        #expect(solution.unsatisfied == [3])
        #expect(solution[x] == left)
        #expect(solution[y] == right)
    }

    @Test func `a contradiction of three is only found at the third`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1), (y, 1)), .greaterOrEqual, 100), constraint(sum((x, 1)), .lessOrEqual, 40),
            constraint(sum((y, 1)), .lessOrEqual, 50), constraint(sum((y, 1)), .lessOrEqual, 60),
        ]).solution()
        #expect(solution.unsatisfied == [2])
        #expect(solution[y] == 60)
        #expect(solution[x] == 40)
    }

    @Test func `what was left out does not matter any more`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, 10), constraint(sum((x, 1), (y, 1)), .equal, 30),
            constraint(sum((y, 1)), .equal, 5), constraint(sum((y, 1)), .greaterOrEqual, 20),
            constraint(sum((y, 1)), .greaterOrEqual, 21), constraint(sum((x, 1)), .equal, 0, 999),
        ]).solution()
        #expect(solution.unsatisfied == [2, 4])
        #expect(solution[x] == 10)
        #expect(solution[y] == 20)
    }

    @Test func `a constraint without variables holds or does not`() {
        let solution = LayoutSystem([
            constraint(sum(), .equal, 0), constraint(sum(), .equal, 1), constraint(sum(), .lessOrEqual, 1),
            constraint(sum(), .greaterOrEqual, 1), constraint(sum((x, 1), (x, -1)), .greaterOrEqual, -1),
            constraint(sum((x, 1), (x, -1)), .equal, 3), constraint(sum(), .equal, 1, 999),
        ]).solution()
        #expect(solution.unsatisfied == [1, 3, 5])
    }

    @Test func `preferences never make a contradiction`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, 1, 999), constraint(sum((x, 1)), .equal, 2, 999),
            constraint(sum((x, 1)), .equal, 3),
        ]).solution()
        #expect(solution.unsatisfied.isEmpty)
        #expect(solution[x] == 3)
    }

    @Test func `a sum that differs by rounding is no contradiction`() {
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, 100_000.1), constraint(sum((y, 1), (x, -1.0 / 3)), .equal, 0.1),
            constraint(sum((y, 3)), .equal, 100_000.4), constraint(sum((y, 3), (x, -1)), .lessOrEqual, 0.3),
        ]).solution()
        #expect(solution.unsatisfied.isEmpty)
        // 3 times 0.1 is more than 0.3 by a bit.
        for relation in [LinearConstraint.Relation.equal, .lessOrEqual] {
            let tenths = LayoutSystem([
                constraint(sum((y, 1)), .equal, 0.1), constraint(sum((x, 1), (y, -3)), .equal, 0),
                constraint(sum((x, 1)), relation, 0.3),
            ]).solution()
            #expect(tenths.unsatisfied.isEmpty)
        }
    }

    @Test(arguments: [3.0, 7, 11, 13, 17, 19, 49])
    func `rounding of large numbers is no contradiction, a millionth of a point is one`(divisor: Double) {
        let large = 87_654_321.1
        let solution = LayoutSystem([
            constraint(sum((x, 1)), .equal, large), constraint(sum((y, 1), (x, -1 / divisor)), .equal, 0),
            constraint(sum((y, divisor)), .equal, large), constraint(sum((y, 1)), .equal, large / divisor + 0.001),
        ]).solution()
        #expect(solution.unsatisfied == [3])
        let small = LayoutSystem([constraint(sum((x, 1)), .equal, 1), constraint(sum((x, 1)), .equal, 1.000_001)])
        #expect(small.solution().unsatisfied == [1])
    }

    @Test func `constraints that are no numbers are left out and named, whatever their priority`() {
        let solution = LayoutSystem([
            constraint(sum((x, .nan)), .equal, 0), constraint(sum((x, 1)), .equal, .infinity, 250),
            constraint(sum((x, 1)), .equal, .infinity), constraint(sum((x, 2_000_000)), .equal, 1),
            constraint(sum((x, 1)), .equal, 8), constraint(sum((x, 1)), .equal, 3),
            constraint(sum((x, 1)), .lessOrEqual, 3, .nan),
        ]).solution()
        #expect(solution.unsatisfied == [0, 1, 2, 3, 5, 6])
        #expect(solution[x] == 8)
    }
}
