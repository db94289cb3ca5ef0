// SPDX-License-Identifier: Apache-2.0

import LayoutSolver
import Testing

/// Each relation, priorities, ties, and variables that nothing decides.
struct LayoutSystemTests {
    private let left = LayoutVariable(0)
    private let width = LayoutVariable(1)
    private let other = LayoutVariable(2)

    private func number(_ value: Double) -> LayoutExpression { LayoutExpression(constant: value) }

    private func sum(_ terms: (LayoutVariable, Double)...) -> LayoutExpression {
        LayoutExpression(terms.map { LayoutExpression.Term($0.0, $0.1) })
    }

    private func solved(_ constraints: [LinearConstraint]) -> LayoutSolution { LayoutSystem(constraints).solution() }

    // MARK: Required constraints

    @Test func `equations of one and of two variables tell their values`() {
        var system = LayoutSystem()
        let first = system.add(LinearConstraint(sum((left, 1)), .equal, number(16)))
        let second = system.add(LinearConstraint(sum((left, 1), (width, 1)), .equal, number(344)))
        let solution = system.solution()
        #expect([first, second] == [0, 1])
        #expect(solution[left] == 16)
        #expect(solution[width] == 328)
        #expect(solution.value(LayoutExpression(width, times: 0.5, plus: 1)) == 165)
        #expect(solution.unsatisfied.isEmpty)
        #expect(solution.isOptimal)
        #expect(solution.pivotCount == 0)
    }

    @Test func `terms of the same variable are added`() {
        let solution = solved([LinearConstraint(sum((left, 2), (width, 1), (left, -1), (width, -1)), .equal, number(5))]
        )
        #expect(solution[left] == 5)
        #expect(solution[width] == 0)
    }

    @Test(arguments: [(50.0, 60.0, 50.0), (10, 60, 20), (90, 60, 60)])
    func `inequalities hold a preference between them`(wish: Double, most: Double, value: Double) {
        let solution = solved([
            LinearConstraint(sum((width, 1)), .equal, number(wish), priority: 999),
            LinearConstraint(sum((width, 1)), .greaterOrEqual, number(20)),
            LinearConstraint(sum((width, 1)), .lessOrEqual, number(most)),
        ])
        #expect(solution[width] == value)
        #expect(solution.unsatisfied.isEmpty)
    }

    @Test func `a ratio, a centre and a limit of a picture`() {
        let (height, x) = (LayoutVariable(3), LayoutVariable(4))
        let solution = solved([
            LinearConstraint(sum((width, 1), (height, -1.5)), .equal),
            LinearConstraint(sum((x, 1), (width, 0.5)), .equal, number(180)),
            LinearConstraint(sum((width, 1)), .lessOrEqual, number(300)),
            LinearConstraint(sum((height, 1)), .equal, number(400), priority: 750),
        ])
        #expect(solution[width] == 300)
        #expect(solution[height] == 200)
        #expect(solution[x] == 30)
    }

    @Test func `a variable that nothing decides is 0`() {
        let solution = solved([
            LinearConstraint(sum((left, 1), (other, -1)), .equal, number(10)),
            LinearConstraint(sum((width, 0)), .equal),
        ])
        #expect(solution[left] - solution[other] == 10)
        #expect(solution[left] == 0 || solution[other] == 0)
        #expect(solution[width] == 0)
        #expect(solution[LayoutVariable(99)] == 0)
        #expect(solution[LayoutVariable(-1)] == 0)
        #expect(LayoutSystem().solution()[left] == 0)
    }

    @Test func `variables may have any numbers`() {
        let (far, negative) = (LayoutVariable(.max), LayoutVariable(.min))
        let solution = solved([
            LinearConstraint(sum((far, 1)), .equal, number(3)),
            LinearConstraint(sum((negative, 1), (far, -2)), .equal),
        ])
        #expect(solution[far] == 3)
        #expect(solution[negative] == 6)
        #expect(solution[left] == 0)
    }

    @Test func `a constant as large as there is means without a limit`() {
        let solution = solved([
            LinearConstraint(sum((width, 1)), .lessOrEqual, number(.greatestFiniteMagnitude)),
            LinearConstraint(sum((width, 1)), .equal, number(40), priority: 1),
        ])
        #expect(solution[width] == 40)
    }

    // MARK: Priorities

    @Test func `resistance to compression outweighs hugging`() {
        let text = [
            LinearConstraint(sum((width, 1)), .lessOrEqual, number(80), priority: 250),
            LinearConstraint(sum((width, 1)), .greaterOrEqual, number(80), priority: 750),
        ]
        #expect(solved(text)[width] == 80)
        let pulled = LinearConstraint(sum((width, 1)), .equal, number(120), priority: 500)
        #expect(solved(text + [pulled])[width] == 120)
        let pushed = LinearConstraint(sum((width, 1)), .equal, number(30), priority: 500)
        #expect(solved(text + [pushed])[width] == 80)
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func `the highest priority decides, in whatever order`(order: [Int]) {
        let wishes = [(10.0, 1.0), (20, 500), (30, 501)].map { value, priority in
            LinearConstraint(sum((width, 1)), .equal, number(value), priority: priority)
        }
        #expect(solved(order.map { wishes[$0] })[width] == 30)
    }

    @Test func `violations are added up, so enough weak wishes outweigh a stronger one`() {
        func constraints(_ count: Int) -> [LinearConstraint] {
            Array(repeating: LinearConstraint(sum((width, 1)), .equal, number(10), priority: 250), count: count)
                + [LinearConstraint(sum((width, 1)), .equal, number(20), priority: 375)]
        }
        #expect(solved(constraints(9))[width] == 20)
        #expect(solved(constraints(11))[width] == 10)
    }

    @Test func `a priority of 0 has no effect`() {
        let solution = solved([LinearConstraint(sum((width, 1)), .equal, number(10), priority: 0)])
        #expect(solution[width] == 0)
        #expect(solution.unsatisfied.isEmpty)
    }

    @Test func `of wishes of the same priority the first one holds, or one that costs the same`() {
        let wishes = [10.0, 20].map { LinearConstraint(sum((width, 1)), .equal, number($0), priority: 500) }
        #expect(solved(wishes)[width] == 10)
        #expect(solved(wishes.reversed())[width] == 20)
        // Three wishes: the one in the middle is the cheapest.
        let middle = LinearConstraint(sum((width, 1)), .equal, number(13), priority: 500)
        #expect(solved(wishes + [middle])[width] == 13)
    }

    @Test func `an inequality that nobody needs costs nothing`() {
        let solution = solved([
            LinearConstraint(sum((left, 1)), .equal, number(5)),
            LinearConstraint(sum((left, 1)), .lessOrEqual, number(100), priority: 900),
            LinearConstraint(sum((left, 1)), .greaterOrEqual, number(100), priority: 1),
            LinearConstraint(sum((left, 1)), .equal, number(7), priority: 999),
        ])
        #expect(solution[left] == 5)
        #expect(solution.pivotCount == 0)
    }
}
