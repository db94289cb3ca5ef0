// SPDX-License-Identifier: Apache-2.0

/// The values of a system's variables, and the constraints that were left out.
package struct LayoutSolution: Sendable, Equatable {
    /// The indices of required constraints that contradict earlier ones, and of refused ones, in ascending order.
    ///
    /// The values satisfy every other required constraint. Refused constraints are those of which `isRefused` is true,
    /// of any priority.
    package let unsatisfied: [Int]
    /// The exchanges of the simplex that the solution took: a measure of the work that is the same on every machine.
    package let pivotCount: Int
    /// False if a search ended at its limit of exchanges, or if rounding made the values wrong.
    ///
    /// The values still satisfy every required constraint that `unsatisfied` does not name, but a cheaper solution may
    /// exist, and what is named need not contradict. Layouts come to neither, only systems that are made for it.
    package let isOptimal: Bool

    private let numbering: Numbering
    private let values: [Double]

    init(_ values: [Double], _ numbering: Numbering, unsatisfied: [Int], pivotCount: Int, isOptimal: Bool) {
        self.values = values
        self.numbering = numbering
        self.unsatisfied = unsatisfied
        self.pivotCount = pivotCount
        self.isOptimal = isOptimal
    }

    /// The value of a variable; 0 if no constraint has it or decides it, or if the value is no finite number.
    package subscript(variable: LayoutVariable) -> Double { numbering.index(variable).map { values[$0] } ?? 0 }

    /// Returns the value of an expression.
    package func value(_ expression: LayoutExpression) -> Double { expression.value { self[$0] } }
}
