// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LayoutSolver

/// Corners in which many constraints meet, where a simplex may turn in circles, and the limit that ends a search.
struct CornerTests {
    private typealias Limits = Minimum.Limits

    private func variable(_ number: Int) -> LayoutExpression { LayoutExpression(LayoutVariable(number)) }

    /// Asks for the largest value of `objective` where all of `count` variables are at least 0.
    private func system(
        _ count: Int,
        maximum objective: LayoutExpression,
        atMost0 limits: [LayoutExpression]
    ) -> LayoutSystem {
        var system = LayoutSystem()
        for number in 0..<count { system.add(LinearConstraint(variable(number), .greaterOrEqual)) }
        for limit in limits { system.add(LinearConstraint(limit, .lessOrEqual)) }
        system.add(LinearConstraint(objective - 1_000_000, .greaterOrEqual, priority: 500))
        return system
    }

    private func sum(_ coefficients: [Double], _ constant: Double = 0) -> LayoutExpression {
        LayoutExpression(
            coefficients.enumerated().map { LayoutExpression.Term(LayoutVariable($0.offset), $0.element) },
            constant: constant
        )
    }

    /// Source: Beale, "Cycling in the dual simplex algorithm", 1955.
    private var beale: (LayoutSystem, LayoutExpression) {
        let objective = sum([0.75, -20, 0.5, -6])
        let limits = [sum([0.25, -8, -1, 9]), sum([0.5, -12, -0.5, 3]), sum([0, 0, 1, 0], -1)]
        return (system(4, maximum: objective, atMost0: limits), objective)
    }

    /// Source: Chvátal, "Linear Programming", 1983, chapter 3.
    private var chvatal: (LayoutSystem, LayoutExpression) {
        let objective = sum([10, -57, -9, -24])
        let limits = [sum([0.5, -5.5, -2.5, 9]), sum([0.5, -1.5, -0.5, 1]), sum([1, 0, 0, 0], -1)]
        return (system(4, maximum: objective, atMost0: limits), objective)
    }

    @Test(arguments: [0, 1, 30])
    func `systems on which the plain simplex turns in circles are solved, at once by the rule of Bland or late`(
        patience: Int
    ) {
        for ((system, objective), most) in [(beale, 1.25), (chvatal, 1)] {
            let solution = system.solution(Limits(patience: patience))
            #expect(abs(solution.value(objective) - most) < 1e-9)
            #expect(solution.isOptimal)
            #expect(solution.unsatisfied.isEmpty)
            #expect(solution.pivotCount <= patience + 10)
        }
    }

    @Test func `a cube whose corners all lie on the way of the steepest descent`() {
        // Source: Klee, Minty, "How good is the simplex algorithm?", 1972.
        let limits = (0..<6).map { row in
            sum(
                (0..<6).map { column in
                    if column == row { return 1 }
                    guard column < row else { return 0 }
                    return 2 * Double(1 << (row - column))
                },
                -Double((0...row).reduce(1) { product, _ in product * 5 })
            )
        }
        let objective = sum((0..<6).map { Double(1 << (5 - $0)) })
        let solution = system(6, maximum: objective, atMost0: limits).solution()
        #expect(solution.value(objective) == 15_625)
        #expect(solution.isOptimal)
    }

    @Test func `the same constraint a hundred times`() {
        var system = LayoutSystem()
        for index in 0..<100 {
            system.add(LinearConstraint(variable(0) - variable(1), .lessOrEqual))
            system.add(LinearConstraint(variable(1) - variable(0), .lessOrEqual))
            system.add(LinearConstraint(variable(0) - 10, .equal, priority: 250))
            system.add(LinearConstraint(variable(1) - 20, index < 99 ? .greaterOrEqual : .equal, priority: 250))
        }
        let solution = system.solution()
        #expect(solution[LayoutVariable(0)] == solution[LayoutVariable(1)])
        #expect(solution[LayoutVariable(0)] == 10 || solution[LayoutVariable(0)] == 20)
        #expect(solution.unsatisfied.isEmpty)
        #expect(solution.isOptimal)
    }

    @Test func `a search that ends at its limit says so, and what is required and not named holds`() {
        let (x, y) = (LayoutVariable(0), LayoutVariable(1))
        let system = LayoutSystem([
            LinearConstraint(variable(0), .greaterOrEqual), LinearConstraint(variable(1), .greaterOrEqual),
            LinearConstraint(variable(0) + variable(1), .greaterOrEqual, LayoutExpression(constant: 5)),
            LinearConstraint(variable(0) - variable(1), .equal, LayoutExpression(constant: 1), priority: 100),
        ])
        let ended = system.solution(Limits(exchanges: 0, exchangesPerResidual: 0))
        #expect(!ended.isOptimal)
        #expect(ended.pivotCount == 0)
        #expect(ended.unsatisfied == [2])
        #expect(ended[x] >= 0)
        #expect(ended[y] >= 0)
        let whole = system.solution()
        #expect(whole.isOptimal)
        #expect(whole.unsatisfied.isEmpty)
        #expect(whole[x] + whole[y] >= 5)
        #expect(whole[x] - whole[y] == 1)
    }

    @Test func `values beyond all numbers end in finite ones`() {
        var system = LayoutSystem([LinearConstraint(variable(0) - 1_000_000, .equal)])
        for number in 1..<100 {
            system.add(LinearConstraint(variable(number) - variable(number - 1) * 1_000_000, .equal))
            system.add(LinearConstraint(variable(number) + variable(number - 1) * 1_000_000, .lessOrEqual))
            system.add(LinearConstraint(variable(number) - variable(100) * 0.000_001, .equal, priority: 250))
        }
        let solution = system.solution()
        let infinite = (0...100).filter { !solution[LayoutVariable($0)].isFinite }
        #expect(infinite.isEmpty)
        #expect(solution[LayoutVariable(1)] == 1e12)
    }

    @Test func `a chain of three thousand equations from its end to its start`() {
        var system = LayoutSystem()
        for number in (0..<3000).reversed() {
            system.add(LinearConstraint(variable(number + 1) - variable(number) - 1, .equal))
        }
        system.add(LinearConstraint(variable(0) - 5, .equal, priority: 1))
        let solution = system.solution()
        #expect(solution[LayoutVariable(0)] == 5)
        #expect(solution[LayoutVariable(3000)] == 3005)
    }
}
