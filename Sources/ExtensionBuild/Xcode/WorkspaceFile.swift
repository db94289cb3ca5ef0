// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The projects of a workspace of Xcode, and the targets of a scheme: what its XML files name.
enum WorkspaceFile {
    private static let byteCountLimit = 4 << 20
    /// The tags that a file may have, and the depth to which they may be nested.
    private static let tagLimit = 100_000
    private static let depthLimit = 64

    /// Returns the projects that a workspace holds and that are on the disk, in its order.
    static func projects(of workspace: URL) throws(CommandError) -> [URL] {
        let file = workspace.appendingPathComponent("contents.xcworkspacedata")
        let folder = workspace.standardizedFileURL.deletingLastPathComponent()
        var groups: [URL] = [folder]
        var found: [URL] = []
        try read(file) { tag in
            if tag.kind == .end {
                if tag.name == "Group", groups.count > 1 { groups.removeLast() }
                return
            }
            let location = tag.attributes.first { $0.name == "location" }?.value ?? ""
            let parts = location.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard tag.name == "Group" || tag.name == "FileRef", parts.count == 2 else { return }
            let base = parts[0] == "group" ? groups[groups.count - 1] : folder
            let place =
                parts[1].hasPrefix("/")
                ? URL(fileURLWithPath: parts[1])
                : parts[1].isEmpty ? base : base.appendingPathComponent(parts[1])
            if tag.name == "Group", tag.kind == .start {
                groups.append(place)
            } else if place.pathExtension == "xcodeproj", FileManager.default.fileExists(atPath: place.path) {
                found.append(place.standardizedFileURL)
            }
        }
        return found
    }

    /// The schemes of projects and workspaces, by their names.
    static func schemes(of container: URL) -> [String: URL] {
        var folders = [container.appendingPathComponent("xcshareddata/xcschemes")]
        let people = container.appendingPathComponent("xcuserdata")
        for person in ((try? FileManager.default.contentsOfDirectory(atPath: people.path)) ?? []).sorted() {
            folders.append(people.appendingPathComponent("\(person)/xcschemes"))
        }
        var found: [String: URL] = [:]
        for folder in folders {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            where name.hasSuffix(".xcscheme") {
                let scheme = String(name.dropLast(".xcscheme".count))
                found[scheme] = found[scheme] ?? folder.appendingPathComponent(name)
            }
        }
        return found
    }

    /// Returns the identifiers of the targets that a scheme builds.
    static func targets(ofScheme file: URL) throws(CommandError) -> [String] {
        var found: [String] = []
        try read(file) { tag in
            guard tag.name == "BuildableReference", tag.kind != .end else { return }
            if let id = tag.attributes.first(where: { $0.name == "BlueprintIdentifier" })?.value { found.append(id) }
        }
        return found
    }

    /// Reads the tags of a file from front to back.
    private static func read(_ file: URL, _ take: (XMLScanner.Tag) -> Void) throws(CommandError) {
        let data = try BundleFile.contents(of: file.path, atMost: byteCountLimit)
        do throws(PropertyList.Mistake) {
            var scanner = XMLScanner(try PropertyListText.utf8(of: data))
            var (count, depth) = (0, 0)
            try scanner.skipBetween()
            while !scanner.isAtEnd {
                let tag = try scanner.tag()
                count += 1
                depth += tag.kind == .start ? 1 : tag.kind == .end ? -1 : 0
                guard count <= tagLimit, depth <= depthLimit else {
                    throw scanner.mistake(
                        "it has more than \(tagLimit) tags, or more than \(depthLimit) in one another"
                    )
                }
                take(tag)
                try scanner.skipBetween()
            }
        } catch {
            throw CommandError(
                "\(error.line.map { "\(file.path):\($0)" } ?? file.path): not a file of Xcode: \(error.reason)",
                hint: "open it in Xcode and save it again"
            )
        }
    }
}
