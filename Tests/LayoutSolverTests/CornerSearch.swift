// SPDX-License-Identifier: Apache-2.0

import LayoutSolver

/// A solver that tries everything, for systems of up to three variables: what the real one is compared with.
///
/// Planes on which a constraint's expression is 0, and those on which a variable is 0, cut the space into parts. Inside
/// a part the cost changes evenly and nothing becomes forbidden, and each part has a corner. So if the required
/// constraints can hold at all, they hold at a corner, and a corner has the least cost.
struct CornerSearch {
    private let constraints: [LinearConstraint]
    private let corners: [[Double]]
    private static let tolerance = 1e-7

    init(_ constraints: [LinearConstraint], variableCount: Int) {
        self.constraints = constraints
        var planes: [[Double]] = (0..<variableCount).map { variable in
            (0...variableCount).map { $0 == variable ? 1 : 0 }
        }
        for constraint in constraints {
            var plane = [Double](repeating: 0, count: variableCount + 1)
            for term in constraint.expression.terms { plane[term.variable.number] += term.coefficient }
            plane[variableCount] = constraint.expression.constant
            planes.append(plane)
        }
        corners = Self.choices(of: variableCount, from: planes.count).compactMap { Self.corner($0.map { planes[$0] }) }
    }

    /// The required constraints that contradict earlier ones, and the least cost without them.
    func solve() -> (unsatisfied: [Int], cost: Double) {
        var allowed = corners
        var unsatisfied: [Int] = []
        for (index, constraint) in constraints.enumerated() where constraint.isRequired {
            let left = allowed.filter { violation(constraint, $0) <= Self.tolerance }
            if left.isEmpty { unsatisfied.append(index) } else { allowed = left }
        }
        return (unsatisfied, allowed.map(cost).min() ?? .infinity)
    }

    /// Returns the cost of values of all variables.
    func cost(_ values: [Double]) -> Double {
        constraints.reduce(0) { sum, constraint in
            let violation = violation(constraint, values)
            // Times a weight, rounding would count as a cost.
            guard !constraint.isRequired, violation > 1e-10 else { return sum }
            return sum + constraint.weight * violation
        }
    }

    /// Returns the largest violation of a required constraint that is not among `unsatisfied`.
    func worst(_ values: [Double], without unsatisfied: [Int]) -> Double {
        constraints.indices.filter { constraints[$0].isRequired && !unsatisfied.contains($0) }
            .map { violation(constraints[$0], values) }.max() ?? 0
    }

    private func violation(_ constraint: LinearConstraint, _ values: [Double]) -> Double {
        constraint.violation(at: constraint.expression.value { values[$0.number] })
    }

    private static func choices(of count: Int, from all: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return (count - 1..<max(count - 1, all)).flatMap { last in
            choices(of: count - 1, from: last).map { $0 + [last] }
        }
    }

    /// Returns the point that lies on all planes, or nil if there is none or more than one.
    private static func corner(_ planes: [[Double]]) -> [Double]? {
        var rows = planes
        for column in rows.indices {
            guard let pivot = (column..<rows.count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-9
            else { return nil }
            rows.swapAt(column, pivot)
            for row in rows.indices where row != column {
                let factor = rows[row][column] / rows[column][column]
                for place in column...rows.count { rows[row][place] -= factor * rows[column][place] }
            }
        }
        return rows.indices.map { -rows[$0][rows.count] / rows[$0][$0] }
    }
}
