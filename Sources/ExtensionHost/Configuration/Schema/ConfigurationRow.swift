// SPDX-License-Identifier: Apache-2.0

import Yams

/// A mapping of host.yaml: a value that has a row for each of its keys, and judges what no single key can tell.
///
/// A key is a row, and its value is a property. What a property is before anything is read is the key's default:
///
/// ```swift
/// struct Pause: ConfigurationMapping {
///     var length = Duration.seconds(3)
///
///     static var rows: [ConfigurationRow<Self>] {
///         ConfigurationRow("length", .duration, \.length, "How long the pause is.")
///     }
/// }
/// ```
protocol ConfigurationMapping: Equatable {
    /// Makes what holds where host.yaml says nothing.
    init()

    @ConfigurationRows<Self> static var rows: [ConfigurationRow<Self>] { get }

    /// Called once all keys are read, to refuse what does not go together and to make what follows from them.
    mutating func judge(_ section: ConfigurationSection<Self>) throws(ConfigurationFaults)
}

extension ConfigurationMapping {
    mutating func judge(_ section: ConfigurationSection<Self>) throws(ConfigurationFaults) {}
}

/// One key of host.yaml: how its value gets into the mapping, and what people are told of it.
struct ConfigurationRow<Mapping: ConfigurationMapping> {
    let description: KeyDescription
    /// The property that the key sets.
    let property: PartialKeyPath<Mapping>
    let isRequired: Bool
    /// The advice in the error about a missing required key; `nil` for none.
    let missingHint: String?
    let read: (Node, ConfigurationPlace, inout Mapping) throws(ConfigurationFaults) -> Void

    var name: String { description.name }

    /// A key whose property always has a value; `standard` is said in place of the property's own default, where that
    /// depends on other keys.
    init<Value: Equatable>(
        _ name: String,
        _ type: ConfigurationType<Value>,
        _ property: WritableKeyPath<Mapping, Value>,
        _ sentence: String,
        required: Bool = false,
        missing hint: String? = nil,
        standard: String? = nil,
        example: String? = nil,
        reload: Bool = false
    ) {
        let example = example ?? type.example
        isRequired = required
        missingHint = hint
        self.property = property
        read = { node, place, mapping throws(ConfigurationFaults) in
            mapping[keyPath: property] = try type.read(node, place)
        }
        description = KeyDescription(
            name: name,
            type: type.name,
            standard: {
                guard !required else { return nil }
                let text = type.text(Mapping()[keyPath: property])
                return standard ?? (["", "none"].contains(text) ? "none" : "`\(text)`")
            },
            sentence: sentence,
            example: example,
            isReloaded: reload,
            keys: type.keys,
            isList: type.isList,
            exampleIsAnotherValue: { place throws(ConfigurationFaults) in
                try type.read(KeyDescription.node(example), place) != Mapping()[keyPath: property]
            }
        )
    }

    /// A key whose property is nil where nothing is written; `standard` says what holds then.
    init<Value: Equatable>(
        _ name: String,
        _ type: ConfigurationType<Value>,
        _ property: WritableKeyPath<Mapping, Value?>,
        _ sentence: String,
        required: Bool = false,
        missing hint: String? = nil,
        standard: String = "none",
        example: String? = nil,
        reload: Bool = false
    ) {
        let optional = ConfigurationType<Value?>(
            type.name,
            example: type.example,
            text: { $0.map(type.text) ?? standard },
            read: { node, place throws(ConfigurationFaults) in try type.read(node, place) }
        )
        var typed = optional
        typed.keys = type.keys
        typed.isList = type.isList
        self.init(
            name,
            typed,
            property,
            sentence,
            required: required,
            missing: hint,
            standard: standard,
            example: example,
            reload: reload
        )
    }
}

/// Makes a list of rows, one statement a row.
@resultBuilder
enum ConfigurationRows<Mapping: ConfigurationMapping> {
    static func buildExpression(_ row: ConfigurationRow<Mapping>) -> [ConfigurationRow<Mapping>] { [row] }

    static func buildExpression(_ rows: [ConfigurationRow<Mapping>]) -> [ConfigurationRow<Mapping>] { rows }

    static func buildBlock(_ rows: [ConfigurationRow<Mapping>]...) -> [ConfigurationRow<Mapping>] {
        rows.flatMap(\.self)
    }
}

/// The description of a key for people.
struct KeyDescription {
    let name: String
    let type: String
    /// The value that holds without the key, as text; `nil` means that the key has to be there.
    let standard: () -> String?
    let sentence: String
    let example: String
    /// True if a running host takes a new value at SIGHUP.
    let isReloaded: Bool
    /// The keys of the mapping that the value is, or of each mapping in its list.
    let keys: () -> [KeyDescription]
    let isList: Bool
    /// Reads the example, for the test that holds examples and readers together.
    let exampleIsAnotherValue: (ConfigurationPlace) throws(ConfigurationFaults) -> Bool

    /// An example as the parser sees it.
    static func node(_ text: String) -> Node {
        (try? Yams.compose(yaml: text)).flatMap { $0 } ?? Node("")
    }
}
