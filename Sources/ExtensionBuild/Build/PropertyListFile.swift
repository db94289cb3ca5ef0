// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property list of a project: its values with build settings put in, and the lines where they stand.
struct PropertyListFile {
    let path: String
    let values: [String: Any]
    private let text: String

    /// The variables without a value, in the place of which there is nothing.
    let unknown: [String]

    /// A file whose variables all have values.
    init(path: String, settings: BuildSettings) throws(CommandError) {
        (text, unknown) = (try Self.text(of: path), [])
        self.path = path
        let plist = try Self.values(of: path)
        do throws(UnknownSetting) {
            values = try plist.mapTypedValues { value throws(UnknownSetting) in
                try Self.expanded(value) { text throws(UnknownSetting) in try settings.expand(text) }
            }
        } catch {
            throw Self.unknown(error, in: text, path: path)
        }
    }

    /// A file of a target of a project, with what its settings put over it.
    ///
    /// Variables without a value are empty, as in Xcode, and lists and dictionaries of the settings are joined to those
    /// of the file. Without a file there are the settings' values alone, whose place is `place`.
    init(path: String?, place: String, settings: BuildSettings, generated: [String: Any]) throws(CommandError) {
        text = if let path { try Self.text(of: path) } else { "" }
        self.path = path ?? place
        var plist = if let path { try Self.values(of: path) } else { [String: Any]() }
        plist.merge(generated) { own, new in
            switch (own, new) {
            case (let own as [Any], let new as [Any]): own + new
            case (let own as [String: Any], let new as [String: Any]): own.merging(new) { $1 }
            default: new
            }
        }
        var unknown: [String] = []
        values = plist.mapTypedValues { value in
            Self.expanded(value) { text in
                settings.expand(text) { variable in
                    if !unknown.contains(variable) { unknown.append(variable) }
                    return ""
                }
            }
        }
        self.unknown = unknown
    }

    private static func text(of path: String) throws(CommandError) -> String {
        String(
            decoding: try BundleFile.contents(of: path, atMost: BundleFile.propertyListByteCountLimit),
            as: UTF8.self
        )
    }

    private static func values(of path: String) throws(CommandError) -> [String: Any] {
        guard let values = try BundleFile.propertyList(at: path) as? [String: Any] else {
            throw CommandError("\(path): a property list that is no dictionary", hint: "its outermost value is <dict>")
        }
        return values
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

    /// Returns a value with its texts expanded.
    private static func expanded<Failure: Error>(
        _ value: Any,
        _ expand: (String) throws(Failure) -> String
    ) throws(Failure) -> Any {
        switch value {
        case let text as String: try expand(text)
        case let list as [Any]:
            try list.mapTyped { element throws(Failure) in try expanded(element, expand) }
        case let dictionary as [String: Any]:
            try dictionary.mapTypedValues { element throws(Failure) in try expanded(element, expand) }
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
