// SPDX-License-Identifier: Apache-2.0

import Yams

extension ConfigurationType where Value == [ConfiguredSink] {
    /// A list of words and of mappings with one key.
    static var sinks: Self {
        let element = ConfigurationType<ConfiguredSink>.sink
        var type = Self("list of sinks", example: "[stdout]", text: { $0.map(\.name).listed }) {
            node,
            place throws(ConfigurationFaults) in
            try list(of: element, in: node, place, atLeast: "a list of at least one sink")
        }
        type.keys = element.keys
        type.isList = true
        return type
    }
}

extension ConfigurationType where Value == ConfiguredSink {
    fileprivate static var sink: Self {
        let mapping = ConfigurationType<SinkMapping>.mapping { _, _ in "a sink" }
        var type = Self("sink", example: "stdout", text: \.name) { node, place throws(ConfigurationFaults) in
            if let word = node.scalar?.string {
                guard let kind = SinkKinds.all.first(where: { $0.isWord && $0.key == word }) else {
                    throw place.fault(
                        "name the unknown sink \"\(word)\"",
                        hint: "known sinks are \(SinkKinds.written)"
                    )
                }
                return ConfiguredSink(kind.init())
            }
            let written = try mapping.read(node, place)
            guard let sink = written.sinks.values.first, written.sinks.count == 1 else {
                throw place.fault("want one kind for each", hint: "begin each with a dash")
            }
            return sink
        }
        type.keys = mapping.keys
        return type
    }
}

extension ConfigurationType where Value == String {
    /// The name of a sink, in characters that labels, logs and tables can carry.
    static var sinkName: Self {
        text.checked("text of `a`-`z`, `0`-`9`, `-`") { name, place throws(ConfigurationFaults) in
            let known = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
            guard name.count <= 64, name.allSatisfy(known.contains) else {
                throw place.fault("must be at most 64 of a-z, 0-9 and -")
            }
        }
    }
}

extension ConfigurationType where Value == [String] {
    /// The topics whose records a remote sink takes.
    static var topics: Self {
        texts.checked("list of texts") { topics, place throws(ConfigurationFaults) in
            guard !topics.isEmpty else {
                throw place.emptyListFault("names no topic, so that no record would be sent")
            }
        }
    }
}

/// An element of `sinks` that is no word: one key, the kind.
private struct SinkMapping: ConfigurationMapping {
    var sinks: [String: ConfiguredSink] = [:]

    static var rows: [ConfigurationRow<Self>] {
        SinkKinds.all.filter { !$0.isWord }.map { row($0) }
    }

    private static func row<Kind: SinkDescription>(_ kind: Kind.Type) -> ConfigurationRow<Self> {
        let mapping = ConfigurationType<Kind>.mapping { _, _ in Kind.messageName }
        var type = mapping.map(mapping.name, text: { (_: ConfiguredSink) in "" }) {
            description,
            _ throws(ConfigurationFaults) in ConfiguredSink(description)
        }
        type.keys = mapping.keys
        return ConfigurationRow(kind.key, type, \.sinks[kind.key], kind.sentence)
    }
}
