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
    private(set) var lines: [String] = []
    /// The words `private` of types inside others that have to become `fileprivate`.
    ///
    /// One of the types has to be reached from the end of the file, and its members may refer to the others.
    private(set) var openedWords: Set<Int> = []

    /// The code of that file; no lines when there is nothing to tell.
    init(_ resolver: SelectorResolver, file: Int) {
        self.resolver = resolver
        self.file = file
        var calls: [String] = []
        for number in source.reader.bodies.indices {
            let body = source.reader.bodies[number]
            let members = members(of: BodyPlace(file: file, body: number))
            guard !members.isEmpty else { continue }
            if body.isHidden {
                let reader = source.reader
                openedWords.formUnion(reader.privateWords[reader.outermost(of: body.path)] ?? [])
            }
            let name = "\(Self.function(ofFile: file))_\(number)"
            append(
                [body.isolation == .mainActor ? "@MainActor extension \(body.path) {" : "extension \(body.path) {"]
                    + ["fileprivate static func \(name)() {"] + members + ["}", "}"],
                if: body.condition
            )
            calls += Self.conditional(["\(body.path).\(name)()"], if: body.condition)
        }
        for call in resolver.furtherCalls[file] ?? [] { calls += registration(call, of: call.type ?? "") }
        let remarks = resolver.remarks[file] + unreachable()
        guard !lines.isEmpty || !calls.isEmpty || !remarks.isEmpty else { return }
        lines += ["func \(Self.function(ofFile: file))() {", "MainActor.assumeIsolated {"] + calls + ["}", "}"]
        lines.insert(Self.ownLocation, at: 0)
        for remark in remarks { append(lines(of: remark), if: remark.condition) }
        lines.append("#sourceLocation()")
        let own = "\(source.path) (selectors)"
        lines = lines.enumerated().map { $1 == Self.ownLocation ? Self.location(own, line: $0 + 1) : $1 }
    }

    /// Stands for the place where the lines are the table's own again.
    private static let ownLocation = "#sourceLocation"

    private var source: ReadSource { resolver.index.sources[file] }

    private mutating func append(_ code: [String], if condition: String) {
        lines += Self.conditional(code, if: condition)
    }

    private static func conditional(_ code: [String], if condition: String) -> [String] {
        condition.isEmpty ? code : ["#if \(condition)"] + code + ["#endif"]
    }

    private static func location(_ path: String, line: Int) -> String {
        "#sourceLocation(file: \(SwiftLiteral.text(path)), line: \(line))"
    }

    /// The lines that register the members of a body.
    private func members(of place: BodyPlace) -> [String] {
        let body = resolver.index.body(place)
        guard body.isReachable else { return [] }
        var members: [String] = []
        let titles = Dictionary(grouping: body.functions) { "\($0.title) \($0.condition)" }.mapValues(\.count)
        for (number, function) in body.functions.enumerated() where function.obstacle == nil {
            let member = MemberPlace(body: place, member: number)
            guard function.isExposed || resolver.named.contains(member) else { continue }
            let code = Self.register(
                resolver.index.selector(of: member),
                of: body.path,
                Self.call(of: function, saysTypes: titles["\(function.title) \(function.condition)"] ?? 1 > 1),
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

    private static func call(of function: FunctionDeclaration, saysTypes: Bool) -> String {
        guard !function.labels.isEmpty else { return "object, _ in object.\(function.writtenName)()" }
        let arguments = zip(function.labels, function.parameterTypes).enumerated().map { number, parameter in
            let (label, type) = parameter
            let shown = saysTypes ? ", as: (\(type.hasSuffix("!") ? type.dropLast() + "?" : type)).self" : ""
            return (label == "_" ? "" : "\(label): ") + "arguments.value(\(number)\(shown))"
        }
        return "object, arguments in try object.\(function.writtenName)(\(arguments.joined(separator: ", ")))"
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
