// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The manifest of a Swift package, as SwiftPM evaluates it: the products and the targets, without their dependencies'.
///
/// Source: `swift package dump-package`, which runs the manifest's code and reaches no network.
struct PackageManifest {
    /// A part of a package that is compiled to a module.
    struct Target {
        let name: String
        /// `regular`, or a kind that is not compiled here, such as `binary`.
        let kind: String
        /// The folder from the package's own; `nil` means the usual one.
        let path: String?
        let excluded: [String]
        let resources: [String]
        /// The names of targets of the same package, or of products.
        let dependencies: [String]
        /// The conditions that hold in its sources.
        let conditions: [String]
    }

    let folder: URL
    /// The names of targets, by the names of products.
    let products: [String: [String]]
    let targets: [String: Target]
    let languageMode: String

    /// Has the manifest of a folder evaluated, which takes a second or two.
    ///
    /// The code of a manifest is anybody's: one that has no result within `limit` is an error.
    init(of folder: URL, within limit: Duration = .seconds(120)) throws(CommandError) {
        self.folder = folder
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("package-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        do {
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        } catch {
            throw CommandError("\(work.path): cannot be made: \(error.localizedDescription)")
        }
        let compiler = URL(fileURLWithPath: try ExtensionCompiler.onPath())
        let result = try ChildProgram(
            path: compiler.deletingLastPathComponent().appendingPathComponent("swift").path,
            arguments: [
                "package", "--package-path", folder.path, "--scratch-path", work.path, "dump-package",
            ],
            // What SwiftPM leaves behind when it is killed goes with the folder.
            environment: ["TMPDIR": work.path]
        ).run(within: limit)
        guard result.status != ChildProgram.outOfTime else {
            throw CommandError(
                "\(folder.path)/Package.swift: SwiftPM has not read the manifest within \(limit)",
                hint: "look what its code waits for, or name the module's sources with --module NAME=FOLDER"
            )
        }
        guard result.status == 0, let object = try? JSONObject(parsing: Array(result.output).span) else {
            throw CommandError(
                "\(folder.path)/Package.swift: SwiftPM cannot read the manifest, see above",
                hint: "mend it, or name the module's sources with --module NAME=FOLDER"
            )
        }
        var products: [String: [String]] = [:]
        for product in object["products"]?.array ?? [] {
            guard let name = product.object?["name"]?.string else { continue }
            products[name] = Self.texts(product.object?["targets"])
        }
        self.products = products
        var targets: [String: Target] = [:]
        for value in object["targets"]?.array ?? [] {
            guard let target = value.object, let name = target["name"]?.string else { continue }
            targets[name] = Target(
                name: name,
                kind: target["type"]?.string ?? "",
                path: target["path"]?.string,
                excluded: Self.texts(target["exclude"]),
                resources: (target["resources"]?.array ?? []).compactMap { $0.object?["path"]?.string },
                dependencies: (target["dependencies"]?.array ?? []).compactMap(Self.dependency),
                conditions: (target["settings"]?.array ?? []).compactMap { setting in
                    setting.object?["kind"]?.object?["define"]?.object?["_0"]?.string
                }
            )
        }
        self.targets = targets
        let modes = Self.texts(object["swiftLanguageVersions"])
        let tools = object["toolsVersion"]?.object?["_version"]?.string ?? "5"
        languageMode = (modes.isEmpty ? [tools] : modes).contains { $0.hasPrefix("6") } ? "6" : "5"
    }

    /// The name of a dependency on Apple's platforms or on all; `nil` for one of other platforms alone.
    private static func dependency(_ value: JSON) -> String? {
        for kind in ["byName", "product", "target"] {
            guard let parts = value.object?[kind]?.array, let name = parts.first?.string else { continue }
            let platforms = texts(parts.last?.object?["platformNames"])
            return platforms.isEmpty || platforms.contains("ios") ? name : nil
        }
        return nil
    }

    private static func texts(_ value: JSON?) -> [String] { (value?.array ?? []).compactMap(\.string) }
}
