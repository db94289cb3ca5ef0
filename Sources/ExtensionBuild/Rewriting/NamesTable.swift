// SPDX-License-Identifier: Apache-2.0

/// The code behind the last line of a source that tells the runtime what its classes' names stand for.
///
/// Each type's body gets an extension with one function, so that private members are reached; one function of the file
/// calls them all. Its lines have a file name of their own, but those that stand for a line of the author's.
struct NamesTable {
    /// The name of the function that the program calls at its start, on the main thread.
    static func function(ofFile number: Int) -> String { "_extensionHostNames\(number)" }

    private let resolver: SelectorResolver
    private let file: Int
    /// The classes with type parameters that have members to register, among those that the file's classes stand on.
    private var registered: [BodyPlace: Bool] = [:]
    private(set) var lines: [String] = []
    /// The words `private` of types inside others that have to become `fileprivate`.
    ///
    /// One of the types has to be reached from the end of the file, and its members may refer to the others.
    private(set) var openedWords: Set<Int> = []

    /// The code of that file; no lines when there is nothing to tell.
    init(_ resolver: SelectorResolver, _ optional: OptionalRequirements, file: Int) {
        self.resolver = resolver
        self.file = file
        var calls: [String] = []
        var opened = optional.opened[file]
        for number in source.reader.bodies.indices {
            let body = source.reader.bodies[number]
            let members = members(of: BodyPlace(file: file, body: number))
            guard !members.isEmpty else { continue }
            if body.isHidden { opened.insert(DeclarationReader.outermost(of: body.path)) }
            let name = "\(Self.function(ofFile: file))_\(number)"
            // The classes that call the function of one with type parameters may stand in other files.
            let access = body.isGeneric ? "" : "fileprivate "
            append(
                [body.isolation == .mainActor ? "@MainActor extension \(body.path) {" : "extension \(body.path) {"]
                    + ["\(access)static func \(name)() {"] + members + ["}", "}"],
                if: body.condition
            )
            guard !body.isGeneric else { continue }
            calls += Self.conditional(["\(body.path).\(name)()"], if: body.condition)
        }
        calls += specializations()
        for call in resolver.furtherCalls[file] ?? [] { calls += registration(call, of: call.type ?? "") }
        for type in opened { openedWords.formUnion(source.reader.privateWords[type] ?? []) }
        lines += optional.lines[file]
        let remarks = resolver.remarks[file] + optional.remarks[file] + unreachable()
        guard !lines.isEmpty || !calls.isEmpty || !remarks.isEmpty else { return }
        // A closure of so many statements would show the first mistake alone.
        let function = Self.function(ofFile: file)
        lines += ["func \(function)() { MainActor.assumeIsolated { \(function)_() } }"]
        lines += ["@MainActor private func \(function)_() {"] + calls + ["}"]
        lines.insert(Self.ownLocation, at: 0)
        for remark in remarks { append(lines(of: remark), if: remark.condition) }
        lines.append("#sourceLocation()")
        let own = "\(source.path) (selectors)"
        lines = lines.enumerated().map { $1 == Self.ownLocation ? Self.location(own, line: $0 + 1) : $1 }
    }

    /// Stands for the place where the lines are the table's own again.
    static let ownLocation = "#sourceLocation"

    private var source: ReadSource { resolver.index.sources[file] }

    private mutating func append(_ code: [String], if condition: String) {
        lines += Self.conditional(code, if: condition)
    }

    static func conditional(_ code: [String], if condition: String) -> [String] {
        condition.isEmpty ? code : ["#if \(condition)"] + code + ["#endif"]
    }

    static func location(_ path: String, line: Int) -> String {
        "#sourceLocation(file: \(SwiftLiteral.text(path)), line: \(line))"
    }

    /// The calls by which the file's classes register the members of those with type parameters above them.
    private mutating func specializations() -> [String] {
        let index = resolver.index
        guard !index.specializations.isEmpty else { return [] }
        var calls: [String] = []
        for body in source.reader.bodies where body.kind == .classDeclaration && body.isReachable {
            for place in index.specializations[body.path] ?? [] where hasMembers(place) {
                let call = "\(body.path).\(Self.function(ofFile: place.file))_\(place.body)()"
                calls += Self.conditional(
                    Self.conditional([call], if: index.body(place).condition),
                    if: body.condition
                )
            }
        }
        return calls
    }

    private mutating func hasMembers(_ place: BodyPlace) -> Bool {
        if let known = registered[place] { return known }
        let hasMembers = !members(of: place).isEmpty
        registered[place] = hasMembers
        return hasMembers
    }

    /// The lines that register the members of a body.
    private func members(of place: BodyPlace) -> [String] {
        let body = resolver.index.body(place)
        guard body.isReachable else { return [] }
        var members: [String] = []
        for (number, function) in body.functions.enumerated() where function.obstacle == nil {
            let member = MemberPlace(body: place, member: number)
            guard function.isExposed || resolver.named.contains(member) else { continue }
            let code = Self.register(
                resolver.index.selector(of: member),
                of: body.path,
                call(of: function, in: body),
                onMain: function.isOnMainActor
            )
            members += Self.conditional([code], if: function.condition)
        }
        for property in body.properties
        where (property.isOutlet || property.isInspectable) && !property.isStatic && !property.isConstant {
            let code =
                "ObjectiveCNames.registerOutlet\(property.isOnMainActor ? "OnMainActor" : "")("
                + "\(SwiftLiteral.text(property.objectiveCName ?? property.name)), of: \(body.path).self) "
                + "{ object, value in object.\(property.writtenName) = try value.cast() }"
            members += Self.conditional([code], if: property.condition)
        }
        for call in resolver.calls[place] ?? [] { members += registration(call, of: body.path) }
        return members
    }

    /// The call of a function that says which of several of its name is meant, whoever declares the others.
    private func call(of function: FunctionDeclaration, in body: TypeBody) -> String {
        let index = resolver.index
        let namesakes = index.namesakes(of: function, in: body.path)
        let arguments = zip(function.labels, function.parameterTypes).enumerated().map { number, parameter in
            let (label, type) = parameter
            return (label == "_" ? "" : "\(SwiftLiteral.label(label)): ")
                + Self.argument(number, type: index.qualified(type, inside: body.path))
        }
        var call = "object.\(function.writtenName)(\(arguments.joined(separator: ", ")))"
        if namesakes.count > 1, let type = Self.said(function.resultType.isEmpty ? "Void" : function.resultType) {
            call += " as (\(index.qualified(type, inside: body.path)))"
        }
        return function.labels.isEmpty ? "object, _ in \(call)" : "object, arguments in try \(call)"
    }

    /// The argument as that type, which says which of several functions is meant.
    ///
    /// An object in the place of a truth value counts as true, as its address would in Objective-C.
    static func argument(_ number: Int, type: String?) -> String {
        guard let type = type.flatMap(said) else { return "arguments.value(\(number))" }
        guard type != "Bool" else {
            return "arguments.value(\(number), as: (Any?).self).map { $0 as? Bool ?? true } ?? false"
        }
        return "arguments.value(\(number), as: (\(type)).self)"
    }

    /// The type as an expression can say it; nil where none can.
    private static func said(_ type: String) -> String? {
        let plain = type.hasPrefix("@escaping ") ? String(type.dropFirst("@escaping ".count)) : type
        guard !plain.isEmpty, !plain.contains(word: "Self"), !plain.contains(word: "escaping"),
            !plain.contains(word: "some")
        else { return nil }
        return OptionalRequirementCode.plain(plain)
    }

    private static func register(_ selector: String, of type: String, _ closure: String, onMain: Bool) -> String {
        "ObjectiveCNames.register\(onMain ? "OnMainActor" : "")(\(SwiftLiteral.text(selector)), of: \(type).self) "
            + "{ \(closure) }"
    }

    /// A call whose mistakes, if any, are those of the `#selector`.
    private func registration(_ call: SelectorResolver.Call, of type: String) -> [String] {
        let line = "ObjectiveCNames.register(\(SwiftLiteral.text(call.selector)), of: \(type).self) \(call.closure)"
        let path = resolver.index.sources[call.file].path
        return Self.conditional([Self.location(path, line: call.line), line, Self.ownLocation], if: call.condition)
    }
}

// MARK: Remarks

extension NamesTable {
    /// The directives that make the compiler say a remark at its place.
    private func lines(of remark: SourceRemark) -> [String] {
        let word = remark.isError ? "#error" : "#warning"
        let indentation = String(repeating: " ", count: min(200, max(0, remark.column - 1)))
        return [
            Self.location(source.path, line: remark.line),
            "\(indentation)\(word)(\(SwiftLiteral.text(remark.text)))",
        ]
    }

    /// Warnings for outlets and actions that no storyboard reaches.
    private func unreachable() -> [SourceRemark] {
        source.reader.bodies.flatMap { body -> [SourceRemark] in
            let actions = body.functions.filter(\.isAction).compactMap { action in
                (action.obstacle ?? body.obstacle).map { (action.title, action.line, action.condition, $0) }
            }
            let outlets = body.properties.filter { $0.isOutlet || $0.isInspectable }.compactMap { outlet in
                (outlet.isStatic ? "belongs to the class and not to an object" : body.obstacle)
                    .map { (outlet.name, outlet.line, outlet.condition, $0) }
            }
            return (actions + outlets).map { name, line, condition, obstacle in
                SourceRemark(
                    isError: false,
                    line: line,
                    column: 1,
                    text: "\"\(name)\" \(obstacle): no storyboard can reach it here",
                    condition: condition
                )
            }
        }
    }
}
