// SPDX-License-Identifier: Apache-2.0

/// One solution in the making: required constraints first, then the others from the highest priority on.
struct Solver {
    private let constraints: [LinearConstraint]
    private let numbering: Numbering
    private var elimination: Elimination
    private var tableau: Tableau
    private var minimum: Minimum
    private var sum: FormSum
    private var unsatisfied: [Int]
    /// The required constraints that were taken in.
    private var taken: [Int] = []
    /// Constraints that are required and can be taken in, those that contradict others included.
    private let required: [Int]
    /// Constraints that are not required, from the highest priority on.
    private let preferences: [(index: Int, weight: Double)]
    private var isOptimal = true

    /// The tableaux that one search wears out at most.
    private static let mostRenewals = 100
    /// The violation of a required constraint that counts as none, in points, as in the solver Kiwi.
    private static let tolerance = 1e-8
    /// The part of a sum's largest number that its rounding errors may reach.
    private static let rounding = 1e-12
    /// The violation of a required constraint from which on the solution is wrong: a thousandth of a point.
    private static let brokenViolation = 1e-3

    init(_ constraints: [LinearConstraint], _ numbering: Numbering, _ limits: Minimum.Limits) {
        self.constraints = constraints
        self.numbering = numbering
        let symbolCount = numbering.count + constraints.count
        elimination = Elimination(constraints, numbering)
        tableau = Tableau(symbolCount: symbolCount)
        minimum = Minimum(symbolCount: symbolCount, limits)
        sum = FormSum(symbolCount: symbolCount)
        unsatisfied = constraints.indices.filter { constraints[$0].isRefused }
        required = constraints.indices.filter { constraints[$0].isRequired && !constraints[$0].isRefused }
        var preferences: [(index: Int, weight: Double)] = []
        for (index, constraint) in constraints.enumerated() {
            guard !constraint.isRequired, constraint.priority > 0, !constraint.isRefused else { continue }
            preferences.append((index, constraint.weight))
        }
        preferences.sort { $0.weight != $1.weight ? $0.weight > $1.weight : $0.index < $1.index }
        self.preferences = preferences
    }

    // MARK: Required constraints

    /// Takes in the required constraints, equations first; false means that some contradict, and this solver is spent.
    mutating func requireEquationsFirst() -> Bool {
        let equations = required.filter { constraints[$0].relation == .equal }
        // A variable that is told by a number makes every later form shorter.
        for index in equations where constraints[index].expression.terms.count == 1 {
            guard require(index) else { return false }
        }
        for index in equations where constraints[index].expression.terms.count != 1 {
            guard require(index) else { return false }
        }
        for index in required where constraints[index].relation != .equal {
            guard require(index) else { return false }
        }
        return true
    }

    /// Takes in the required constraints in their order, and leaves out those that contradict earlier ones.
    mutating func requireInOrder() {
        for index in required where !require(index) {
            unsatisfied.append(index)
        }
        unsatisfied.sort()
    }

    /// Takes in a required constraint; false means that it contradicts those that were taken in, and is left out.
    private mutating func require(_ index: Int) -> Bool {
        if tableau.isWorn { renew() }
        return take(index)
    }

    private mutating func take(_ index: Int) -> Bool {
        guard holds(index) else { return false }
        taken.append(index)
        return true
    }

    private mutating func holds(_ index: Int) -> Bool {
        let constraint = constraints[index]
        let residual = numbering.count + index
        let isEquation = constraint.relation == .equal
        let (form, tolerance) = form(of: constraint)
        if elimination.solve(form, residual: isEquation ? nil : residual) {
            if !isEquation {
                tableau.addColumn(residual)
                tableau.costs[residual] = .of(constraint.relation, weight: .infinity)
            }
            return true
        }
        let violation = constraint.violation(at: form.constant)
        guard !form.entries.isEmpty else { return violation <= tolerance }
        // Its violation is the only one, and the cost that is made as small as the others allow.
        tableau.costs[residual] = .of(constraint.relation, weight: 1)
        tableau.addRow(residual, form)
        if violation > tolerance, !minimum.find(&tableau) { isOptimal = false }
        guard constraint.violation(at: tableau.value(residual)) <= tolerance else {
            tableau.removeRow(of: residual)
            return false
        }
        tableau.costs[residual] = .of(constraint.relation, weight: .infinity)
        if isEquation {
            // With both sides forbidden a column stays where it is, and a row might not.
            tableau.hold(residual)
        } else {
            tableau.settle(residual, isAbove: constraint.relation == .greaterOrEqual)
        }
        return true
    }

    // MARK: The others

    /// Takes in the constraints that are not required, and finds the least cost.
    mutating func prefer() {
        for _ in 0..<Self.mostRenewals {
            addPreferences()
            if minimum.find(&tableau, untilWorn: true) { return }
            guard tableau.isWorn else { break }
            renew()
        }
        isOptimal = false
    }

    private mutating func addPreferences() {
        for (index, weight) in preferences {
            let constraint = constraints[index]
            let residual = numbering.count + index
            tableau.costs[residual] = .of(constraint.relation, weight: weight)
            guard !tableau.has(residual) else { continue }
            let (form, _) = form(of: constraint)
            if elimination.solve(form, residual: residual) {
                tableau.addColumn(residual)
            } else if !form.entries.isEmpty {
                tableau.addRow(residual, form)
            }
        }
    }

    /// Makes the tableau anew from the constraints, with the same columns where rounding allows.
    ///
    /// Preferences that are not 0 are left out until `addPreferences`.
    private mutating func renew() {
        let columns = tableau.columns.sorted().map { $0 - numbering.count }
        let equations = taken.filter { constraints[$0].relation == .equal }
        let rows = taken.filter { constraints[$0].relation != .equal && !tableau.isColumn(numbering.count + $0) }
        elimination = Elimination(constraints, numbering)
        tableau = Tableau(symbolCount: numbering.count + constraints.count, pivotCount: tableau.pivotCount)
        taken = []
        var leftOut: [Int] = []
        for index in equations where !take(index) { leftOut.append(index) }
        for index in columns {
            let constraint = constraints[index]
            if constraint.isRequired {
                if constraint.relation != .equal, !take(index) { leftOut.append(index) }
            } else {
                let (form, _) = form(of: constraint)
                let residual = numbering.count + index
                if elimination.solve(form, residual: residual) { tableau.addColumn(residual) }
            }
        }
        for index in rows where !take(index) { leftOut.append(index) }
        unsatisfied = (unsatisfied + leftOut).sorted()
    }

    /// Returns the solution.
    ///
    /// A constraint that was taken in and does not hold is named among the unsatisfied ones. There is none unless
    /// rounding is as large as the values.
    func solution() -> LayoutSolution {
        var isLeftOut = [Bool](repeating: false, count: constraints.count)
        for index in unsatisfied { isLeftOut[index] = true }
        let zeros = (required + preferences.map(\.index)).filter { index in
            let isEquation = constraints[index].isRequired && constraints[index].relation == .equal
            return isEquation ? !isLeftOut[index] : tableau.isColumn(numbering.count + index)
        }
        let refinement = Refinement(zeros.map { constraints[$0] }, numbering)
        let values = refinement.refined(elimination.values { tableau.value($0) })
            .map { $0.isFinite ? $0 : 0 }
        let broken = broken(values).filter { !isLeftOut[$0] }
        return LayoutSolution(
            values,
            numbering,
            unsatisfied: (unsatisfied + broken).sorted(),
            pivotCount: tableau.pivotCount,
            isOptimal: isOptimal && broken.isEmpty
        )
    }

    /// Returns the required constraints that do not hold.
    private func broken(_ values: [Double]) -> [Int] {
        required.filter { index in
            let constraint = constraints[index]
            let value = constraint.expression.terms.reduce(constraint.solvedConstant) { sum, term in
                sum + term.coefficient * (numbering.index(term.variable).map { values[$0] } ?? 0)
            }
            return !(constraint.violation(at: value) <= Self.brokenViolation)
        }
    }

    /// Returns an expression in symbols that were not solved for and have no row, and what counts as 0 of its value.
    private mutating func form(of constraint: LinearConstraint) -> (LinearForm, tolerance: Double) {
        sum.add(constant: constraint.solvedConstant)
        for term in constraint.expression.terms {
            guard let variable = numbering.index(term.variable) else { continue }
            elimination.add(term.coefficient, of: variable, to: &sum)
        }
        elimination.substitute(in: &sum)
        tableau.substitute(in: &sum)
        let tolerance = Self.tolerance + Self.rounding * sum.magnitude
        return (sum.finish(), tolerance)
    }
}
