// SPDX-License-Identifier: Apache-2.0

/// The repair of what rounding did to the values of variables.
///
/// Each exchange of the simplex rounds, and a division by a small coefficient magnifies the error. A weight of 10^7
/// turns an error of 10^-7 points into a cost. Once it is known which expressions are 0, those equations are solved
/// anew for the difference that is left. The usual layout needs no repair, which one look at each expression shows.
struct Refinement {
    private let constraints: [LinearConstraint]
    private let numbering: Numbering

    /// The part of the largest value that an expression may be off by.
    private static let limit = 1e-12
    private static let rounds = 3

    /// Takes the constraints whose expressions are 0, the most important ones first.
    init(_ constraints: [LinearConstraint], _ numbering: Numbering) {
        self.constraints = constraints
        self.numbering = numbering
    }

    /// Returns values for which the expressions are nearer to 0, or the same values if they are near enough.
    func refined(_ values: [Double]) -> [Double] {
        var best = values
        var rests = rests(values)
        for _ in 0..<Self.rounds {
            let worst = Self.largest(rests)
            guard worst > Self.limit * max(1, Self.largest(best)) else { return best }
            let changes = changes(for: rests)
            let candidate = zip(best, changes).map { $0 + $1 }
            let others = self.rests(candidate)
            guard Self.largest(others) < worst else { return best }
            best = candidate
            rests = others
        }
        return best
    }

    private static func largest(_ numbers: [Double]) -> Double { numbers.reduce(0) { max($0, abs($1)) } }

    private func rests(_ values: [Double]) -> [Double] {
        constraints.map { constraint in
            constraint.expression.terms.reduce(constraint.solvedConstant) { sum, term in
                sum + term.coefficient * (numbering.index(term.variable).map { values[$0] } ?? 0)
            }
        }
    }

    /// Solves the equations with `rests` as their constants.
    private func changes(for rests: [Double]) -> [Double] {
        var elimination = Elimination(constraints, numbering)
        var sum = FormSum(symbolCount: numbering.count)
        for (constraint, rest) in zip(constraints, rests) {
            sum.add(constant: rest)
            for term in constraint.expression.terms {
                guard let variable = numbering.index(term.variable) else { continue }
                elimination.add(term.coefficient, of: variable, to: &sum)
            }
            elimination.substitute(in: &sum)
            // An equation that follows from those before it says nothing new.
            _ = elimination.solve(sum.finish(), residual: nil)
        }
        return elimination.values { _ in 0 }
    }
}
