// SPDX-License-Identifier: Apache-2.0

/// The code that stands for the requirements of one name that a class may leave out.
struct OptionalRequirementCode {
    private(set) var lines: [String] = []

    private let body: TypeBody
    private let place: BodyPlace
    /// The attributes of the protocol that name its actor.
    private let actors: String

    /// `numbers` are those of the requirements in the protocol's body, which have one base name; `actors` are its
    /// attributes that name an actor.
    init(_ body: TypeBody, _ place: BodyPlace, _ numbers: [Int], actors: String) {
        self.body = body
        self.place = place
        self.actors = actors
        let requirements = numbers.map { body.optionalRequirements[$0] }
        guard let first = requirements.first else { return }
        let isolation = isolation(requirements)
        let access = body.isOfFile ? "fileprivate " : ""
        var types: [String] = []
        var calls: [String] = []
        var property = ""
        for (number, requirement) in zip(numbers, requirements) {
            let head = "\(actors)\(access)protocol \(self.name(ofProtocol: number)): AnyObject"
            switch requirement.kind {
            case .function(let function, let effects):
                let call = Call(function, effects: effects, head: requirement.head)
                types.append("\(head) { \(requirement.head)\(call.declaration(named: function.writtenName)) }")
                calls.append(
                    numbers.count == 1
                        ? call.only : call.one(ofProtocol: self.name(ofProtocol: number))
                )
                property = function.writtenName
            case .property(_, let writtenName, let type):
                types.append("\(head) { \(requirement.head)var \(writtenName): \(type) { get } }")
                property = writtenName
            case .other: continue
            }
        }
        let caller = "_ExtensionHostOptional\(place.file)_\(place.body)_\(numbers[0])Call"
        let kind =
            numbers.count == 1 ? self.name(ofProtocol: numbers[0]) : String(body.path.split(separator: ".").last ?? "")
        if !calls.isEmpty {
            types.append("\(isolation)\(access)struct \(caller) { let object: any \(kind)")
            types += calls + ["}"]
        }
        let outer = Self.outer(of: body.path)
        lines += outer.isEmpty ? types : ["extension \(outer) {"] + types + ["}"]
        lines.append("extension \(body.path) {")
        let path = outer.isEmpty ? "" : "\(outer)."
        switch first.kind {
        case .property(_, _, let type):
            lines.append(
                "\(first.head)var \(property): (\(Self.plain(type)))? "
                    + "{ (self as? any \(path)\(kind)).map { $0.\(property) } }"
            )
        default:
            let made = "\(path)\(caller)(object: "
            lines.append(
                "\(isolation == actors ? first.head : isolation)var \(property): \(path)\(caller)? { "
                    + (numbers.count == 1
                        ? "(self as? any \(path)\(kind)).map { \(made)$0) }" : "\(made)self)") + " }"
            )
        }
        lines.append("}")
    }

    /// The name of the protocol that stands for a requirement, with those of the types around it.
    func path(ofProtocol number: Int) -> String {
        let outer = Self.outer(of: body.path)
        return (outer.isEmpty ? "" : "\(outer).") + name(ofProtocol: number)
    }

    private func name(ofProtocol number: Int) -> String {
        "_ExtensionHostOptional\(place.file)_\(place.body)_\(number)"
    }

    private static func outer(of path: String) -> String {
        path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
    }

    /// The attributes of the protocol that name its actor.
    static func actors(of body: TypeBody) -> String {
        body.attributes.filter { $0.hasSuffix("Actor") }.sorted().map { "@\($0) " }.joined()
    }

    private func isolation(_ requirements: [OptionalRequirement]) -> String {
        let heads = Set(requirements.map(\.head))
        guard heads.count == 1, let head = heads.first, !head.isEmpty else { return actors }
        return head == "nonisolated " ? "" : head
    }

    /// The type without the mark of one that unwraps itself.
    static func plain(_ type: String) -> String {
        type.hasSuffix("!") ? type.dropLast() + "?" : type
    }

    /// A function that hands a call on.
    private struct Call {
        let head: String
        let parameters: String
        let arguments: String
        let effects: String
        let result: String
        let function: FunctionDeclaration

        init(_ function: FunctionDeclaration, effects: [String], head: String) {
            self.function = function
            self.head = head
            let labels = function.labels.map(SwiftLiteral.label)
            parameters = zip(labels, function.parameterTypes).enumerated().map { number, parameter in
                "\(parameter.0) a\(number): \(parameter.1)"
            }.joined(separator: ", ")
            arguments = zip(labels, function.parameterTypes).enumerated().map { number, parameter in
                (parameter.0 == "_" ? "" : "\(parameter.0): ") + (parameter.1.hasPrefix("inout ") ? "&" : "")
                    + "a\(number)"
            }.joined(separator: ", ")
            self.effects = effects.map { " \($0)" }.joined()
            result = function.resultType.isEmpty ? "Void" : function.resultType
        }

        private var words: String {
            (effects.contains("throws") ? "try " : "") + (effects.contains("async") ? "await " : "")
        }

        func declaration(named name: String) -> String {
            "func \(name)(\(parameters))\(effects) -> \(result)"
        }

        /// The call of the only requirement of its name.
        var only: String {
            "\(result == "Void" ? "" : "@discardableResult ")\(head)\(declaration(named: "callAsFunction")) "
                + "{ \(words)object.\(function.writtenName)(\(arguments)) }"
        }

        /// The call of one of several: nil where the object does not have it.
        func one(ofProtocol name: String) -> String {
            let plain = OptionalRequirementCode.plain(result)
            let optional = plain.hasSuffix("?") ? plain : "(\(plain))?"
            return "@discardableResult \(head)func callAsFunction(\(parameters))\(effects) -> \(optional) "
                + "{ guard let object = object as? any \(name) else { return nil }; "
                + "return \(words)object.\(function.writtenName)(\(arguments)) }"
        }
    }
}
