// SPDX-License-Identifier: Apache-2.0

import LayoutSolver
import LayoutTrees
import Testing

/// Random systems beside a solver that tries every corner.
struct RandomSystemTests {
    private static let coefficients = [1.0, 1, 1, -1, -1, 2, -2, 0.5, -3]
    private static let priorities = [1.0, 125, 250, 250, 500, 750, 750, 999]
    private static let relations: [LinearConstraint.Relation] = [.lessOrEqual, .equal, .greaterOrEqual]

    /// Makes a system of few variables; with `constants` of few values many constraints meet in one corner.
    private func constraints(
        _ variableCount: Int,
        _ numbers: inout SplitMix,
        constants: [Double],
        requiredPart: Int
    ) -> [LinearConstraint] {
        (0..<(1 + numbers.below(7))).map { _ in
            let terms = (0..<(1 + numbers.below(3))).map { _ in
                LayoutExpression.Term(
                    LayoutVariable(numbers.below(variableCount)),
                    Self.coefficients[numbers.below(Self.coefficients.count)]
                )
            }
            let isRequired = numbers.below(10) < requiredPart
            return LinearConstraint(
                LayoutExpression(terms, constant: constants[numbers.below(constants.count)]),
                Self.relations[numbers.below(3)],
                priority: isRequired
                    ? LinearConstraint.requiredPriority : Self.priorities[numbers.below(Self.priorities.count)]
            )
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `hundreds of constraints whose coefficients grow are solved to the end, and the required ones hold`(
        seed: UInt64
    ) {
        var numbers = SplitMix(state: seed)
        let coefficients = Self.coefficients + [1.0 / 3, 0.1, 1.5]
        let constraints = (0..<320).map { _ in
            let terms = (0..<(1 + numbers.below(4))).map { _ in
                LayoutExpression.Term(
                    LayoutVariable(numbers.below(100)),
                    coefficients[numbers.below(coefficients.count)]
                )
            }
            let constant = Double(numbers.below(401)) - 200
            let relation = Self.relations[numbers.below(3)]
            let priority = numbers.below(2) == 0 ? LinearConstraint.requiredPriority : 250
            return LinearConstraint(LayoutExpression(terms, constant: constant), relation, priority: priority)
        }
        let solution = LayoutSystem(constraints).solution()
        let worst = constraints.indices.filter { constraints[$0].isRequired && !solution.unsatisfied.contains($0) }
            .map { constraints[$0].violation(at: solution.value(constraints[$0].expression)) }.max()
        #expect(worst ?? 0 <= 1e-5)
        #expect(solution.isOptimal)
    }

    @Test(arguments: 1...3, [1, 4, 8])
    func `no corner is cheaper, and the same constraints are left out`(variableCount: Int, requiredPart: Int) {
        var numbers = SplitMix(state: UInt64(10 * variableCount + requiredPart))
        let few = [0.0, 0, 10, -10]
        let many = (-40...40).map { Double($0) / 2 }
        for number in 0..<60 {
            let constraints = constraints(
                variableCount,
                &numbers,
                constants: number % 2 == 0 ? few : many,
                requiredPart: requiredPart
            )
            let search = CornerSearch(constraints, variableCount: variableCount)
            let (unsatisfied, cost) = search.solve()
            let solution = LayoutSystem(constraints).solution()
            let values = (0..<variableCount).map { solution[LayoutVariable($0)] }
            #expect(solution.unsatisfied == unsatisfied, "\(constraints)")
            #expect(abs(search.cost(values) - cost) <= 1e-6 * max(1, cost), "\(constraints)")
            #expect(search.worst(values, without: unsatisfied) <= 1e-8, "\(constraints)")
            #expect(solution.isOptimal)
        }
    }
}
