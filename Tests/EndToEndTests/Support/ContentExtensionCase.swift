// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// An iOS content extension of Tests/ContentExtensions, and the ways in which its view is tried.
struct ContentExtensionCase: Sendable, CustomStringConvertible {
    /// The name of the extension's folder.
    let name: String
    /// The names of the folders that say what is tried: "Weather.steps", "Weather.dark.steps".
    let trials: [String]

    private static let folder = Programs.root + "/Tests/ContentExtensions"
    /// With `REWRITE_SCENES=1` what comes out becomes what is expected.
    private static let rewrites = ProcessInfo.processInfo.environment["REWRITE_SCENES"] == "1"

    var description: String { name }

    /// The extension's folder.
    var path: String { Self.folder + "/" + name }

    /// Every extension of the folder, in the order of their names; with `CONTENT_EXTENSIONS=A,B` those alone.
    static func all() throws -> [ContentExtensionCase] {
        let chosen = ProcessInfo.processInfo.environment["CONTENT_EXTENSIONS"]?.split(separator: ",").map(String.init)
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
                && isFolder.boolValue
        }
        return folders.filter { !$0.contains(".") && chosen?.contains($0) ?? true }.map { name in
            ContentExtensionCase(
                name: name,
                trials: folders.filter { $0.hasPrefix(name + ".") && $0.hasSuffix(".steps") }
            )
        }
    }

    /// Builds the extension into a bundle.
    func build(in folder: TemporaryFolder) async throws -> (bundle: String, result: CommandResult) {
        let bundle = folder.path + "/\(name).appex"
        let result = try await CommandResult.run(Programs.extensionHost, ["build", path, "-o", bundle])
        return (bundle, result)
    }

    /// Opens the view as a trial says, and returns each difference from what is expected, a sentence each.
    func differences(of trial: String, bundle: String, in folder: TemporaryFolder) async throws -> [String] {
        let place = Self.folder + "/" + trial
        let file = folder.path + "/\(trial).json"
        var environment = ProcessInfo.processInfo.environment
        environment["TZ"] = "UTC"
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["view", bundle, place + "/payload.json", "--scene", file] + Self.arguments(of: place),
            environment: environment
        )
        var differences = try Self.compare(result.output, with: place + "/scene.txt")
        let frames: String
        do { frames = try SceneOutline(of: file).text } catch { frames = "no scene: \(error)\n" }
        differences += try Self.compare(frames, with: place + "/frames.txt")
        let said = result.errors.split(separator: "\n").map(String.init)
        let notices = said.compactMap(Self.notice)
        differences += try Self.compare(
            notices.map { $0 + "\n" }.joined(),
            with: place + "/notices.txt",
            mayBeMissing: true
        )
        if result.status != 0 || notices.count != said.count {
            differences.append("view ended with \(result.status) and said: \(result.errors)")
        }
        return differences.map { "\(trial): \($0)" }
    }

    /// Returns the words of a line of the log that says something in the extension's name; nil for another line.
    private static func notice(_ line: String) -> String? {
        guard let start = line.range(of: "worker.line="), let end = line.range(of: " worker.pid=", options: .backwards)
        else { return nil }
        return String(line[start.upperBound..<end.lowerBound])
    }

    /// The options of a trial, a line each.
    ///
    /// The value stands behind the first space; `$STEPS` in it is the trial's folder.
    private static func arguments(of place: String) throws -> [String] {
        let file = place + "/arguments"
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .flatMap { $0.split(separator: " ", maxSplits: 1).map { String($0).replacing("$STEPS", with: place) } }
    }

    /// Compares a text with that of a file, which is written anew where expectations are rewritten.
    ///
    /// A file that may be missing stands for the empty text where it is missing.
    private static func compare(_ text: String, with file: String, mayBeMissing: Bool = false) throws -> [String] {
        let exists = FileManager.default.fileExists(atPath: file)
        if mayBeMissing, text.isEmpty, !exists { return [] }
        if rewrites {
            if mayBeMissing, text.isEmpty {
                try FileManager.default.removeItem(atPath: file)
            } else {
                try text.write(toFile: file, atomically: true, encoding: .utf8)
            }
            return []
        }
        let name = URL(fileURLWithPath: file).lastPathComponent
        guard let expected = try? String(contentsOfFile: file, encoding: .utf8) else {
            return ["\(name) is missing: REWRITE_SCENES=1 writes it"]
        }
        guard text != expected else { return [] }
        let (lines, others) = (text.components(separatedBy: "\n"), expected.components(separatedBy: "\n"))
        let place = zip(lines, others).prefix { $0 == $1 }.count
        let seen = place < lines.count ? lines[place] : ""
        let wanted = place < others.count ? others[place] : ""
        return ["line \(place + 1) of \(name) is \"\(wanted)\", but it came as \"\(seen)\"; all that came:\n\(text)"]
    }
}

/// The nodes of a scene, a line each, indented by their depth: kind, frame, name, and all else that the node says.
struct SceneOutline {
    private(set) var text: String
    private let children: [Int: [[String: Any]]]

    /// The members that a line has in its beginning, or that the order of the lines says.
    private static let told: Set = ["id", "k", "up", "f", "c"]
    private static let names = ["label", "title", "text", "value", "placeholder", "titles"]

    /// Reads a scene that `extension-host view --scene` wrote.
    init(of file: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let scene = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        let nodes = scene["set"] as? [[String: Any]] ?? []
        let parts = ["size \(Self.numbers(scene["size"]))"] + Self.members(of: scene, without: ["size", "set"])
        text = parts.joined(separator: " ") + "\n"
        children = Dictionary(grouping: nodes) { ($0["up"] as? NSNumber)?.intValue ?? 0 }
        write(below: 0, indent: "")
    }

    private mutating func write(below parent: Int, indent: String) {
        for node in children[parent] ?? [] {
            let name = Self.names.first { node[$0] != nil }
            let frame = Self.numbers(node["f"])
            let parts = [
                node["k"] as? String, frame.isEmpty ? nil : frame, name.map { "\"\(Self.word(node[$0]))\"" },
            ]
            let others = Self.members(of: node, without: Self.told.union(name.map { [$0] } ?? []))
            text += indent + (parts.compactMap(\.self) + others).joined(separator: " ") + "\n"
            if let id = (node["id"] as? NSNumber)?.intValue { write(below: id, indent: indent + "  ") }
        }
    }

    /// Members as "key=value", in the order of their keys.
    private static func members(of object: [String: Any], without known: Set<String>) -> [String] {
        object.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map { key, value in
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            let json = try? JSONSerialization.data(withJSONObject: value, options: options)
            return "\(key)=\(json.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)")"
        }
    }

    private static func numbers(_ value: Any?) -> String {
        (value as? [NSNumber] ?? []).map { "\($0)" }.joined(separator: " ")
    }

    private static func word(_ value: Any?) -> String {
        let text = (value as? [Any]).map { $0.map { "\($0)" }.joined(separator: "|") } ?? value.map { "\($0)" } ?? ""
        return text.replacing("\n", with: "\\n")
    }
}
