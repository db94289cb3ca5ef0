// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver
import LayoutTrees

// usage: layout-bench solve | time | tree COUNT [SEED]
//
// The solver's side of compare.py, which starts this.
// A system is one line: [[relation, priority, constant, variable, coefficient, …], …]. The relation is -1 for "at most
// 0", 0 for "is 0" and 1 for "at least 0". "solve" reads systems and prints for each {"values":[…],"unsatisfied":[…],
// "pivots":n,"isOptimal":true}, where values are those of the variables 0, 1, 2 and so on. "time" reads systems and
// prints the microseconds of one solution, median of many. "tree" prints the constraints of a tree of views, the same
// for the same number and seed.

func fail(_ message: String, _ hint: String) -> Never {
    FileHandle.standardError.write(Data("layout-bench: error: \(message)\nlayout-bench: hint: \(hint)\n".utf8))
    exit(2)
}

let relations: [LinearConstraint.Relation] = [.lessOrEqual, .equal, .greaterOrEqual]

func system(_ line: String) -> LayoutSystem {
    guard let rows = try? JSONDecoder().decode([[Double]].self, from: Data(line.utf8)) else {
        fail("a line is no system: \"\(line.prefix(60))\"", "write [[relation, priority, constant, …], …]")
    }
    var system = LayoutSystem()
    for row in rows {
        guard row.count >= 3, row.count % 2 == 1, abs(row[0]) <= 1 else {
            fail("a constraint has \(row.count) numbers", "write three numbers, then two for each term")
        }
        let terms = stride(from: 3, to: row.count, by: 2).map {
            LayoutExpression.Term(LayoutVariable(Int(row[$0])), row[$0 + 1])
        }
        let relation = relations[Int(row[0]) + 1]
        system.add(LinearConstraint(LayoutExpression(terms, constant: row[2]), relation, priority: row[1]))
    }
    return system
}

func line(_ constraints: [LinearConstraint]) -> String {
    let rows = constraints.map { constraint in
        var numbers = [constraint.priority, constraint.expression.constant]
        for term in constraint.expression.terms {
            numbers += [Double(term.variable.number), term.coefficient]
        }
        let relation = relations.firstIndex(of: constraint.relation).map { $0 - 1 } ?? 0
        return "[\(relation),\(numbers.map(\.description).joined(separator: ","))]"
    }
    return "[\(rows.joined(separator: ","))]"
}

func solved(_ system: LayoutSystem) -> String {
    let solution = system.solution()
    let largest = system.constraints.flatMap { $0.expression.terms.map(\.variable.number) }.max() ?? -1
    let values = (0..<(largest + 1)).map { solution[LayoutVariable($0)].description }
    return "{\"values\":[\(values.joined(separator: ","))],\"unsatisfied\":\(solution.unsatisfied),"
        + "\"pivots\":\(solution.pivotCount),\"isOptimal\":\(solution.isOptimal)}"
}

/// Returns the median of the microseconds that solutions took, of 7 at least and of as many as fit a fifth of a second.
func microseconds(_ system: LayoutSystem) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var times: [Double] = []
    while times.count < 7 || clock.now - start < .milliseconds(200) {
        let time = clock.measure { _ = system.solution() }
        times.append(Double(time.components.attoseconds) / 1e12 + Double(time.components.seconds) * 1e6)
    }
    return times.sorted()[times.count / 2]
}

switch CommandLine.arguments.dropFirst().first {
case "solve": while let text = readLine() { print(solved(system(text))) }
case "time": while let text = readLine() { print(microseconds(system(text))) }
case "tree":
    guard let count = CommandLine.arguments.dropFirst(2).first.flatMap({ Int($0) }), count >= 4 else {
        fail("no count of constraints", "layout-bench tree 600")
    }
    let seed = CommandLine.arguments.dropFirst(3).first.flatMap { UInt64($0) } ?? 1
    print(line(ViewTree(constraintCount: count, seed: seed).constraints))
default: fail("no command", "layout-bench solve | time | tree COUNT [SEED]")
}
