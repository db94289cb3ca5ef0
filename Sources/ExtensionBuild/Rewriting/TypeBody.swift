// SPDX-License-Identifier: Apache-2.0

/// The braces of a type or of an extension, with the members that matter for names.
struct TypeBody {
    enum Kind {
        case classDeclaration, classExtension, protocolDeclaration
        /// A structure, an enumeration or an actor: nothing in it has a name for Objective-C.
        case other
    }

    enum Isolation {
        case none, mainActor, otherActor
    }

    var kind: Kind
    /// The type's name with those of the types around it: "Outer.Inner".
    let path: String
    /// The place of the body around this one among those of the file.
    let outer: Int?
    /// The superclass and protocols as written.
    let inherited: [String]
    /// The name of `@objc(Name)`.
    let objectiveCName: String?
    let access: String
    /// True when the type, or one around it, has type parameters; an extension with a condition counts too.
    var isGeneric: Bool
    /// True when the declaration itself names type parameters.
    let hasParameters: Bool
    /// True for a class with type parameters that a class without them stands on, by which it is reached.
    var isSpecialized = false
    /// True in the body of a function.
    let isLocal: Bool
    /// True for `@objcMembers`, and for an extension that is marked with `@objc`.
    let exposesMembers: Bool
    /// The names of the attributes, without their arguments.
    let attributes: Set<String>
    var isolation: Isolation
    /// True where `@available` says that nobody may use the type.
    var isUnavailable: Bool
    /// True for an extension of a type that the sources do not declare.
    var isForeign = false
    /// The condition of the `#if` around it; "" without one.
    let condition: String
    /// The line of the type's name, counted from 1.
    let line: Int
    /// True when this type, or one around it, is private inside another.
    let isHidden: Bool
    /// True when this type, or one around it, is private or belongs to its file.
    let isOfFile: Bool
    /// The place of the last word or sign of the type's name and what it inherits.
    let endOfHead: Int

    var functions: [FunctionDeclaration] = []
    var properties: [PropertyDeclaration] = []
    /// The requirements of a protocol that a class may leave out.
    var optionalRequirements: [OptionalRequirement] = []

    /// True when code behind the file's last line reaches the members and can be called by name.
    var isReachable: Bool {
        (kind == .classDeclaration || kind == .classExtension) && (!isGeneric || isSpecialized) && !isLocal
            && !isUnavailable && isolation != .otherActor
    }

    /// True for a protocol that is marked with `@objc`.
    var isObjectiveCProtocol: Bool { kind == .protocolDeclaration && attributes.contains("objc") }
}

/// A function of a type.
struct FunctionDeclaration: Equatable {
    /// The base name, without backticks.
    let name: String
    /// The base name as written.
    let writtenName: String
    /// The labels; "_" where there is none.
    let labels: [String]
    /// The types of the parameters as written, in the order of the labels; "" for one that is not understood.
    let parameterTypes: [String]
    /// The type of the result as written; "" for none.
    var resultType = ""
    var isStatic = false
    var isAsync = false
    var isThrowing = false
    var isGeneric = false
    var isOverride = false
    /// True for a requirement that a class may leave out.
    var isOptional = false
    /// True for `@MainActor`.
    var isOnMainActor = false
    /// True where `@available` says that nobody may call it.
    var isUnavailable = false
    /// True for a function of another actor than the main one.
    var isOnOtherActor = false
    /// True for a parameter or a result of a type that no variable of type `Any` can hold.
    var isUnboxable = false
    /// True where the class alone, or its file, may call it.
    var isPrivate = false
    /// True for `@nonobjc`.
    var isHiddenFromObjectiveC = false
    /// The names of the attributes, without their arguments.
    var attributes: Set<String> = []
    /// True for `@objc`, also by `@objcMembers` of its class.
    var isExposed = false
    /// True for `@IBAction`.
    var isAction = false
    /// The name of `@objc(name)`.
    var objectiveCName: String?
    var condition = ""
    var line = 0

    /// The name by which selectors know it.
    var selector: String {
        objectiveCName ?? ObjectiveCName.ofFunction(name, labels: labels)
    }

    /// The name as Swift writes it: "tapped(_:)".
    var title: String {
        "\(name)(\(labels.map { $0 + ":" }.joined()))"
    }

    /// The reason for which no call by name reaches it; nil when one does.
    var obstacle: String? {
        if isAsync { return "is async" }
        if isThrowing { return "throws" }
        if isStatic { return "belongs to the class and not to an object" }
        if isGeneric { return "has type parameters" }
        if labels.count > 2 { return "has more than two parameters" }
        if isUnavailable { return "is marked as unavailable" }
        if isOnOtherActor { return "belongs to another actor than the main one" }
        let words = [
            "inout", "some", "borrowing", "consuming", "sending", "isolated", "...", "autoclosure", "repeat", "each",
            "__owned", "__shared",
        ]
        if isUnboxable || parameterTypes.contains(where: { type in words.contains { type.contains(word: $0) } }) {
            return "has a parameter or a result that no call by name can hand over"
        }
        return nil
    }
}

extension String {
    /// True when that word stands in the text, and not as a part of a longer one.
    func contains(word: String) -> Bool {
        guard word.utf8.first.map(SwiftTokens.isPartOfName) == true else { return contains(word) }
        return words.contains { $0 == word }
    }

    /// The names, keywords and numbers of a piece of source.
    var words: [Substring] {
        split { !$0.utf8.allSatisfy(SwiftTokens.isPartOfName) }
    }
}

/// A property that a storyboard or a selector can name.
struct PropertyDeclaration: Equatable {
    let name: String
    let writtenName: String
    /// The declared type as written, without the marks `!` and `?` at its end; "" when none is written.
    let type: String
    var isOutlet = false
    /// True for `@objc`, also where an outlet's attribute says it.
    var isExposed = false
    /// True for `@IBInspectable`.
    var isInspectable = false
    var isStatic = false
    var isOverride = false
    /// True where the class alone, or its file, may read it.
    var isPrivate = false
    /// True for `let`, and for a computed property that nothing can set.
    var isConstant = false
    /// True for `@MainActor`.
    var isOnMainActor = false
    /// The name of `@objc(name)`.
    var objectiveCName: String?
    var condition = ""
    var line = 0

    /// True for an array, as an outlet collection has it.
    var isCollection: Bool { element != nil }

    /// The type of an array's elements; nil for other types.
    var element: String? {
        guard type.hasPrefix("["), type.hasSuffix("]"), !type.contains(":") else { return nil }
        return String(type.dropFirst().dropLast())
    }
}
