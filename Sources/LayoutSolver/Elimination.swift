// SPDX-License-Identifier: Apache-2.0

/// The variables that were solved for, each by a form of symbols that were not solved for at that time.
///
/// Variables may have any value, so an expression that holds one can be solved for it at once: the simplex never sees
/// it. A form is not changed any more when one of its variables is solved for later. It is looked up in the order of
/// definitions instead, so that a variable costs nothing until somebody asks for it.
struct Elimination {
    let variableCount: Int
    /// The constraints in which each variable occurs.
    private var uses: [Int]
    /// The place of each variable in the order of definitions, -1 for one that was not solved for.
    private var places: [Int]
    /// The variable, the constant and the end of the entries of each definition.
    private var definitions: [(variable: Int, constant: Double, end: Int)] = []
    private var entries: [Entry] = []
    private var waiting = PlaceHeap()

    /// A variable is solved for only if its coefficient is at least this part of the largest one of its form.
    private static let leastPart = 0.1

    init(_ constraints: [LinearConstraint], _ numbering: Numbering) {
        variableCount = numbering.count
        uses = Array(repeating: 0, count: variableCount)
        places = Array(repeating: -1, count: variableCount)
        for constraint in constraints {
            for term in constraint.expression.terms {
                if let variable = numbering.index(term.variable) { uses[variable] += 1 }
            }
        }
        definitions.reserveCapacity(variableCount)
        entries.reserveCapacity(2 * variableCount)
    }

    /// Adds a variable to a sum that `substitute` is called on afterwards.
    @inline(__always)
    mutating func add(_ coefficient: Double, of variable: Int, to sum: inout FormSum) {
        if sum.add(coefficient, of: variable), places[variable] >= 0 { waiting.insert(places[variable]) }
    }

    /// Replaces every variable of the sum that was solved for.
    ///
    /// A definition holds only variables that were solved for later or not at all. Taken in the order of definitions,
    /// each one is looked up once.
    mutating func substitute(in sum: inout FormSum) {
        while let place = waiting.popLeast() {
            let definition = definitions[place]
            let coefficient = sum.take(definition.variable)
            guard abs(coefficient) >= LinearForm.leastCoefficient else { continue }
            sum.add(constant: coefficient * definition.constant)
            for index in (place == 0 ? 0 : definitions[place - 1].end)..<definition.end {
                let entry = entries[index]
                let part = coefficient * entry.coefficient
                if entry.symbol < variableCount {
                    add(part, of: entry.symbol, to: &sum)
                } else {
                    _ = sum.add(part, of: entry.symbol)
                }
            }
        }
    }

    /// Solves `form` = `residual` for a variable of the form; false means that it has none.
    ///
    /// Without a residual the form is 0. The variable is that with the fewest uses, so that few forms grow; among those
    /// the last one, since views are numbered from the root on and a child is best told by its parent.
    mutating func solve(_ form: LinearForm, residual: Int?) -> Bool {
        var largest = 0.0
        for entry in form.entries where entry.symbol < variableCount { largest = max(largest, abs(entry.coefficient)) }
        guard largest > 0 else { return false }
        var best: Entry?
        for entry in form.entries where entry.symbol < variableCount {
            guard abs(entry.coefficient) >= Self.leastPart * largest else { continue }
            if let best, uses[entry.symbol] > uses[best.symbol] { continue }
            best = entry
        }
        guard let best else { return false }
        for entry in form.entries where entry.symbol != best.symbol {
            entries.append(Entry(symbol: entry.symbol, coefficient: -entry.coefficient / best.coefficient))
        }
        if let residual { entries.append(Entry(symbol: residual, coefficient: 1 / best.coefficient)) }
        places[best.symbol] = definitions.count
        definitions.append((best.symbol, -form.constant / best.coefficient, entries.count))
        return true
    }

    /// Returns the values of all variables where `residual` tells the value of a residual; 0 for those without a form.
    func values(_ residual: (Int) -> Double) -> [Double] {
        var values = [Double](repeating: 0, count: variableCount)
        for place in definitions.indices.reversed() {
            var value = definitions[place].constant
            for index in (place == 0 ? 0 : definitions[place - 1].end)..<definitions[place].end {
                let entry = entries[index]
                value +=
                    entry.coefficient * (entry.symbol < variableCount ? values[entry.symbol] : residual(entry.symbol))
            }
            values[definitions[place].variable] = value
        }
        return values
    }
}

/// A binary heap of places.
struct PlaceHeap {
    private var places: [Int] = []

    mutating func insert(_ place: Int) {
        places.append(place)
        var child = places.count - 1
        while child > 0, places[child] < places[(child - 1) / 2] {
            places.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popLeast() -> Int? {
        guard let least = places.first, let last = places.popLast() else { return nil }
        guard !places.isEmpty else { return least }
        places[0] = last
        var parent = 0
        while 2 * parent + 1 < places.count {
            var child = 2 * parent + 1
            if child + 1 < places.count, places[child + 1] < places[child] { child += 1 }
            guard places[child] < places[parent] else { break }
            places.swapAt(child, parent)
            parent = child
        }
        return least
    }
}
