// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// The parsed content of host.yaml, before any key is interpreted.
struct ConfigurationDocument: Equatable, Sendable {
    /// The file's name in messages.
    let file: String
    let content: ConfigurationValue

    /// Reads the file, and hands out what the parser found beside what is kept of it.
    static func read(_ file: String) throws(CommandError) -> (document: ConfigurationDocument, root: Node) {
        guard let root = try root(of: try text(of: file), in: file) else {
            throw CommandError("\(file): the file is empty", hint: "docs/operate.md shows a host.yaml")
        }
        return (ConfigurationDocument(file: file, content: ConfigurationValue(root)), root)
    }

    /// Returns what the parser makes of a text; `nil` for one that holds nothing.
    static func root(of text: String, in file: String) throws(CommandError) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch {
            throw (error as? YamlError)?.commandError(in: file) ?? CommandError("\(file): not YAML")
        }
    }

    private static func text(of file: String) throws(CommandError) -> String {
        let data = try NamedFile.contents(of: file, hint: hint)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandError("\(file): not UTF-8", hint: "write the file again, as text in UTF-8")
        }
        return text
    }

    private static func hint(_ code: Int32) -> String? {
        switch code {
        case ENOENT, ENOTDIR: "name the configuration; a relative path starts in the folder of the command"
        case EISDIR: "name the file in it, host.yaml for example"
        case EACCES: "the user of the host has to be able to read it, and to pass its folders"
        case _: nil
        }
    }

    /// The number of apps in the file itself, without those of the registry.
    var appCount: Int {
        guard case .mapping(let keys) = content, case .list(let apps)? = keys["apps"] else { return 0 }
        return apps.count
    }
}

/// A value of a configuration with its keys' values in it; how it was written, its comments and its order are gone.
enum ConfigurationValue: Equatable, Sendable {
    case text(String)
    case list([ConfigurationValue])
    case mapping([String: ConfigurationValue])

    init(_ node: Node) {
        switch node {
        case .scalar(let scalar): self = .text(scalar.string)
        case .sequence(let sequence): self = .list(sequence.map { ConfigurationValue($0) })
        case .mapping(let mapping):
            self = .mapping(
                mapping.reduce(into: [:]) { $0[$1.key.string ?? "?"] = ConfigurationValue($1.value) }
            )
        case .alias(let alias): self = .text("*\(alias.anchor.rawValue)")
        }
    }

    /// The keys whose values are not the same in both, by their paths: `listen.apns.port`,
    /// `apps["com.example.chat"].budget`; one that stands above where all of it is new or gone.
    ///
    /// No list of keys is asked, so that a key cannot be forgotten. Values are not told.
    static func differences(_ old: ConfigurationValue?, _ new: ConfigurationValue?, at path: String = "") -> [String] {
        switch (old, new) {
        case (.mapping(let old), .mapping(let new)):
            return keys(old, new).flatMap { key in
                differences(old[key], new[key], at: path.isEmpty ? key : "\(path).\(key)")
            }
        case (.list(let old), .list(let new)):
            guard let before = named(old), let after = named(new) else { return old == new ? [] : [path] }
            let found = keys(before, after).flatMap { name in
                differences(before[name], after[name], at: "\(path)[\"\(name)\"]")
            }
            return found.isEmpty && old != new ? [path] : found
        default:
            return old == new ? [] : [path]
        }
    }

    private static func keys(_ old: [String: ConfigurationValue], _ new: [String: ConfigurationValue]) -> [String] {
        Set(old.keys).union(new.keys).sorted()
    }

    /// The elements by their topics or names; nil where one has neither, or two have the same.
    private static func named(_ list: [ConfigurationValue]) -> [String: ConfigurationValue]? {
        var elements: [String: ConfigurationValue] = [:]
        for element in list {
            guard case .mapping(let keys) = element, case .text(let name)? = keys["topic"] ?? keys["name"],
                elements.updateValue(element, forKey: name) == nil
            else { return nil }
        }
        return elements
    }
}

extension YamlError {
    /// The error with file, place and problem, without the text around it.
    func commandError(in file: String) -> CommandError {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            CommandError(
                "\(file):\(mark.line): not YAML: \(problem)",
                hint: "look at the line and the one before it: spaces alone set in, and a text with : or # has quotes"
            )
        case .duplicatedKeysInMapping(let keys, let context):
            // The mark is that of the first key in the order of the alphabet, where it stands for the first time.
            CommandError(
                "\(file):\(context.mark.line): key \"\(keys.first ?? "?")\" stands twice in one mapping",
                hint: "keep one of the two; YAML has no rule which of them counts"
            )
        case .reader(let problem, _, _, _): CommandError("\(file): not YAML: \(problem)")
        default: CommandError("\(file): not YAML")
        }
    }
}
