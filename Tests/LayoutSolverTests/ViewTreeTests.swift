// SPDX-License-Identifier: Apache-2.0

import LayoutSolver
import LayoutTrees
import Testing

/// Trees of views: the same solution everywhere, at the same cost in any order, for a known amount of work.
struct ViewTreeTests {
    private func cost(_ constraints: [LinearConstraint], _ solution: LayoutSolution) -> Double {
        constraints.filter { !$0.isRequired }.reduce(0) { sum, constraint in
            let violation = constraint.violation(at: solution.value(constraint.expression))
            return violation > 1e-9 ? sum + constraint.weight * violation : sum
        }
    }

    private func worst(_ constraints: [LinearConstraint], _ solution: LayoutSolution) -> Double {
        constraints.filter(\.isRequired).map { $0.violation(at: solution.value($0.expression)) }.max() ?? 0
    }

    /// The bits of all values, as one number.
    private func digest(_ constraints: [LinearConstraint], _ solution: LayoutSolution) -> UInt64 {
        let largest = constraints.flatMap { $0.expression.terms.map(\.variable.number) }.max() ?? 0
        return (0...largest).reduce(14_695_981_039_346_656_037) { hash, number in
            (hash ^ solution[LayoutVariable(number)].bitPattern) &* 1_099_511_628_211
        }
    }

    @Test func `a solution is the same to the last bit, each time and on every machine`() {
        let constraints = ViewTree(constraintCount: 312, seed: 3).constraints
        let solution = LayoutSystem(constraints).solution()
        #expect(solution == LayoutSystem(constraints).solution())
        #expect(digest(constraints, solution) == 206_687_121_174_500_928)
    }

    @Test(arguments: [(25, 12), (83, 20), (162, 40), (312, 70), (612, 140)])
    func `everything required holds, and a solution takes few exchanges`(constraintCount: Int, most: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let constraints = ViewTree(constraintCount: constraintCount, seed: seed).constraints
            #expect(constraints.count == constraintCount)
            let solution = LayoutSystem(constraints).solution()
            #expect(solution.unsatisfied.isEmpty)
            #expect(solution.isOptimal)
            #expect(worst(constraints, solution) <= 1e-8)
            #expect(solution.pivotCount <= most)
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the order of the constraints changes no cost`(seed: UInt64) {
        let constraints = ViewTree(constraintCount: 162, seed: seed).constraints
        let least = cost(constraints, LayoutSystem(constraints).solution())
        var numbers = SplitMix(state: seed)
        for _ in 0..<5 {
            let shuffled = constraints.shuffled(using: &numbers)
            let solution = LayoutSystem(shuffled).solution()
            #expect(solution.unsatisfied.isEmpty)
            #expect(worst(constraints, solution) <= 1e-8)
            #expect(abs(cost(constraints, solution) - least) <= 1e-7 * max(1, least))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no step aside is cheaper`(seed: UInt64) {
        // Without required constraints every step is allowed.
        let constraints = ViewTree(constraintCount: 83, seed: seed).constraints.map {
            LinearConstraint($0.expression, $0.relation, priority: min($0.priority, 990))
        }
        let solution = LayoutSystem(constraints).solution()
        let least = cost(constraints, solution)
        var numbers = SplitMix(state: seed)
        for _ in 0..<300 {
            let width = [0.01, 1, 50][numbers.below(3)]
            let isOne = numbers.below(2) == 0
            let chosen = numbers.below(80)
            let steps = (0..<200).map { number in
                isOne && number != chosen ? 0 : width * (Double(numbers.below(2001)) / 1000 - 1)
            }
            let moved = constraints.reduce(0) { sum, constraint in
                let value = constraint.expression.value { solution[$0] + steps[$0.number] }
                return sum + constraint.weight * constraint.violation(at: value)
            }
            #expect(moved >= least - 1e-6 * max(1, least))
        }
    }
}
