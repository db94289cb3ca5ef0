// SPDX-License-Identifier: Apache-2.0

/// Constraints on the variables of a layout, which are solved together.
///
/// Add the constraints, then ask for `solution()`. The system is a value without memory of earlier solutions: the same
/// constraints in the same order give the same solution, bit for bit, in every process.
package struct LayoutSystem: Sendable {
    package private(set) var constraints: [LinearConstraint] = []

    package init() {}

    package init(_ constraints: [LinearConstraint]) { self.constraints = constraints }

    /// Adds a constraint and returns its index, by which a solution names it.
    @discardableResult
    package mutating func add(_ constraint: LinearConstraint) -> Int {
        constraints.append(constraint)
        return constraints.count - 1
    }

    package mutating func reserveCapacity(_ count: Int) { constraints.reserveCapacity(count) }

    /// Returns values that satisfy the required constraints and violate the others at the least cost.
    ///
    /// A required constraint that contradicts those before it is left out. Among solutions of the same cost, the result
    /// is one of those at a corner; which one, depends on the order of the constraints alone.
    package func solution() -> LayoutSolution { solution(Minimum.Limits()) }

    func solution(_ limits: Minimum.Limits) -> LayoutSolution {
        let numbering = Numbering(constraints)
        var solver = Solver(constraints, numbering, limits)
        // Equations first is fastest, and all the same as long as nothing contradicts.
        if !solver.requireEquationsFirst() {
            solver = Solver(constraints, numbering, limits)
            solver.requireInOrder()
        }
        solver.prefer()
        return solver.solution()
    }
}
