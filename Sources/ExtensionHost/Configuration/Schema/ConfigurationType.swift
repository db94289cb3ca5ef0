// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// The type of a key's value: the reader, the writer, and the name of the type for people.
struct ConfigurationType<Value: Equatable> {
    /// The kind of value, with bounds or allowed words: `number, 1 to 512`.
    let name: String
    /// A value as host.yaml may have it.
    let example: String
    let text: (Value) -> String
    let read: (Node, ConfigurationPlace) throws(ConfigurationFaults) -> Value
    /// The keys of a mapping, or of each mapping of a list; empty for every other kind.
    var keys: () -> [KeyDescription] = { [] }
    var isList = false

    init(
        _ name: String,
        example: String,
        text: @escaping (Value) -> String,
        read: @escaping (Node, ConfigurationPlace) throws(ConfigurationFaults) -> Value
    ) {
        self.name = name
        self.example = example
        self.text = text
        self.read = read
    }

    /// A kind whose values are made of this kind's.
    func map<Other: Equatable>(
        _ name: String,
        example: String? = nil,
        text: @escaping (Other) -> String,
        _ convert: @escaping (Value, ConfigurationPlace) throws(ConfigurationFaults) -> Other
    ) -> ConfigurationType<Other> {
        ConfigurationType<Other>(name, example: example ?? self.example, text: text) {
            [read] node, place throws(ConfigurationFaults) in
            try convert(try read(node, place), place)
        }
    }

    /// The same kind with a further condition.
    func checked(
        _ name: String,
        example: String? = nil,
        _ check: @escaping (Value, ConfigurationPlace) throws(ConfigurationFaults) -> Void
    ) -> Self {
        map(name, example: example, text: text) { value, place throws(ConfigurationFaults) in
            try check(value, place)
            return value
        }
    }
}

// MARK: one value

extension ConfigurationType where Value == String {
    static var text: Self {
        Self("text", example: "words", text: { $0 }) { node, place throws(ConfigurationFaults) in
            guard let text = node.scalar?.string, !text.isEmpty else { throw place.fault("must be text") }
            return text
        }
    }

    /// The path is absolute once it is read.
    static var path: Self {
        text.map("path", example: "./file", text: { $0 }) { path, place throws(ConfigurationFaults) in
            place.absolute(path)
        }
    }
}

extension ConfigurationType where Value == Bool {
    static var flag: Self {
        ConfigurationType<String>.text.map("`true` or `false`", example: "true", text: { "\($0)" }) {
            text,
            place throws(ConfigurationFaults) in
            switch text {
            case "true": return true
            case "false": return false
            default: throw place.fault("must be true or false")
            }
        }
    }
}

extension ConfigurationType where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let name = "number, \(range.lowerBound) to \(range.upperBound)"
        return ConfigurationType<String>.text.map(name, example: "\(range.lowerBound)", text: { "\($0)" }) {
            text,
            place throws(ConfigurationFaults) in
            guard let integer = Int(text), range.contains(integer) else {
                throw place.fault("must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return integer
        }
    }
}

extension ConfigurationType {
    /// A number with its unit: what it is called, how it is written and read, and what is said of anything else.
    private static func amount(
        _ name: (text: String, example: String),
        text: @escaping (Value) -> String,
        read: @escaping (String) -> Value?,
        _ wanted: (noun: String, hint: String)
    ) -> Self {
        ConfigurationType<String>.text.map(name.text, example: name.example, text: text) {
            text,
            place throws(ConfigurationFaults) in
            guard let value = read(text) else {
                throw place.fault("is \"\(text)\", not \(wanted.noun)", hint: wanted.hint)
            }
            return value
        }
    }
}

extension ConfigurationType where Value == Duration {
    static var duration: Self {
        amount(
            ("duration: `500ms`, `30s`, `2m`", example: "45s"),
            text: \.amount,
            read: Duration.init(amount:),
            ("a duration", hint: "write 500ms, 30s or 2m")
        )
    }
}

extension ConfigurationType where Value == UInt64 {
    static var byteCount: Self {
        amount(
            ("size: `512KB`, `24MB`, `1GB`", example: "32MB"),
            text: \.byteAmount,
            read: UInt64.init(byteAmount:),
            ("a size", hint: "write 24MB or 512KB")
        )
    }

    /// A size, or nothing at all.
    static var byteCountOrNone: Self {
        let size = byteCount
        return Self(size.name + ", or `0`", example: size.example, text: size.text) {
            node,
            place throws(ConfigurationFaults) in
            node.scalar?.string == "0" ? 0 : try size.read(node, place)
        }
    }
}

extension ConfigurationType where Value: RawRepresentable<String> & CaseIterable {
    /// One of the type's words.
    static var choice: Self {
        let names = Value.allCases.map(\.rawValue)
        let example = names.last ?? ""
        return ConfigurationType<String>.text.map(names.quoted, example: example, text: \.rawValue) {
            text,
            place throws(ConfigurationFaults) in
            guard let choice = Value(rawValue: text) else {
                throw place.fault("is \"\(text)\", not one of \(names.joined(separator: ", "))")
            }
            return choice
        }
    }
}

// MARK: lists of texts

extension ConfigurationType where Value == [String] {
    static var texts: Self {
        Self("list of texts", example: "[words]", text: \.listed) { node, place throws(ConfigurationFaults) in
            guard let sequence = node.sequence else { throw place.fault("must be a list") }
            var texts: [String] = []
            for element in sequence {
                guard let text = element.scalar?.string else { throw place.fault("must be a list of texts") }
                texts.append(text)
            }
            return texts
        }
    }

    /// The paths are absolute once they are read.
    static var paths: Self {
        texts.map("list of paths", example: "[./file]", text: \.listed) { paths, place throws(ConfigurationFaults) in
            paths.map { place.absolute($0) }
        }
    }
}

extension Array where Element == String {
    /// The texts as a list of host.yaml.
    var listed: String { isEmpty ? "none" : "[\(joined(separator: ", "))]" }

    /// The words as alternatives in a document.
    fileprivate var quoted: String {
        let words = map { "`\($0)`" }
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

// MARK: amounts

extension Duration {
    /// Reads `500ms`, `30s`, `2m`: digits and a unit; more than zero.
    init?(amount text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let amount = Int64(digits), amount > 0, amount <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(amount)
        case "s": self = .seconds(amount)
        case "m": self = .seconds(amount * 60)
        default: return nil
        }
    }

    /// The duration as `init(amount:)` reads it, to the millisecond.
    var amount: String {
        let (seconds, attoseconds) = components
        guard attoseconds == 0 else { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
        return seconds >= 120 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}

extension UInt64 {
    /// Reads `512KB`, `24MB`, `1GB`, in powers of 1024; more than zero.
    init?(byteAmount text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let amount = UInt64(digits), amount > 0, amount <= 1_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "KB": self = amount << 10
        case "MB": self = amount << 20
        case "GB": self = amount << 30
        default: return nil
        }
    }

    /// The size as `init(byteAmount:)` reads it, to the KB.
    var byteAmount: String {
        for (shift, unit) in [(30, "GB"), (20, "MB")] as [(UInt64, String)] where self >= 1 << shift {
            if self % (1 << shift) == 0 { return "\(self >> shift)\(unit)" }
        }
        return "\(self >> 10)KB"
    }
}
