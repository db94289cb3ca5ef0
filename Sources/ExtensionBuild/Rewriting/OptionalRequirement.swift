// SPDX-License-Identifier: Apache-2.0

/// A requirement of a protocol for Objective-C that a class may leave out: `@objc optional func done()`.
struct OptionalRequirement {
    enum Kind {
        /// The second names are of the parameters, in the order of the labels.
        case function(FunctionDeclaration, effects: [String])
        case property(name: String, writtenName: String, type: String)
        /// A part that is not understood, with the reason.
        case other(String)
    }

    let kind: Kind
    /// From the first attribute or word to the end.
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
