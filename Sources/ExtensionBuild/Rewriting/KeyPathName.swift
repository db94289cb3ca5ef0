// SPDX-License-Identifier: Apache-2.0

/// The text that `#keyPath` stands for.
enum KeyPathName {
    /// The names of the properties with points between them, without the type they begin at.
    ///
    /// The first part is a type if it begins with a capital and something follows; a type inside it is one too if the
    /// sources declare it.
    static func of(_ expression: NameExpression, in source: ReadSource, index: SourceIndex) -> String {
        var parts = expression.argument.compactMap(source.tokens.name(at:))
        guard parts.count > 1 else { return parts.first ?? "" }
        var type = ""
        while parts.count > 1, let first = parts.first {
            let longer = type.isEmpty ? first : "\(type).\(first)"
            let isType = type.isEmpty ? first.first?.isUppercase == true : index.types.contains(longer)
            guard isType || type.isEmpty && first == "self" else { break }
            type = longer
            parts.removeFirst()
        }
        return parts.joined(separator: ".")
    }
}
