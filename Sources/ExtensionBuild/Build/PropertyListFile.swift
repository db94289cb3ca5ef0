// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property list of a project: its values with build settings put in, and the lines where they stand.
struct PropertyListFile {
    let path: String
    let values: [String: Any]
    private let text: String

    init(path: String, settings: BuildSettings) throws(CommandError) {
        let data = try BundleFile.contents(of: path, atMost: BundleFile.propertyListByteCountLimit)
        self.path = path
        text = String(decoding: data, as: UTF8.self)
        let plist: Any
        do {
            plist = try PropertyList.value(of: data)
        } catch {
            throw error.commandError(in: path, what: "a property list")
        }
        guard let values = plist as? [String: Any] else {
            throw CommandError("\(path): a property list that is no dictionary", hint: "its outermost value is <dict>")
        }
        do throws(UnknownSetting) {
            self.values = try values.mapTypedValues { value throws(UnknownSetting) in
                try Self.expanded(value, settings)
            }
        } catch {
            throw Self.unknown(error, in: text, path: path)
        }
    }

    /// The line of a key's value, counted from 1; 1 when the key does not stand there as text.
    func line(of key: String) -> Int {
        guard let key = text.range(of: "<key>\(key)</key>") else { return 1 }
        let value = text[key.upperBound...].firstIndex { !$0.isWhitespace } ?? key.lowerBound
        return Self.line(at: value, in: text)
    }

    /// "FILE:LINE", for an error about the key.
    func place(of key: String) -> String {
        "\(path):\(line(of: key))"
    }

    private static func line(of part: String, in text: String) -> Int? {
        text.range(of: part).map { line(at: $0.lowerBound, in: text) }
    }

    private static func line(at place: String.Index, in text: String) -> Int {
        text[..<place].count { $0 == "\n" || $0 == "\r\n" } + 1
    }

    private static func expanded(_ value: Any, _ settings: BuildSettings) throws(UnknownSetting) -> Any {
        switch value {
        case let text as String: try settings.expand(text)
        case let list as [Any]: try list.mapTyped { element throws(UnknownSetting) in try expanded(element, settings) }
        case let dictionary as [String: Any]:
            try dictionary.mapTypedValues { element throws(UnknownSetting) in try expanded(element, settings) }
        default: value
        }
    }

    private static func unknown(_ error: UnknownSetting, in text: String, path: String) -> CommandError {
        let line = line(of: "(\(error.name)", in: text) ?? line(of: "{\(error.name)", in: text) ?? 1
        let hint =
            error.name == "PRODUCT_BUNDLE_IDENTIFIER"
            ? "say it with --identifier, the app's and one component more: com.example.chat.service"
            : "say it with --setting \(error.name)=VALUE"
        return CommandError("\(path):\(line): nothing says what $(\(error.name)) is", hint: hint)
    }
}

// `map` and `mapValues` that keep the type of what they throw.
extension Array {
    fileprivate func mapTyped<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
        var result: [T] = []
        for element in self { result.append(try transform(element)) }
        return result
    }
}

extension Dictionary {
    fileprivate func mapTypedValues<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> [Key: T] {
        var result: [Key: T] = [:]
        for (key, value) in self { result[key] = try transform(value) }
        return result
    }
}
