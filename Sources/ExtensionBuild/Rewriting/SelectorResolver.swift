// SPDX-License-Identifier: Apache-2.0

/// An error or a warning about a place of a source.
struct SourceRemark: Equatable {
    let isError: Bool
    let line: Int
    let column: Int
    let text: String
    /// The condition of the `#if` around the place.
    let condition: String
}

/// Finds what each `#selector` of the sources names.
struct SelectorResolver {
    /// A call by name of a member that the sources do not declare as one, in Swift.
    struct Call {
        let selector: String
        /// The type that has the member, for a member of a type that no body of the sources stands for.
        let type: String?
        /// The closure's text.
        let closure: String
        /// The place of the `#selector`, for the compiler's errors.
        let file: Int
        let line: Int
        let condition: String
    }

    let index: SourceIndex
    /// The text of each `#selector`, by file and the place of the expression's first token.
    private(set) var names: [[Int: String]]
    /// The functions that some `#selector` names.
    private(set) var named: Set<MemberPlace> = []
    private(set) var calls: [BodyPlace: [Call]] = [:]
    /// Calls that stand in no body, by file.
    private(set) var furtherCalls: [Int: [Call]] = [:]
    private(set) var remarks: [[SourceRemark]]

    private var seen: Set<String> = []

    init(_ index: SourceIndex) {
        self.index = index
        names = index.sources.map { _ in [:] }
        remarks = index.sources.map { _ in [] }
        for (file, source) in index.sources.enumerated() {
            for expression in source.reader.expressions where expression.kind == .selector {
                resolve(expression, in: file)
            }
        }
    }

    private mutating func resolve(_ expression: NameExpression, in file: Int) {
        let tokens = index.sources[file].tokens
        var use = Use(expression: expression, file: file, line: tokens.line(of: expression.tokens.lowerBound))
        use.column = tokens.column(of: expression.tokens.lowerBound)
        guard let target = SelectorTarget(expression.argument, of: tokens) else {
            names[file][expression.tokens.lowerBound] = ""
            remark(use, isError: true, "this #selector is not understood; write #selector(Type.function(label:))")
            return
        }
        let name =
            switch target.form {
            case .function(let labels): function(target, labels: labels, use)
            case .getter: accessor(target, isSetter: false, use)
            case .setter: accessor(target, isSetter: true, use)
            }
        names[file][expression.tokens.lowerBound] = name
    }

    /// A place that names a selector.
    private struct Use {
        let expression: NameExpression
        let file: Int
        let line: Int
        var column = 1

        var body: BodyPlace? { expression.body.map { BodyPlace(file: file, body: $0) } }
    }

    private mutating func remark(_ use: Use, isError: Bool = false, _ text: String) {
        remarks[use.file].append(
            SourceRemark(
                isError: isError,
                line: use.line,
                column: use.column,
                text: text,
                condition: use.expression.condition
            )
        )
    }
}

// MARK: Functions

extension SelectorResolver {
    private mutating func function(_ target: SelectorTarget, labels: [String]?, _ use: Use) -> String {
        var found = functions(target, use)
        if let labels { found = found.filter { index.function($0).labels == labels } }
        if let types = target.parameterTypes { found = Self.fitting(types, found, index) }
        if let callable = Self.some(found, { index.function($0).isExposed }) { found = callable }
        if let callable = Self.some(found, { !index.function($0).isStatic }) { found = callable }
        guard let first = found.first else { return undeclared(target, labels: labels, use) }
        if Self.isForeignProtocol(target.base) { found = found.filter { index.body($0.body).isReachable } }
        let name = index.selector(of: first)
        let titles = Set(found.map { index.function($0).title })
        let selectors = Set(found.map { index.selector(of: $0) })
        guard selectors.count == 1 else {
            let choice =
                titles.count > 1
                ? "write its labels: \(titles.sorted().joined(separator: ", "))"
                : "tell them apart by \"as\" and the type: #selector(\(target.name) as (Type) -> Void)"
            remark(use, isError: true, "there are several functions \"\(target.name)\"; \(choice)")
            return name
        }
        check(found, use)
        return name
    }

    private static func some(_ places: [MemberPlace], _ holds: (MemberPlace) -> Bool) -> [MemberPlace]? {
        let some = places.filter(holds)
        return some.isEmpty ? nil : some
    }

    private static func fitting(_ types: [String], _ places: [MemberPlace], _ index: SourceIndex) -> [MemberPlace] {
        let sameCount = places.filter { index.function($0).parameterTypes.count == types.count }
        let same = some(sameCount) { place in
            index.function(place).parameterTypes.map { $0.filter { $0 != " " } } == types
        }
        return same ?? sameCount
    }

    /// The functions of the sources that can be meant.
    private func functions(_ target: SelectorTarget, _ use: Use) -> [MemberPlace] {
        let around = index.bodies(around: use.expression.body, in: use.file)
        let found: [MemberPlace]
        switch target.base {
        case .enclosing:
            found =
                around.lazy.map { index.functions(target.name, inFirstOf: index.ancestry(of: $0.path)) }
                .first { !$0.isEmpty } ?? []
        case .type(let type):
            let full = index.type(type, inside: around.first?.path ?? "") ?? type
            found = index.functions(target.name, inFirstOf: index.ancestry(of: full))
        case .object:
            found = []
        }
        guard found.isEmpty else { return found }
        let anywhere = index.functions(anywhere: target.name)
        let type: String
        switch target.base {
        case .object: return callable(anywhere)
        case .enclosing:
            guard home(of: target, use) != nil, let path = around.first?.path else { return callable(anywhere) }
            type = index.foreignSuperclass(of: path) ?? ""
        case .type(let name):
            // The function of Apple's protocol is that of the classes that have it.
            guard !Self.isForeignProtocol(target.base) else { return callable(anywhere) }
            type = index.foreignSuperclass(of: index.type(name, inside: around.first?.path ?? "") ?? name) ?? ""
        }
        // The superclass of another module may have it by an extension of the sources.
        let classes = AppleFunction.classes(above: type)
        return anywhere.filter { place in
            let body = index.body(place.body)
            return body.kind == .classExtension && body.isForeign && index.function(place).isExposed
                && classes.contains(body.path)
        }
    }

    /// Returns the functions that are marked for Objective-C, or that could be: the object may be one of Apple's, which
    /// has a function of that name as well.
    private func callable(_ places: [MemberPlace]) -> [MemberPlace] {
        places.filter { place in
            let function = index.function(place)
            return function.isExposed || function.obstacle == nil && index.body(place.body).isReachable
        }
    }

    private static func isForeignProtocol(_ base: SelectorTarget.Base) -> Bool {
        guard case .type(let name) = base else { return false }
        return AppleFunction.isProtocol(name)
    }

    /// Notes that the functions are called by name; says so if they cannot be.
    private mutating func check(_ places: [MemberPlace], _ use: Use) {
        // A protocol's function is that of the classes that have it.
        let places = places.flatMap { place in
            guard index.body(place.body).kind == .protocolDeclaration else { return [place] }
            let function = index.function(place)
            return index.functions(anywhere: function.name)
                .filter { index.function($0).labels == function.labels && index.body($0.body).isReachable }
        }
        for place in places {
            let (function, body) = (index.function(place), index.body(place.body))
            if let obstacle = function.obstacle {
                let isError = function.labels.count <= 2 || function.isAsync || function.isThrowing
                remark(
                    use,
                    isError: isError,
                    isError
                        ? "\"\(function.title)\" \(obstacle): a selector cannot name it here; "
                            + "name a function that calls it"
                        : "\"\(function.title)\" \(obstacle): this selector can be named, but not called here"
                )
            } else if let obstacle = body.obstacle {
                remark(
                    use,
                    isError: true,
                    "\"\(function.title)\" \(obstacle): a selector cannot name it here; "
                        + "name a function of another class"
                )
            } else {
                named.insert(place)
            }
        }
    }

    /// The name of a function that the sources do not declare: one of UIKit's, or of another module.
    private mutating func undeclared(_ target: SelectorTarget, labels: [String]?, _ use: Use) -> String {
        let known = AppleFunction.named(target.name, labels: labels ?? target.parameterTypes?.map { _ in "_" })
        let labels = labels ?? known?.labels ?? target.parameterTypes?.map { _ in "_" } ?? []
        let name = known?.selector ?? ObjectiveCName.ofFunction(target.name, labels: labels)
        guard known?.isThere != false, !Self.isForeignProtocol(target.base) else { return name }
        guard labels.count <= 2 else {
            remark(
                use,
                "\"\(target.name)\" has more than two parameters: this selector can be named, but not called here"
            )
            return name
        }
        let arguments = labels.enumerated().map { number, label in
            (label == "_" ? "" : "\(SwiftLiteral.label(label)): ")
                + NamesTable.argument(number, type: known?.types[number] ?? target.parameterTypes?[number])
        }
        let call = "object.\(target.writtenName)(\(arguments.joined(separator: ", ")))"
        add(name, labels.isEmpty ? "{ object, _ in \(call) }" : "{ object, arguments in try \(call) }", target, use)
        return name
    }
}

// MARK: Getters and setters

extension SelectorResolver {
    private mutating func accessor(_ target: SelectorTarget, isSetter: Bool, _ use: Use) -> String {
        let found = properties(target, use).first
        let property = found.map { index.property($0) }
        let name = property?.objectiveCName ?? target.name
        var selector = name
        if isSetter { selector = found == nil ? ObjectiveCName.ofAppleSetter(name) : ObjectiveCName.ofSetter(name) }
        let member = "object.\(target.writtenName)"
        let closure =
            isSetter
            ? "{ object, arguments in \(member) = try arguments.value(0); return nil }" : "{ object, _ in \(member) }"
        if isSetter, property?.isConstant == true {
            remark(use, isError: true, "\"\(target.name)\" has no setter that a selector could name")
        } else if let found, property?.isStatic == true || !index.body(found.body).isReachable {
            let obstacle = index.body(found.body).obstacle ?? "belongs to the class and not to an object"
            remark(use, isError: true, "\"\(target.name)\" \(obstacle): a selector cannot name it here")
        } else {
            add(selector, closure, target, use, home: found?.body)
        }
        return selector
    }

    private func properties(_ target: SelectorTarget, _ use: Use) -> [MemberPlace] {
        let around = index.bodies(around: use.expression.body, in: use.file)
        switch target.base {
        case .enclosing:
            return around.lazy.map { index.properties(target.name, inFirstOf: index.ancestry(of: $0.path)) }
                .first { !$0.isEmpty } ?? []
        case .type(let type):
            let full = index.type(type, inside: around.first?.path ?? "") ?? type
            return index.properties(target.name, inFirstOf: index.ancestry(of: full))
        case .object:
            return index.properties(anywhere: target.name)
        }
    }
}

// MARK: Calls of what the sources do not declare

extension SelectorResolver {
    /// Keeps a call in `home`, in the body of the type that is meant, or else beside all bodies.
    private mutating func add(
        _ selector: String,
        _ closure: String,
        _ target: SelectorTarget,
        _ use: Use,
        home: BodyPlace? = nil
    ) {
        let type: String? = if case .type(let type) = target.base { type } else { nil }
        let call = Call(
            selector: selector,
            type: type,
            closure: closure,
            file: use.file,
            line: use.line,
            condition: use.expression.condition
        )
        if let home = home ?? self.home(of: target, use) {
            if seen.insert("\(home.file)/\(home.body)/\(selector)/\(call.condition)").inserted {
                calls[home, default: []].append(call)
            }
        } else if let type {
            if seen.insert("\(use.file)//\(type)/\(selector)/\(call.condition)").inserted {
                furtherCalls[use.file, default: []].append(call)
            }
        } else {
            remark(
                use,
                "the sources have no function \"\(target.name)\" that can be meant: this selector can be named, but "
                    + "not called here; write its type: #selector(Type.\(target.name))"
            )
        }
    }

    /// A body in the same file of the class that has the member.
    private func home(of target: SelectorTarget, _ use: Use) -> BodyPlace? {
        switch target.base {
        case .object: return nil
        case .enclosing:
            guard let body = use.body, index.body(body).isReachable else { return nil }
            return body
        case .type(let type):
            let around = index.bodies(around: use.expression.body, in: use.file)
            guard let full = index.type(type, inside: around.first?.path ?? "") else { return nil }
            return index.reachableBody(of: full, in: use.file)
        }
    }
}

extension TypeBody {
    /// The reason for which no call by name reaches its members; nil when one does.
    var obstacle: String? {
        if isLocal { return "belongs to a type inside a function" }
        if isGeneric, !isSpecialized { return "belongs to a type with type parameters or conditions" }
        if isolation == .otherActor { return "belongs to a type of another actor than the main one" }
        return isReachable ? nil : "belongs to no class"
    }
}
