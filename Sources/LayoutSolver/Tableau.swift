// SPDX-License-Identifier: Apache-2.0

/// The residuals of constraints: columns are those that are 0, and each row tells another one by the columns.
///
/// A residual is the value of a constraint's expression. Badros, Borning and Stuckey write it as the difference of two
/// error variables, or of a slack and an error variable, of which one is always 0. Here one column stands for both. A
/// residual costs `above` for each unit over 0 and `below` for each unit under 0; infinity means that it must not be on
/// that side.
/// Source: Badros, Borning, Stuckey, "The Cassowary Linear Arithmetic Constraint Solving Algorithm", 2001.
struct Tableau {
    /// A residual that need not be 0: `value` where all columns are 0, plus the columns times their coefficients.
    struct Row {
        let residual: Int
        var value: Double
        var entries: [Entry]
        /// The side of 0 on which the residual is.
        ///
        /// A value of 0 belongs to the side from which it came.
        var isAbove: Bool
    }

    /// A row that has a column, and its coefficient.
    struct Member {
        let row: Int
        let coefficient: Double
    }

    /// The costs of one unit of a residual over 0 and under 0.
    struct Cost {
        var above: Double
        var below: Double

        static let none = Cost(above: 0, below: 0)

        /// The cost of a violation of a constraint whose violation by one unit costs `weight`.
        static func of(_ relation: LinearConstraint.Relation, weight: Double) -> Self {
            switch relation {
            case .equal: Self(above: weight, below: weight)
            case .lessOrEqual: Self(above: weight, below: 0)
            case .greaterOrEqual: Self(above: 0, below: weight)
            }
        }

        func rate(isAbove: Bool) -> Double { isAbove ? above : -below }
    }

    private(set) var rows: [Row] = []
    /// The residuals that are 0.
    private(set) var columns: [Int] = []
    private(set) var pivotCount: Int
    /// True once rounding errors may have grown, so that rows should be made anew from the constraints.
    ///
    /// Large coefficients come from divisions by small ones, and each one magnifies what was rounded before.
    var isWorn: Bool { largest > Self.largestSafe && pivotCount >= startCount + Self.leastExchanges }
    private let startCount: Int
    private var largest = 0.0
    /// A coefficient that a layout hardly has, even after a thousand exchanges.
    private static let largestSafe = 1000.0
    /// Exchanges that are worth as much time as new rows.
    private static let leastExchanges = 20
    /// The row of each symbol, -1 for one that has none.
    private var rowIndices: [Int]
    /// The place of each symbol among the columns, -1 for one that is none.
    private var columnIndices: [Int]
    var costs: [Cost]
    private var merged: [Entry] = []

    /// Makes a tableau without rows and columns, which counts its exchanges from `pivotCount` on.
    init(symbolCount: Int, pivotCount: Int = 0) {
        self.pivotCount = pivotCount
        startCount = pivotCount
        rowIndices = Array(repeating: -1, count: symbolCount)
        columnIndices = Array(repeating: -1, count: symbolCount)
        costs = Array(repeating: .none, count: symbolCount)
    }

    // MARK: Symbols come and go

    /// Adds a residual that no row has yet.
    mutating func addColumn(_ residual: Int) {
        columnIndices[residual] = columns.count
        columns.append(residual)
    }

    /// Adds a residual that is told by a form of columns.
    mutating func addRow(_ residual: Int, _ form: LinearForm) {
        rowIndices[residual] = rows.count
        rows.append(Row(residual: residual, value: form.constant, entries: form.entries, isAbove: form.constant > 0))
    }

    /// Takes away a residual that has a row.
    mutating func removeRow(of residual: Int) {
        let index = rowIndices[residual]
        guard index >= 0, let last = rows.popLast() else { return }
        rowIndices[residual] = -1
        guard last.residual != residual else { return }
        rows[index] = last
        rowIndices[last.residual] = index
    }

    /// Replaces each residual of the sum that has a row.
    func substitute(in sum: inout FormSum) {
        // Rows hold columns alone, so what the loop adds needs no second look.
        for index in 0..<sum.touched.count {
            let symbol = sum.touched[index]
            guard rowIndices[symbol] >= 0 else { continue }
            let coefficient = sum.take(symbol)
            guard abs(coefficient) >= LinearForm.leastCoefficient else { continue }
            let row = rows[rowIndices[symbol]]
            sum.add(constant: coefficient * row.value)
            for entry in row.entries { _ = sum.add(coefficient * entry.coefficient, of: entry.symbol) }
        }
    }

    /// Returns true if a residual is a column, and thus 0.
    func isColumn(_ residual: Int) -> Bool { columnIndices[residual] >= 0 }

    /// Returns true if a residual is a column or has a row.
    func has(_ residual: Int) -> Bool { isColumn(residual) || rowIndices[residual] >= 0 }

    /// The value of a residual.
    func value(_ residual: Int) -> Double { rowIndices[residual] < 0 ? 0 : rows[rowIndices[residual]].value }

    // MARK: Changes of rows

    /// Makes a residual of which the value is 0, but for rounding, a column.
    mutating func hold(_ residual: Int) {
        let index = rowIndices[residual]
        guard index >= 0 else { return }
        // The largest coefficient is the one to divide by.
        guard let largest = rows[index].entries.max(by: { abs($0.coefficient) < abs($1.coefficient) }) else {
            return removeRow(of: residual)
        }
        let isAbove = costs[largest.symbol].above.isFinite
        var members: [Member] = []
        findMembers(of: largest.symbol, &members)
        exchange(row: index, with: largest.symbol, members, value: 0, isAbove: isAbove)
    }

    /// Puts a residual on a side of 0, if it has a row.
    mutating func settle(_ residual: Int, isAbove: Bool) {
        if rowIndices[residual] >= 0 { settle(row: rowIndices[residual], isAbove: isAbove) }
    }

    /// Puts a row on a side of 0: a value of the other side becomes 0.
    mutating func settle(row: Int, isAbove: Bool) {
        rows[row].isAbove = isAbove
        rows[row].value = isAbove ? max(0, rows[row].value) : min(0, rows[row].value)
    }

    /// Puts a row on the other side of 0 while its value is about to follow.
    mutating func turn(row: Int) { rows[row].isAbove.toggle() }

    /// Finds the rows that have a column.
    func findMembers(of column: Int, _ members: inout [Member]) {
        members.removeAll(keepingCapacity: true)
        for row in rows.indices {
            guard let place = LinearForm.place(of: column, in: rows[row].entries) else { continue }
            members.append(Member(row: row, coefficient: rows[row].entries[place].coefficient))
        }
    }

    /// Moves a column away from 0, and with it the rows that have the column.
    ///
    /// A row keeps its side, whatever rounding says of its value.
    mutating func move(_ members: [Member], by distance: Double) {
        for member in members {
            rows[member.row].value += distance * member.coefficient
            settle(row: member.row, isAbove: rows[member.row].isAbove)
        }
    }

    /// Exchanges the residual of a row, which is 0, with a column of the row, which is then `value`.
    ///
    /// The members are those of the column.
    mutating func exchange(row index: Int, with column: Int, _ members: [Member], value: Double, isAbove: Bool) {
        guard let place = LinearForm.place(of: column, in: rows[index].entries) else { return }
        pivotCount += 1
        let leaving = rows[index].residual
        var entries = rows[index].entries
        let factor = 1 / entries[place].coefficient
        entries.remove(at: place)
        largest = max(largest, abs(factor))
        for other in entries.indices {
            entries[other].coefficient *= -factor
            largest = max(largest, abs(entries[other].coefficient))
        }
        let inserted = entries.firstIndex { $0.symbol > leaving } ?? entries.count
        entries.insert(Entry(symbol: leaving, coefficient: factor), at: inserted)
        for member in members where member.row != index {
            let old = rows[member.row].entries
            LinearForm.add(entries, times: member.coefficient, to: old, without: column, in: &merged)
            swap(&rows[member.row].entries, &merged)
        }
        rows[index] = Row(residual: column, value: value, entries: entries, isAbove: isAbove)
        rowIndices[column] = index
        rowIndices[leaving] = -1
        let freed = columnIndices[column]
        columns[freed] = leaving
        columnIndices[leaving] = freed
        columnIndices[column] = -1
    }
}
