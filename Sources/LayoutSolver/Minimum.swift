// SPDX-License-Identifier: Apache-2.0

/// The search for the least cost of a tableau, by exchanging columns and rows.
///
/// Each step moves one column away from 0, in the direction in which the cost falls fastest. Rows that cross 0 on the
/// way make the slope less steep, each by the sum of its two costs. The step ends at the row behind which the cost
/// would rise, and that row changes places with the column. The other rows that crossed only change their side, so one
/// step does the work of several exchanges.
///
/// A search always ends. After some steps without a movement it follows the rule of Bland until a step moves; by that
/// rule no tableau comes twice. Rounding may break that proof, so there is a limit of exchanges as well.
/// Source: Bland, "New finite pivoting rules for the simplex method", 1977.
struct Minimum {
    /// The change of what the rows cost for each unit of a column.
    private var rates: [Double]
    /// The sum of the sizes of a rate's parts, by which its rounding errors are measured.
    private var sizes: [Double]
    private var members: [Tableau.Member] = []
    private var crossings: [Crossing] = []
    private var idleSteps = 0
    private let limits: Limits

    struct Limits {
        /// Steps without a movement until the rule of Bland is followed.
        var patience = 30
        /// Exchanges of one search, of which layouts need far fewer.
        ///
        /// Each row and each column adds `exchangesPerResidual`.
        var exchanges = 200
        var exchangesPerResidual = 20
    }

    /// A row that becomes 0 when the column has moved by `distance`.
    private struct Crossing {
        let distance: Double
        let row: Int
        let residual: Int
        /// The change of the row for each unit of the column, without sign.
        let pace: Double
        /// The change of the slope: infinity where the row must not cross.
        let turn: Double

        func isBefore(_ other: Self) -> Bool {
            if distance != other.distance { return distance < other.distance }
            // A large pace divides by a large number.
            if pace != other.pace { return pace > other.pace }
            return residual < other.residual
        }
    }

    private struct Step {
        let column: Int
        let isUp: Bool
        let slope: Double
        /// The part of the slope that may be rounding.
        let tolerance: Double
    }

    init(symbolCount: Int, _ limits: Limits) {
        self.limits = limits
        rates = Array(repeating: 0, count: symbolCount)
        sizes = Array(repeating: 0, count: symbolCount)
    }

    /// Finds the least cost; false means that the search ended at its limit of exchanges, or at a worn tableau.
    mutating func find(_ tableau: inout Tableau, untilWorn: Bool = false) -> Bool {
        let most = limits.exchanges + limits.exchangesPerResidual * (tableau.rows.count + tableau.columns.count)
        idleSteps = 0
        for _ in 0..<most {
            measure(tableau)
            guard let step = step(tableau) else { return true }
            if untilWorn, tableau.isWorn { return false }
            guard take(step, &tableau) else { return false }
        }
        measure(tableau)
        return step(tableau) == nil
    }

    /// Finds the rates of all columns.
    private mutating func measure(_ tableau: Tableau) {
        for column in tableau.columns {
            rates[column] = 0
            sizes[column] = 0
        }
        for row in tableau.rows {
            let rate = tableau.costs[row.residual].rate(isAbove: row.isAbove)
            guard rate != 0 else { continue }
            for entry in row.entries {
                let part = rate * entry.coefficient
                rates[entry.symbol] += part
                sizes[entry.symbol] += abs(part)
            }
        }
    }

    private var followsBland: Bool { idleSteps >= limits.patience }

    /// Returns the steepest step down, or by the rule of Bland that of the first column; `nil` means that none is.
    private func step(_ tableau: Tableau) -> Step? {
        var best: Step?
        for column in tableau.columns {
            let cost = tableau.costs[column]
            let rate = rates[column]
            let isUp = rate < 0
            let slope = isUp ? cost.above + rate : cost.below - rate
            let tolerance = 1e-10 + 1e-12 * sizes[column]
            guard slope < -tolerance else { continue }
            if let best {
                let isBetter = followsBland || slope == best.slope ? column < best.column : slope < best.slope
                guard isBetter else { continue }
            }
            best = Step(column: column, isUp: isUp, slope: slope, tolerance: tolerance)
        }
        return best
    }

    /// Takes a step; false means that rounding left no row to end it.
    private mutating func take(_ step: Step, _ tableau: inout Tableau) -> Bool {
        tableau.findMembers(of: step.column, &members)
        findCrossings(step, tableau)
        guard let last = followsBland ? firstCrossing() : lastCrossing(step) else { return false }
        let distance = last.distance
        for crossing in crossings where crossing.row != last.row && crossing.isBefore(last) {
            // The rule of Bland takes the first row that has a cost, not the first in this order.
            guard !followsBland || crossing.turn == 0 else { continue }
            tableau.turn(row: crossing.row)
        }
        let way = step.isUp ? distance : -distance
        if distance > 0 { tableau.move(members, by: way) }
        tableau.exchange(row: last.row, with: step.column, members, value: way, isAbove: step.isUp)
        idleSteps = distance > 0 ? 0 : idleSteps + 1
        return true
    }

    /// Finds the rows that get nearer to 0, in the order in which they cross it.
    private mutating func findCrossings(_ step: Step, _ tableau: Tableau) {
        crossings.removeAll(keepingCapacity: true)
        for member in members {
            let row = tableau.rows[member.row]
            let pace = abs(member.coefficient)
            let isRising = (member.coefficient > 0) == step.isUp
            guard isRising != row.isAbove else { continue }
            let cost = tableau.costs[row.residual]
            crossings.append(
                Crossing(
                    distance: abs(row.value) / pace,
                    row: member.row,
                    residual: row.residual,
                    pace: pace,
                    turn: (cost.above + cost.below) * pace
                )
            )
        }
        crossings.sort { $0.isBefore($1) }
    }

    /// Returns the crossing behind which the cost would no longer fall.
    private func lastCrossing(_ step: Step) -> Crossing? {
        var slope = step.slope
        for crossing in crossings {
            slope += crossing.turn
            if slope >= -step.tolerance, crossing.turn > 0 { return crossing }
        }
        return nil
    }

    /// Returns the nearest crossing of a row that costs something, of those the one with the first residual.
    private func firstCrossing() -> Crossing? {
        guard let nearest = crossings.first(where: { $0.turn > 0 }) else { return nil }
        return crossings.filter { $0.turn > 0 && $0.distance == nearest.distance }.min { $0.residual < $1.residual }
    }
}
