// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds the target of a project of Xcode that a person means by the paths of a build.
enum ProjectSearch {
    /// The folders above an extension's in which its project is looked for.
    private static let climbLimit = 4

    /// Returns the target; `nil` means that files and folders are built as they are.
    ///
    /// A folder stands for the one project in it, or for the target of a project above whose files lie in it.
    static func target(for sources: [String], _ wish: TargetWish) throws(CommandError) -> ExtensionTarget? {
        let named = sources.filter { isContainer(URL(fileURLWithPath: $0)) }
        guard named.isEmpty || sources.count == 1 else {
            throw CommandError(
                "\"\(named[0])\" cannot be built together with other sources",
                hint: "a project says itself which files its target has; name it alone"
            )
        }
        guard sources.count == 1 else { return try none(wish) }
        let url = URL(fileURLWithPath: sources[0]).standardizedFileURL
        if !named.isEmpty {
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw CommandError("the project \"\(sources[0])\" does not exist", hint: "name the folder X.xcodeproj")
            }
            return try ExtensionTargets(in: url).one(wish)
        }
        guard isFolder(url) else { return try none(wish) }
        if let container = try container(in: url, mustBeOne: true) {
            return try ExtensionTargets(in: container).one(wish)
        }
        var folder = url
        for _ in 0..<climbLimit {
            folder = folder.deletingLastPathComponent()
            guard folder.path != "/", let container = try container(in: folder, mustBeOne: false) else { continue }
            if wish.isSaid {
                return try ExtensionTargets(in: container).one(wish)
            }
            do throws(CommandError) {
                guard let target = try ExtensionTargets(in: container).one(in: url, wish) else { return nil }
                Terminal.note("\"\(sources[0])\" is built as the target \(target.name) of \(container.path)")
                return target
            } catch {
                // Nobody has named it, and the folder may have all that is needed.
                Terminal.warning("\(error.message); \"\(sources[0])\" is built without its project")
                return nil
            }
        }
        return try none(wish)
    }

    private static func none(_ wish: TargetWish) throws(CommandError) -> ExtensionTarget? {
        guard wish.isSaid else { return nil }
        throw CommandError(
            "there is no project of Xcode for --target, --scheme or --configuration",
            hint: "name it in the place of the sources: X.xcodeproj"
        )
    }

    private static func isContainer(_ url: URL) -> Bool { ["xcodeproj", "xcworkspace"].contains(url.pathExtension) }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The one project in a folder; of several it throws, or counts them as none.
    private static func container(in folder: URL, mustBeOne: Bool) throws(CommandError) -> URL? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let projects = names.filter { $0.hasSuffix(".xcodeproj") && $0 != "Pods.xcodeproj" }
        if projects.count == 1 { return folder.appendingPathComponent(projects[0]) }
        let workspaces = names.filter { $0.hasSuffix(".xcworkspace") }
        if workspaces.count == 1 { return folder.appendingPathComponent(workspaces[0]) }
        guard mustBeOne, !projects.isEmpty else { return nil }
        throw CommandError(
            "\"\(folder.path)\" has \(projects.count) projects of Xcode: \(projects.joined(separator: ", "))",
            hint: "name one of them"
        )
    }
}
