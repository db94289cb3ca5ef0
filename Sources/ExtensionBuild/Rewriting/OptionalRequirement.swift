// SPDX-License-Identifier: Apache-2.0

/// A requirement of a protocol for Objective-C that a class may leave out: `@objc optional func done()`.
struct OptionalRequirement {
    enum Kind {
        /// A function, with the words between its parameters and its result: "async", "throws".
        case function(FunctionDeclaration, effects: [String])
        case property(name: String, writtenName: String, type: String)
        /// A requirement for which no code is made, with the reason as an error says it.
        case other(String)
    }

    let kind: Kind
    /// The words and signs of the declaration, from its first attribute to the end of its type or braces.
    let tokens: Range<Int>
    /// The attributes and words that a copy needs: "@MainActor".
    let head: String
    let condition: String
    let line: Int

    /// The base name, without backticks; nil for what is not understood.
    var name: String? {
        switch kind {
        case .function(let function, _): function.name
        case .property(let name, _, _): name
        case .other: nil
        }
    }
}
