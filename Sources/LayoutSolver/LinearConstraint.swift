// SPDX-License-Identifier: Apache-2.0

/// A condition that the value of an expression is 0, at most 0 or at least 0.
///
/// A required constraint holds in every solution. Any other one may be violated, and each point of its violation costs
/// `weight`; a solution has the least cost in all.
package struct LinearConstraint: Hashable, Sendable {
    package enum Relation: Hashable, Sendable {
        case equal, lessOrEqual, greaterOrEqual
    }

    /// The priority from which on a constraint is required.
    package static let requiredPriority = 1000.0

    package var expression: LayoutExpression
    package var relation: Relation
    /// A number from 1 to 1000, where 1000 means required.
    ///
    /// Anything above is required as well. A priority of 0 or less leaves the constraint without effect.
    package var priority: Double

    package init(
        _ expression: LayoutExpression,
        _ relation: Relation,
        priority: Double = LinearConstraint.requiredPriority
    ) {
        self.expression = expression
        self.relation = relation
        self.priority = priority
    }

    package init(
        _ left: LayoutExpression,
        _ relation: Relation,
        _ right: LayoutExpression,
        priority: Double = LinearConstraint.requiredPriority
    ) {
        self.init(left - right, relation, priority: priority)
    }

    package var isRequired: Bool { priority >= Self.requiredPriority }

    /// The cost of a violation by one point: 10^(priority / 125), infinity for a required constraint.
    ///
    /// One point of priority 750 costs as much as 10,000 points of priority 250. The power is computed here, because
    /// `pow` of two C libraries may differ in the last bit, and a layout must be the same on each machine.
    package var weight: Double {
        guard !isRequired else { return .infinity }
        guard priority > 0 else { return 0 }
        let exponent = priority / 125
        var weight = 1.0
        for _ in 0..<Int(exponent) { weight *= 10 }
        let part = (exponent - exponent.rounded(.down)) * 2.302585092994046
        var sum = 1.0
        for step in stride(from: 24.0, to: 0, by: -1) { sum = 1 + sum * part / step }
        return weight * sum
    }

    /// True if a number of the constraint is NaN, infinite or too large: a system leaves such a constraint out.
    ///
    /// Coefficients go up to ±1,000,000. A finite constant may be of any size: a system takes those beyond
    /// ±1,000,000,000 points for that, since "at most the largest number" is a usual way to say "without a limit".
    package var isRefused: Bool {
        guard expression.constant.isFinite, !priority.isNaN else { return true }
        return !expression.terms.allSatisfy { abs($0.coefficient) <= Self.largestCoefficient }
    }

    /// The constant as it is solved with.
    var solvedConstant: Double {
        min(max(expression.constant, -Self.largestConstant), Self.largestConstant)
    }

    private static let largestCoefficient = 1e6
    private static let largestConstant = 1e9

    /// Returns by how much the constraint is violated where an expression has the value `value`: 0 if it holds.
    package func violation(at value: Double) -> Double {
        switch relation {
        case .equal: abs(value)
        case .lessOrEqual: max(0, value)
        case .greaterOrEqual: max(0, -value)
        }
    }
}
