// SPDX-License-Identifier: Apache-2.0

/// The variables of a system in the order of their numbers, each with an index from 0 on.
struct Numbering: Sendable, Equatable {
    /// The number of each index, ascending.
    private let numbers: [Int]
    /// The index of each number, -1 for one that does not occur; empty if the numbers lie too far apart.
    private let table: [Int]

    init(_ constraints: [LinearConstraint]) {
        var termCount = 0
        var largest = 0
        var smallest = 0
        for constraint in constraints {
            for term in constraint.expression.terms {
                largest = max(largest, term.variable.number)
                smallest = min(smallest, term.variable.number)
            }
            termCount += constraint.expression.terms.count
        }
        if smallest >= 0, largest < 8 * termCount {
            (numbers, table) = Self.tabled(constraints, largest: largest)
        } else {
            let all = constraints.flatMap { $0.expression.terms.map(\.variable.number) }.sorted()
            numbers = all.indices.filter { $0 == 0 || all[$0] != all[$0 - 1] }.map { all[$0] }
            table = []
        }
    }

    var count: Int { numbers.count }

    /// Returns the index of a variable; `nil` means that no constraint has it.
    func index(_ variable: LayoutVariable) -> Int? {
        if !table.isEmpty {
            guard table.indices.contains(variable.number), table[variable.number] >= 0 else { return nil }
            return table[variable.number]
        }
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < variable.number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == variable.number ? low : nil
    }

    private static func tabled(_ constraints: [LinearConstraint], largest: Int) -> ([Int], [Int]) {
        var table = [Int](repeating: -1, count: largest + 1)
        for constraint in constraints {
            for term in constraint.expression.terms { table[term.variable.number] = 0 }
        }
        var numbers: [Int] = []
        for number in table.indices where table[number] == 0 {
            table[number] = numbers.count
            numbers.append(number)
        }
        return (numbers, table)
    }
}
