// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The products of Swift packages that a target links, as modules from the sources of the packages.
struct PackageModules {
    /// The packages that are looked at, and the targets of them that are compiled.
    private static let packageLimit = 256
    private static let targetLimit = 256

    private(set) var modules: [ModuleSources] = []
    /// The resources of the packages' targets, which lie in the bundle itself.
    private(set) var resources: [URL] = []
    /// The targets that are not compiled here, each with the reason.
    private(set) var warnings: [String] = []
    private var manifests: [PackageManifest] = []
    private var unread: [URL]
    private var seen: Set<String> = []

    /// Makes modules of products; one that no package has is left to whoever compiles what imports it.
    ///
    /// `folders` are those of packages, in which a product is looked for in their order; without a product they are not
    /// asked for.
    init(of products: [String], in folders: () -> [URL]) throws(CommandError) {
        unread = products.isEmpty ? [] : Array(folders().prefix(Self.packageLimit).reversed())
        for product in products { try add(product) }
    }

    /// The folders of packages that a project names, and those of a folder of checkouts, as SwiftPM lays them out.
    static func folders(of project: ProjectFile, _ tree: ProjectTree, checkouts: String?) -> [URL] {
        var found = project.objects(of: "XCLocalSwiftPackageReference").compactMap { $0.text("relativePath") }
            .map { URL(fileURLWithPath: $0, relativeTo: project.sourceRoot).standardizedFileURL }
        // Xcode 14 and older name the folder as a file.
        found += project.objects(of: "PBXFileReference").filter {
            ["folder", "wrapper", nil].contains($0.text("lastKnownFileType"))
        }.compactMap { tree.place(of: $0) }
        if let checkouts {
            let folder = URL(fileURLWithPath: checkouts).standardizedFileURL
            for place in [folder, folder.appendingPathComponent("checkouts")] {
                let names = ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
                found += names.map { place.appendingPathComponent($0) }
            }
        }
        return found.filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("Package.swift").path) }
    }

    /// Adds the targets of a product, from the first package that has it; false if none has.
    @discardableResult
    private mutating func add(_ product: String) throws(CommandError) -> Bool {
        var place = manifests.firstIndex { $0.products[product] != nil }
        while place == nil, let folder = unread.popLast() {
            manifests.append(try PackageManifest(of: folder))
            place = manifests.last?.products[product] == nil ? nil : manifests.count - 1
        }
        guard let place else { return false }
        for target in manifests[place].products[product] ?? [] { try add(target, of: manifests[place]) }
        return true
    }

    private mutating func add(_ name: String, of manifest: PackageManifest) throws(CommandError) {
        guard seen.insert("\(manifest.folder.path) \(name)").inserted, modules.count < Self.targetLimit,
            let target = manifest.targets[name]
        else { return }
        let file = manifest.folder.appendingPathComponent("Package.swift").path
        guard target.kind == "regular", let folder = Self.folder(of: target, in: manifest.folder) else {
            warnings.append(
                "\(file): the target \(name) is left out: it is of the kind \"\(target.kind)\", and only Swift is compiled"
            )
            return
        }
        let excluded = target.excluded + target.resources
        let files = try ProjectFolder.files(in: folder).filter { path in
            !excluded.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        let swift = files.filter { $0.hasSuffix(".swift") }
        guard !swift.isEmpty else {
            warnings.append("\(file): the target \(name) is left out: it has no Swift, and only Swift is compiled")
            return
        }
        modules.append(
            ModuleSources(
                name: SettingText.c99Identifier(name),
                files: swift.map { folder.appendingPathComponent($0).path },
                languageMode: manifest.languageMode,
                compilerArguments: target.conditions.filter(ModuleSources.isName).map { "-D\($0)" },
                hasResources: !target.resources.isEmpty
            )
        )
        resources += target.resources.map { folder.appendingPathComponent($0) }
        for dependency in target.dependencies {
            if manifest.targets[dependency] != nil {
                try add(dependency, of: manifest)
            } else {
                try add(dependency)
            }
        }
    }

    /// The folder of a target's sources; `nil` if none of the usual ones is there.
    private static func folder(of target: PackageManifest.Target, in package: URL) -> URL? {
        let usual = ["Sources", "Source", "src", "srcs"].map { "\($0)/\(target.name)" }
        return (target.path.map { [$0] } ?? usual).map { package.appendingPathComponent($0).standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }
}
