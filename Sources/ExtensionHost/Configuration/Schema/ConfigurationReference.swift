// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The schema of host.yaml as people and programs read it.
enum ConfigurationReference {
    /// One line a key.
    static func list(_ keys: [HostSchema.Key]) -> String {
        let width = keys.map(\.path.count).max() ?? 0
        return keys.map { key in
            let name = key.path.padding(toLength: width, withPad: " ", startingAt: 0)
            return "\(name)  \(key.description.sentence.plain)"
        }.joined(separator: "\n")
    }

    /// Everything that is known of each key.
    static func text(_ keys: [HostSchema.Key]) -> String {
        keys.map { key in
            let description = key.description
            var lines = [key.path, "  \(description.sentence.plain)", "  type     \(description.type.plain)"]
            lines.append("  default  \(description.default.plain)")
            if description.keys().isEmpty { lines.append("  example  \(description.name): \(description.example)") }
            lines.append("  SIGHUP   \(key.reload)")
            let parts = description.keys().map(\.name)
            if !parts.isEmpty { lines.append("  keys     \(parts.joined(separator: ", "))") }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// A line that a program reads.
    static func json(_ key: HostSchema.Key) -> String {
        let description = key.description
        let object: JSONObject = [
            "key": .string(key.path), "type": .string(description.type.plain),
            "default": .string(description.default.plain), "example": .string(description.example),
            "reload": .bool(key.isReloaded), "sentence": .string(description.sentence.plain),
        ]
        return String(decoding: object.serialized, as: UTF8.self)
    }

    // MARK: docs/host.yaml.md

    /// The page docs/host.yaml.md, byte by byte.
    static var page: String {
        var page = """
            # host.yaml, key by key

            `extension-host config explain --format markdown` writes this page from the schema that the host reads by, and
            a test compares the two. `extension-host config explain KEY` says the same of one key, and
            `extension-host config check FILE` judges a file without starting a host.

            * A path is taken from the folder of the file when it is relative.
            * A duration is digits with `ms`, `s` or `m`; a size is digits with `KB`, `MB` or `GB`, in powers of 1024.
            * The column SIGHUP says whether a running host takes a new value at `kill -HUP`. What it does not take counts
              from the next start on, and the host's log names it.
            * A key that is not in these tables is an error, with its line and the nearest name.


            """
        let keys = HostSchema.keys
        var mappings: [String] = []
        for key in keys where mappings.last != key.mapping && !mappings.contains(key.mapping) {
            mappings.append(key.mapping)
        }
        page += mappings.map { mapping in
            table(mapping, keys.filter { $0.mapping == mapping })
        }.joined(separator: "\n")
        return page
    }

    private static func table(_ mapping: String, _ keys: [HostSchema.Key]) -> String {
        var lines = ["## \(mapping.isEmpty ? "The file" : "`\(mapping)`")", ""]
        lines.append("| key | type | default | example | SIGHUP | meaning |")
        lines.append("|---|---|---|---|---|---|")
        for key in keys {
            let description = key.description
            let example = description.keys().isEmpty ? "`\(description.example)`" : "–"
            let cells = [
                "`\(description.name)`", description.type, description.default, example,
                key.isReloaded ? "yes" : "no", description.sentence,
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension KeyDescription {
    /// The value that holds without the key, or the word `required`.
    fileprivate var `default`: String { standard() ?? "required" }
}

extension HostSchema.Key {
    fileprivate var reload: String {
        isReloaded ? "a running host takes a new value" : "a new value counts from the next start on"
    }
}

extension String {
    /// Without the marks of Markdown.
    fileprivate var plain: String { filter { $0 != "`" } }
}
