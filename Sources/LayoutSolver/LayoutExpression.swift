// SPDX-License-Identifier: Apache-2.0

/// A number that a layout decides, such as an edge, a width or a height, in points.
///
/// The numbers of a system's variables are any integers; numbers from 0 on without large gaps are found fastest.
package struct LayoutVariable: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }
}

/// A sum of variables, each times a coefficient, and a constant.
///
/// A variable may occur in several terms: their coefficients are added.
package struct LayoutExpression: Hashable, Sendable {
    package struct Term: Hashable, Sendable {
        package var variable: LayoutVariable
        package var coefficient: Double

        package init(_ variable: LayoutVariable, _ coefficient: Double = 1) {
            self.variable = variable
            self.coefficient = coefficient
        }
    }

    package var terms: [Term]
    package var constant: Double

    package init(_ terms: [Term] = [], constant: Double = 0) {
        self.terms = terms
        self.constant = constant
    }

    package init(_ variable: LayoutVariable, times coefficient: Double = 1, plus constant: Double = 0) {
        self.init([Term(variable, coefficient)], constant: constant)
    }

    /// Returns the value of the expression where `value` tells the value of a variable.
    package func value(_ value: (LayoutVariable) -> Double) -> Double {
        terms.reduce(constant) { $0 + $1.coefficient * value($1.variable) }
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(left.terms + right.terms, constant: left.constant + right.constant)
    }

    package static func - (left: Self, right: Self) -> Self { left + right * -1 }

    package static func + (left: Self, right: Double) -> Self { Self(left.terms, constant: left.constant + right) }

    package static func - (left: Self, right: Double) -> Self { left + -right }

    package static func * (left: Self, right: Double) -> Self {
        Self(left.terms.map { Term($0.variable, $0.coefficient * right) }, constant: left.constant * right)
    }
}
