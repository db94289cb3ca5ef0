// SPDX-License-Identifier: Apache-2.0

/// A symbol of the solver with its coefficient.
///
/// Symbols below the count of variables are variables, those above are residuals: symbol `count + i` is the value of
/// the expression of constraint i.
struct Entry: Equatable {
    var symbol: Int
    var coefficient: Double
}

/// A constant and a sum of symbols, in ascending order.
struct LinearForm: Equatable {
    var constant: Double
    var entries: [Entry]

    /// The size of a coefficient from which on it counts: smaller ones are what rounding leaves of 0.
    static let leastCoefficient = 1e-9

    /// Returns the place of a symbol in entries that are in ascending order; `nil` means that they have none.
    @inline(__always)
    static func place(of symbol: Int, in entries: [Entry]) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].symbol < symbol { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].symbol == symbol ? low : nil
    }

    /// Writes `entries` without the symbol `left`, plus `factor` times `others`, into `sum`.
    static func add(
        _ others: [Entry],
        times factor: Double,
        to entries: [Entry],
        without left: Int,
        in sum: inout [Entry]
    ) {
        sum.removeAll(keepingCapacity: true)
        var other = 0
        for entry in entries where entry.symbol != left {
            while other < others.count, others[other].symbol < entry.symbol {
                sum.append(Entry(symbol: others[other].symbol, coefficient: factor * others[other].coefficient))
                other += 1
            }
            guard other < others.count, others[other].symbol == entry.symbol else {
                sum.append(entry)
                continue
            }
            let coefficient = entry.coefficient + factor * others[other].coefficient
            if abs(coefficient) >= leastCoefficient {
                sum.append(Entry(symbol: entry.symbol, coefficient: coefficient))
            }
            other += 1
        }
        while other < others.count {
            sum.append(Entry(symbol: others[other].symbol, coefficient: factor * others[other].coefficient))
            other += 1
        }
    }
}

/// A form while it is put together: a sum for every symbol, and which of them were touched.
struct FormSum {
    private(set) var constant = 0.0
    /// The largest size of a part of the constant: what its rounding errors are measured by.
    private(set) var magnitude = 0.0
    private(set) var touched: [Int] = []
    private var sums: [Double]
    private var isTouched: [Bool]

    init(symbolCount: Int) {
        sums = Array(repeating: 0, count: symbolCount)
        isTouched = Array(repeating: false, count: symbolCount)
    }

    mutating func add(constant part: Double) {
        constant += part
        magnitude = max(magnitude, abs(part))
    }

    /// Adds to the coefficient of a symbol, and returns true if it was not touched before.
    @inline(__always)
    mutating func add(_ coefficient: Double, of symbol: Int) -> Bool {
        sums[symbol] += coefficient
        guard !isTouched[symbol] else { return false }
        isTouched[symbol] = true
        touched.append(symbol)
        return true
    }

    /// Returns the coefficient of a symbol and sets it to 0.
    mutating func take(_ symbol: Int) -> Double {
        let coefficient = sums[symbol]
        sums[symbol] = 0
        return coefficient
    }

    /// Returns the form, and is 0 again.
    mutating func finish() -> LinearForm {
        touched.sort()
        var form = LinearForm(constant: constant, entries: [])
        form.entries.reserveCapacity(touched.count)
        for symbol in touched {
            let coefficient = sums[symbol]
            sums[symbol] = 0
            isTouched[symbol] = false
            guard abs(coefficient) >= LinearForm.leastCoefficient else { continue }
            form.entries.append(Entry(symbol: symbol, coefficient: coefficient))
        }
        touched.removeAll(keepingCapacity: true)
        constant = 0
        magnitude = 0
        return form
    }
}
