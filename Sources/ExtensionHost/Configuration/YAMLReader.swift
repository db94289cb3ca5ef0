// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Yams

/// A mapping of a YAML file that knows its line, and refuses keys nobody asked for.
struct YAMLMapping {
    /// As messages name it.
    let file: String
    /// As messages name it: `app "com.example.chat"`.
    let name: String
    private let line: Int
    private let values: [String: Node]

    init(_ node: Node, file: String, name: String, keys known: [String]) throws(CommandError) {
        self.file = file
        self.name = name
        line = node.mark?.line ?? 1
        guard case .mapping(let mapping) = node else {
            throw CommandError("\(file):\(line): \(name) must be a mapping")
        }
        var values: [String: Node] = [:]
        for (key, value) in mapping {
            let keyLine = key.mark?.line ?? line
            guard let text = key.string, known.contains(text) else {
                throw CommandError(
                    "\(file):\(keyLine): unknown key \"\(key.string ?? "?")\" in \(name)",
                    hint: "known keys are \(known.joined(separator: ", "))"
                )
            }
            guard values.updateValue(value, forKey: text) == nil else {
                throw CommandError("\(file):\(keyLine): key \"\(text)\" stands twice in \(name)")
            }
        }
        self.values = values
    }

    func node(_ key: String) -> Node? { values[key] }

    func error(_ key: String, _ what: String, hint: String? = nil) -> CommandError {
        CommandError("\(file):\(values[key]?.mark?.line ?? line): \(key) of \(name) \(what)", hint: hint)
    }

    func string(_ key: String) throws(CommandError) -> String? {
        guard let node = values[key] else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else { throw error(key, "must be text") }
        return text
    }

    func requiredString(_ key: String) throws(CommandError) -> String {
        guard let text = try string(key) else { throw error(key, "is missing") }
        return text
    }

    func strings(_ key: String) throws(CommandError) -> [String]? {
        guard let node = values[key] else { return nil }
        guard let sequence = node.sequence else { throw error(key, "must be a list") }
        var strings: [String] = []
        for element in sequence {
            guard let text = element.scalar?.string else { throw error(key, "must be a list of texts") }
            strings.append(text)
        }
        return strings
    }

    func bool(_ key: String) throws(CommandError) -> Bool? {
        guard let text = try string(key) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default: throw error(key, "must be true or false")
        }
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = try string(key) else { return nil }
        guard let integer = Int(text), range.contains(integer) else {
            throw error(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        of type: Choice.Type
    ) throws(CommandError) -> Choice? {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw error(key, "is \"\(text)\", not one of \(names)")
        }
        return choice
    }

    func duration(_ key: String) throws(CommandError) -> Duration? {
        guard let text = try string(key) else { return nil }
        guard let duration = Duration(amount: text) else {
            throw error(key, "is \"\(text)\", not a duration", hint: "write 500ms, 30s or 2m")
        }
        return duration
    }

    func byteCount(_ key: String) throws(CommandError) -> UInt64? {
        guard let text = try string(key) else { return nil }
        guard let count = UInt64(byteAmount: text) else {
            throw error(key, "is \"\(text)\", not a size", hint: "write 24MB or 512KB")
        }
        return count
    }

    /// A path, taken from the folder of the file when it is relative.
    func path(_ key: String) throws(CommandError) -> String? {
        try string(key).map { absolutePath($0) }
    }

    func paths(_ key: String) throws(CommandError) -> [String]? {
        try strings(key)?.map { absolutePath($0) }
    }

    private func absolutePath(_ path: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: file).deletingLastPathComponent())
            .standardizedFileURL.path
    }
}

extension Duration {
    /// `500ms`, `30s`, `2m`: digits and a unit; more than zero.
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
}

extension UInt64 {
    /// `512KB`, `24MB`, `1GB`, in powers of 1024; more than zero.
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
}
