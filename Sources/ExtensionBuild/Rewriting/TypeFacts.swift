// SPDX-License-Identifier: Apache-2.0

/// Facts of types that every body of theirs has to know, also those in other files.
struct TypeFacts {
    private var kinds: [String: TypeBody.Kind] = [:]
    private var generic: Set<String> = []
    private var exposing: Set<String> = []
    private var unavailable: Set<String> = []
    private var ofOtherActors: Set<String> = []
    private var globalActors: Set<String> = []
    /// The types of which no variable of type `Any` can hold a value.
    private var unboxable: Set<String> = [
        "Span", "RawSpan", "MutableSpan", "MutableRawSpan", "OutputSpan", "OutputRawSpan", "UTF8Span",
    ]

    init(_ sources: [ReadSource]) {
        let bodies = sources.lazy.flatMap(\.reader.bodies)
        for body in bodies where body.attributes.contains("globalActor") {
            globalActors.insert(Self.lastName(of: body.path))
        }
        for body in bodies where body.kind != .classExtension {
            kinds[body.path] = body.kind
            if body.hasParameters { generic.insert(body.path) }
            if body.exposesMembers { exposing.insert(body.path) }
            if body.isUnavailable { unavailable.insert(body.path) }
            if isOfOtherActor(body) { ofOtherActors.insert(body.path) }
            if body.inherited.contains(where: { $0.hasPrefix("~") }) { unboxable.insert(Self.lastName(of: body.path)) }
        }
    }

    private static func lastName(of path: String) -> String {
        String(path.split(separator: ".").last ?? "")
    }

    private func isOfOtherActor(_ body: TypeBody) -> Bool {
        body.isolation == .otherActor || !body.attributes.isDisjoint(with: globalActors)
    }

    /// The types of Swift's own library that have type parameters.
    private static let genericTypes: Set<String> = [
        "Array", "ArraySlice", "ContiguousArray", "Dictionary", "Optional", "Range", "Result", "Sequence", "Set",
        "AsyncStream", "ClosedRange", "KeyValuePairs",
    ]

    /// False when no type tells its subclasses anything.
    var needAncestry: Bool { !exposing.isEmpty || !ofOtherActors.isEmpty }

    /// Tells a body what its type is; `ancestry` begins with the type itself, or is empty where nobody needs it.
    func refine(_ body: inout TypeBody, isForeign: Bool, ancestry: [String]) {
        let path = body.path
        if body.kind == .classExtension {
            body.isForeign = isForeign
            if let kind = kinds[path], kind != .classDeclaration { body.kind = .other }
        }
        let around = Self.prefixes(of: path)
        let isInGeneric =
            around.contains(where: generic.contains)
            || kinds[around.first ?? ""] == nil && Self.genericTypes.contains(around.first ?? "")
        if isInGeneric, !body.isLocal { body.isGeneric = true }
        if around.contains(where: unavailable.contains) { body.isUnavailable = true }
        if isOfOtherActor(body) || body.isolation == .none && ancestry.contains(where: ofOtherActors.contains) {
            body.isolation = .otherActor
        }
        let exposes = ancestry.contains(where: exposing.contains)
        // The body does not hold them meanwhile, so that they are changed in their place.
        var functions = body.functions
        body.functions = []
        for number in functions.indices { refine(&functions[number], of: body, exposes: exposes) }
        body.functions = functions
    }

    private func refine(_ function: inout FunctionDeclaration, of body: TypeBody, exposes: Bool) {
        let isExtension = body.kind == .classExtension
        if isExtension, body.access.hasSuffix("private") { function.isPrivate = true }
        function.isOnOtherActor = function.attributes.contains {
            globalActors.contains($0) || $0.hasSuffix("Actor") && $0 != "MainActor"
        }
        function.isUnboxable = (function.parameterTypes + [function.resultType]).contains { type in
            type.words.contains { unboxable.contains(String($0)) }
        }
        guard !function.isHiddenFromObjectiveC, !function.isExposed else { return }
        function.isExposed = isExtension && body.exposesMembers || exposes && !function.isPrivate
    }

    /// "A", "A.B" and "A.B.C" of "A.B.C".
    private static func prefixes(of path: String) -> [String] {
        var found: [String] = []
        for part in path.split(separator: ".") { found.append(found.last.map { "\($0).\(part)" } ?? String(part)) }
        return found
    }
}
