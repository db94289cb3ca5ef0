// SPDX-License-Identifier: Apache-2.0

import Yams

/// A mapping as it stands in host.yaml, with its lines; it is read by the rows of `Mapping` and in no other way.
struct ConfigurationSection<Mapping: ConfigurationMapping> {
    /// The file as messages name it.
    let file: String
    /// The mapping as messages name it: `app "com.example.chat"`.
    let name: String
    let scope: ReadingScope
    private let line: Int
    private let node: Node
    private let values: [String: Node]
    private let rows: [ConfigurationRow<Mapping>]
    /// Keys that have no row, or stand twice.
    private let strangeKeys: ConfigurationFaults

    init(
        _ node: Node,
        file: String,
        name: String,
        scope: ReadingScope = .start
    ) throws(ConfigurationFaults) {
        self.file = file
        self.name = name
        self.scope = scope
        self.node = node
        let line = node.mark?.line ?? 1
        self.line = line
        guard case .mapping(let mapping) = node else {
            throw ConfigurationFaults(line: line, CommandError("\(file):\(line): \(name) must be a mapping"))
        }
        rows = Mapping.rows
        let known = rows.map(\.name)
        var values: [String: Node] = [:]
        var strange = ConfigurationFaults()
        for (key, value) in mapping {
            let place = "\(file):\(key.mark?.line ?? line): "
            let error: CommandError
            if let text = key.string, known.contains(text) {
                if values.updateValue(value, forKey: text) == nil { continue }
                error = CommandError("\(place)key \"\(text)\" stands twice in \(name)")
            } else {
                let text = key.string ?? "?"
                let guess = NearestName.of(text, among: known).map { "did you mean \"\($0)\"? " } ?? ""
                error = CommandError(
                    "\(place)unknown key \"\(text)\" in \(name)",
                    hint: "\(guess)known keys are \(known.joined(separator: ", "))"
                )
            }
            strange.add(ConfigurationFaults(line: key.mark?.line ?? line, error))
        }
        self.values = values
        strangeKeys = strange
    }

    /// Refuses keys that the schema does not have.
    func checkKeys() throws(ConfigurationFaults) {
        try strangeKeys.check()
    }

    /// Reads every key, then judges the whole; what is wrong with several keys is told of all of them.
    func read() throws(ConfigurationFaults) -> Mapping {
        var mapping = Mapping()
        var faults = strangeKeys
        for row in rows {
            do throws(ConfigurationFaults) { try read(row, into: &mapping) } catch { faults.add(error) }
        }
        try faults.check()
        try mapping.judge(self)
        return mapping
    }

    private func read(
        _ row: ConfigurationRow<Mapping>,
        into mapping: inout Mapping
    ) throws(ConfigurationFaults) {
        guard let value = values[row.name] else {
            // A misspelt key is missing too, and told of once.
            guard row.isRequired, strangeKeys.isEmpty else { return }
            throw place(of: row).fault("is missing", hint: row.missingHint)
        }
        try row.read(value, place(of: row), &mapping)
    }

    // MARK: single keys, by their properties

    /// Tells whether the key of a property is written.
    func has(_ property: PartialKeyPath<Mapping>) -> Bool {
        values[row(of: property).name] != nil
    }

    /// Says what is wrong with the key of a property.
    func fault(_ property: PartialKeyPath<Mapping>, _ what: String, hint: String? = nil) -> ConfigurationFaults {
        place(of: property).fault(what, hint: hint)
    }

    func place(of property: PartialKeyPath<Mapping>) -> ConfigurationPlace {
        place(of: row(of: property))
    }

    /// The mapping that is the value of a key; `nil` means that the key is not written.
    func section<Part: ConfigurationMapping>(
        of property: PartialKeyPath<Mapping>,
        as type: Part.Type
    ) throws(ConfigurationFaults) -> ConfigurationSection<Part>? {
        let row = row(of: property)
        guard let value = values[row.name] else { return nil }
        return try ConfigurationSection<Part>(value, file: file, name: row.name, scope: scope)
    }

    private func place(of row: ConfigurationRow<Mapping>) -> ConfigurationPlace {
        ConfigurationPlace(
            file: file,
            mapping: name,
            key: row.name,
            line: values[row.name]?.mark?.line ?? line,
            neighbours: node,
            scope: scope
        )
    }

    private func row(of property: PartialKeyPath<Mapping>) -> ConfigurationRow<Mapping> {
        guard let row = rows.first(where: { $0.property == property }) else {
            preconditionFailure("no row sets \(property)")
        }
        return row
    }
}

// MARK: mappings as values

extension ConfigurationType where Value: ConfigurationMapping {
    /// A mapping that messages call by its key, or by another name.
    static func mapping(
        named name: @escaping (Node, ConfigurationPlace) -> String = { $1.key }
    ) -> Self {
        var type = Self("mapping", example: "{}", text: { _ in "" }) { node, place throws(ConfigurationFaults) in
            let name = name(node, place)
            return try ConfigurationSection<Value>(node, file: place.file, name: name, scope: place.scope).read()
        }
        type.keys = { Value.rows.map(\.description) }
        return type
    }
}

extension ConfigurationType {
    /// A list of mappings, each of which messages call by a name of its own.
    ///
    /// With `atLeast` an empty list is refused in these words.
    static func mappings<Element: ConfigurationMapping>(
        atLeast words: String? = nil,
        named name: @escaping (Node, ConfigurationPlace) -> String
    ) -> ConfigurationType<[Element]> where Value == [Element] {
        let element = ConfigurationType<Element>.mapping(named: name)
        var type = Self("list of mappings", example: "[]", text: { _ in "none" }) {
            node,
            place throws(ConfigurationFaults) in
            try list(of: element, in: node, place, atLeast: words)
        }
        type.keys = element.keys
        type.isList = true
        return type
    }

    /// Reads each element, so that what is wrong with several is told of all of them.
    static func list<Element: Equatable>(
        of type: ConfigurationType<Element>,
        in node: Node,
        _ place: ConfigurationPlace,
        atLeast words: String? = nil
    ) throws(ConfigurationFaults) -> [Element] {
        guard let nodes = node.sequence else { throw place.fault(words.map { "must be \($0)" } ?? "must be a list") }
        if let words, nodes.isEmpty { throw place.fault("must be \(words)") }
        var elements: [Element] = []
        var faults = ConfigurationFaults()
        for node in nodes {
            do throws(ConfigurationFaults) {
                elements.append(try type.read(node, place))
            } catch {
                faults.add(error)
            }
        }
        try faults.check()
        return elements
    }
}
