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

    let kind: Kind
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
    let isGeneric: Bool
    /// True in the body of a function.
    let isLocal: Bool
    /// True for `@objcMembers`.
    let exposesMembers: Bool
    let isolation: Isolation
    /// The condition of the `#if` around it; "" without one.
    let condition: String
    /// The line of the type's name, counted from 1.
    let line: Int
    /// True when this type, or one around it, is private inside another.
    let isHidden: Bool

    var functions: [FunctionDeclaration] = []
    var properties: [PropertyDeclaration] = []

    /// True when code behind the file's last line reaches the members and can be called by name.
    var isReachable: Bool {
        (kind == .classDeclaration || kind == .classExtension) && !isGeneric && !isLocal && isolation != .otherActor
    }
}

/// A function of a type.
struct FunctionDeclaration: Equatable {
    /// The base name, without backticks.
    let name: String
    /// The base name as written.
    let writtenName: String
    /// The labels; "_" where there is none.
    let labels: [String]
    /// The types of the parameters as written, in the order of the labels.
    let parameterTypes: [String]
    var isStatic = false
    var isAsync = false
    var isThrowing = false
    var isGeneric = false
    var isOverride = false
    /// True for `@MainActor`.
    var isOnMainActor = false
    /// True where `@available` says that nobody may call it.
    var isUnavailable = false
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
        let words = [
            "inout", "some", "borrowing", "consuming", "sending", "isolated", "...", "autoclosure", "repeat", "each",
        ]
        if parameterTypes.contains(where: { type in words.contains { type.contains(word: $0) } }) {
            return "has a parameter that no call by name can fill"
        }
        return nil
    }
}

extension String {
    /// True when that word stands in the text, and not as a part of a longer one.
    fileprivate func contains(word: String) -> Bool {
        guard word.utf8.first.map(SwiftTokens.isPartOfName) == true else { return contains(word) }
        return split { !$0.utf8.allSatisfy(SwiftTokens.isPartOfName) }.contains { $0 == word }
    }
}

/// A property that a storyboard or a selector can name.
struct PropertyDeclaration: Equatable {
    let name: String
    let writtenName: String
    /// The declared type as written, without the marks `!` and `?` at its end; "" when none is written.
    let type: String
    var isOutlet = false
    /// True for `@IBInspectable`.
    var isInspectable = false
    var isStatic = false
    /// True for `let`.
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
