// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A target of a project that makes an extension, with its settings.
struct ExtensionTarget {
    static let productType = "com.apple.product-type.app-extension"

    let target: ProjectObject
    let project: ProjectFile
    let tree: ProjectTree
    let settings: TargetSettings

    var name: String { target.name }

    /// The path of the Info.plist that the target names; `nil` for one whose list is generated alone.
    var informationPath: String? { settings["INFOPLIST_FILE"].map(path) }

    /// The path of the target's entitlements.
    var entitlementsPath: String? { settings["CODE_SIGN_ENTITLEMENTS"].map(path) }

    /// The path of the header that shows Objective-C and C to Swift; `nil` for one that is not there, too.
    var bridgingHeaderPath: String? {
        settings["SWIFT_OBJC_BRIDGING_HEADER"].map(path).flatMap {
            FileManager.default.fileExists(atPath: $0) ? $0 : nil
        }
    }

    /// The identifier of the extension point in its Info.plist; `nil` if that cannot be read or has none.
    var pointIdentifier: String? {
        guard let path = informationPath, let values = try? BundleFile.propertyList(at: path) as? [String: Any],
            let service = values["NSExtension"] as? [String: Any]
        else { return nil }
        let text = service["NSExtensionPointIdentifier"] as? String
        return text.map { SettingText.expand($0, value: { settings[$0] }, missing: { _ in "" }) }
    }

    /// True for a target of the desktop, whose notifications have no extensions of this kind on a phone.
    var isForMac: Bool { settings["SDKROOT"]?.hasPrefix("macosx") == true }

    /// The extension point for people, or the reason for which there is none.
    var pointDescription: String {
        if let pointIdentifier { return pointIdentifier }
        guard let path = informationPath else { return "no Info.plist" }
        guard FileManager.default.fileExists(atPath: path) else { return "\(path) does not exist" }
        do throws(CommandError) {
            _ = try BundleFile.propertyList(at: path)
        } catch {
            return error.message
        }
        return "no NSExtensionPointIdentifier in \(path)"
    }

    /// The kind of a notification extension; `nil` for other extensions.
    var point: ExtensionPoint? { pointIdentifier.flatMap(ExtensionPoint.init) }

    /// A path of a setting, which counts from the project's folder.
    private func path(_ text: String) -> String {
        URL(fileURLWithPath: text, relativeTo: project.sourceRoot).standardizedFileURL.path
    }
}

/// The words of a person about the target that is meant.
struct TargetWish {
    var target: String?
    var scheme: String?
    var configuration: String?
    /// Settings that count above all others.
    var overrides: [String: String] = [:]

    /// True if something was said that has a meaning for a project alone.
    var isSaid: Bool { target != nil || scheme != nil || configuration != nil }
}

/// The targets of one or several projects, among which one is chosen.
struct ExtensionTargets {
    /// The project or workspace that a person has named.
    private let container: URL
    private let projects: [ProjectFile]

    /// The projects of a `.xcodeproj` or a `.xcworkspace`.
    init(in container: URL) throws(CommandError) {
        self.container = container.standardizedFileURL
        var places = [self.container]
        if container.pathExtension == "xcworkspace" {
            // What CocoaPods makes has no target of the person's.
            places = try WorkspaceFile.projects(of: self.container).filter { $0.lastPathComponent != "Pods.xcodeproj" }
            guard !places.isEmpty else {
                throw CommandError(
                    "\(container.path): none of the workspace's projects is on the disk",
                    hint: "name a project, X.xcodeproj"
                )
            }
        }
        var projects: [ProjectFile] = []
        for place in places { projects.append(try ProjectFile(at: place.path)) }
        self.projects = projects
    }

    /// Returns the target that is meant: the one of the name, or the one notification extension that there is.
    func one(_ wish: TargetWish) throws(CommandError) -> ExtensionTarget {
        if let name = wish.target { return try named(name, wish) }
        let candidates = try inScheme(wish)
        var found: [ExtensionTarget] = []
        for (target, project) in candidates where target.text("productType") == ExtensionTarget.productType {
            let extensionTarget = try make(target, project, wish)
            if extensionTarget.point != nil { found.append(extensionTarget) }
        }
        let mobile = found.filter { !$0.isForMac }
        if found.count == 1 || mobile.count == 1 { return mobile.first ?? found[0] }
        guard found.isEmpty else {
            throw CommandError(
                "\(container.path) has \(found.count) notification extensions: "
                    + found.map { "\($0.name) (\($0.point == .service ? "service" : "content"))" }.joined(
                        separator: ", "
                    ),
                hint: "name one with --target"
            )
        }
        throw CommandError(
            "\(container.path) has no target of a notification extension: its targets are "
                + (candidates.isEmpty ? "none" : try describe(candidates, wish)),
            hint: "the Info.plist of one says \(ExtensionPoint.allCases.map(\.rawValue).joined(separator: " or "))"
        )
    }

    /// Returns the one target whose Info.plist or whose sources lie in a folder; `nil` for none and for several.
    func one(in folder: URL, _ wish: TargetWish) throws(CommandError) -> ExtensionTarget? {
        let inside = folder.standardizedFileURL.path + "/"
        var found: [ExtensionTarget] = []
        for (target, project) in all where target.text("productType") == ExtensionTarget.productType {
            let extensionTarget = try make(target, project, wish)
            guard extensionTarget.point != nil else { continue }
            let files = [extensionTarget.informationPath].compactMap(\.self) + folders(of: extensionTarget)
            if files.contains(where: { ($0 + "/").hasPrefix(inside) }) { found.append(extensionTarget) }
        }
        return found.count == 1 ? found[0] : nil
    }

    private func folders(of target: ExtensionTarget) -> [String] {
        target.target.objects("fileSystemSynchronizedGroups").compactMap { target.tree.place(of: $0)?.path }
    }

    private var all: [(ProjectObject, ProjectFile)] {
        projects.flatMap { project in project.root.objects("targets").map { ($0, project) } }
    }

    private func make(
        _ target: ProjectObject,
        _ project: ProjectFile,
        _ wish: TargetWish
    ) throws(CommandError) -> ExtensionTarget {
        let tree = ProjectTree(project)
        return ExtensionTarget(
            target: target,
            project: project,
            tree: tree,
            settings: try TargetSettings(
                of: target,
                in: project,
                tree,
                configuration: wish.configuration,
                overrides: wish.overrides
            )
        )
    }

    private func named(_ name: String, _ wish: TargetWish) throws(CommandError) -> ExtensionTarget {
        guard let (target, project) = all.first(where: { $0.0.name == name }) else {
            throw CommandError(
                "\(container.path) has no target \"\(name)\"",
                hint: "its targets are \(all.map(\.0.name).joined(separator: ", "))"
            )
        }
        guard target.text("productType") == ExtensionTarget.productType else {
            throw CommandError(
                "\(target.place): the target \"\(name)\" is no extension: "
                    + (target.text("productType") ?? target.kind),
                hint: "name that of the notification extension"
            )
        }
        let made = try make(target, project, wish)
        guard made.point != nil || made.pointIdentifier == nil else {
            throw CommandError(
                "\(made.informationPath ?? target.place): the target \"\(name)\" is an extension of another kind, "
                    + "\"\(made.pointIdentifier ?? "")\"",
                hint: "notification extensions run here: "
                    + ExtensionPoint.allCases.map(\.rawValue).joined(separator: " and ")
            )
        }
        return made
    }

    /// The targets of a scheme and those that they need, or all.
    private func inScheme(_ wish: TargetWish) throws(CommandError) -> [(ProjectObject, ProjectFile)] {
        guard let name = wish.scheme else { return all }
        var schemes: [String: URL] = [:]
        for place in [container] + projects.map({ URL(fileURLWithPath: $0.path) }) {
            schemes.merge(WorkspaceFile.schemes(of: place)) { first, _ in first }
        }
        guard let file = schemes[name] else {
            throw CommandError(
                "\(container.path) has no scheme \"\(name)\"",
                hint: schemes.isEmpty
                    ? "no scheme is shared; name a target with --target"
                    : "its schemes are \(schemes.keys.sorted().joined(separator: ", "))"
            )
        }
        var waiting = try WorkspaceFile.targets(ofScheme: file)
        var wanted: Set<String> = []
        while let id = waiting.popLast() {
            guard wanted.insert(id).inserted, let target = projects.lazy.compactMap({ $0.object(id) }).first else {
                continue
            }
            waiting += target.objects("dependencies").compactMap { $0.text("target") }
        }
        return all.filter { wanted.contains($0.0.id) }
    }

    private func describe(
        _ targets: [(ProjectObject, ProjectFile)],
        _ wish: TargetWish
    ) throws(CommandError) -> String {
        var words: [String] = []
        for (target, project) in targets {
            let type = (target.text("productType") ?? target.kind).split(separator: ".").last.map(String.init) ?? ""
            let isExtension = target.text("productType") == ExtensionTarget.productType
            let point = isExtension ? try make(target, project, wish).pointDescription : type
            words.append("\(target.name) (\(point))")
        }
        return words.joined(separator: ", ")
    }
}
