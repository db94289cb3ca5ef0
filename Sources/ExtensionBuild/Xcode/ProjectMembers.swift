// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of a target: those of its build phases, and those of the folders that Xcode 16 keeps in step with the
/// disk.
struct ProjectMembers {
    /// A file with the object of the project that names it.
    struct File {
        let url: URL
        fileprivate let object: ProjectObject

        /// "FILE:LINE" in the project, which is looked for anew at each time.
        var place: String { object.place }
    }

    private(set) var files: [File] = []
    /// The names of the products of packages that the target links.
    private(set) var packageProducts: [String] = []
    /// The targets of the same project whose products it links.
    private(set) var linkedTargets: [ProjectObject] = []

    /// The files that a target compiles and carries.
    ///
    /// Throws for a file that is not on the disk.
    init(of target: ProjectObject, in project: ProjectFile, _ tree: ProjectTree) throws(CommandError) {
        for phase in target.objects("buildPhases") {
            switch phase.kind {
            case "PBXSourcesBuildPhase", "PBXResourcesBuildPhase":
                for file in phase.objects("files") {
                    guard let reference = file.object("fileRef") else { continue }
                    try add(reference, tree)
                }
            case "PBXFrameworksBuildPhase":
                for file in phase.objects("files") { addLibrary(file, project) }
            default: break
            }
        }
        for dependency in target.objects("packageProductDependencies") { addProduct(dependency) }
        try addFolders(of: target, in: project, tree)
        var seen: Set<String> = []
        files = files.filter { seen.insert($0.url.path).inserted }
    }

    /// Adds a file, or the languages of one that is a group of them.
    private mutating func add(_ reference: ProjectObject, _ tree: ProjectTree) throws(CommandError) {
        switch reference.kind {
        case "PBXVariantGroup", "XCVersionGroup":
            // Groups in such groups are none of Xcode's.
            for variant in reference.objects("children") where variant.kind == "PBXFileReference" {
                try add(variant, tree)
            }
        case "PBXFileReference":
            guard let url = tree.place(of: reference) else { return }
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw CommandError(
                    "\(reference.place): \"\(url.path)\", a file of the target, does not exist",
                    hint: "add the file, or take it out of the target in Xcode"
                )
            }
            files.append(File(url: url, object: reference))
        default: break
        }
    }

    private mutating func addLibrary(_ file: ProjectObject, _ project: ProjectFile) {
        if let package = file.object("productRef") { return addProduct(package) }
        guard let reference = file.object("fileRef"), reference.text("sourceTree") == "BUILT_PRODUCTS_DIR" else {
            return
        }
        linkedTargets += project.objects(of: "PBXNativeTarget").filter { $0.text("productReference") == reference.id }
    }

    private mutating func addProduct(_ product: ProjectObject) {
        let name = product.text("productName") ?? product.name
        if !packageProducts.contains(name) { packageProducts.append(name) }
    }

    // MARK: Folders of Xcode 16

    /// Adds what is in the target's own folders but for their exceptions, and what those of other targets give it.
    private mutating func addFolders(
        of target: ProjectObject,
        in project: ProjectFile,
        _ tree: ProjectTree
    ) throws(CommandError) {
        let own = Set(target.texts("fileSystemSynchronizedGroups"))
        for group in project.objects(of: "PBXFileSystemSynchronizedRootGroup") {
            let exceptions = Set(
                group.objects("exceptions").filter { $0.text("target") == target.id }
                    .flatMap { $0.texts("membershipExceptions") }
            )
            guard own.contains(group.id) || !exceptions.isEmpty, let folder = tree.place(of: group) else { continue }
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw CommandError(
                    "\(group.place): the folder \"\(folder.path)\" does not exist",
                    hint: "add the folder, or take it out of the project in Xcode"
                )
            }
            let found = try ProjectFolder.files(in: folder)
            for path in found where Self.isNamed(path, in: exceptions) != own.contains(group.id) {
                files.append(File(url: folder.appendingPathComponent(path).standardizedFileURL, object: group))
            }
        }
    }

    /// True if exceptions name the file or a folder around it; localized files are named as in `/Localized/A.strings`.
    private static func isNamed(_ path: String, in exceptions: Set<String>) -> Bool {
        var part = path
        while !part.isEmpty {
            if exceptions.contains(part) { return true }
            part = part.lastIndex(of: "/").map { String(part[..<$0]) } ?? ""
        }
        let parts = path.split(separator: "/")
        guard let folder = parts.lastIndex(where: { $0.hasSuffix(".lproj") }) else { return false }
        let unlocalized = (parts[..<folder] + ["Localized"] + parts[(folder + 1)...]).joined(separator: "/")
        return exceptions.contains(unlocalized) || exceptions.contains("/\(unlocalized)")
    }
}

/// The files in a folder of a project, as Xcode takes them: some folders are one file.
enum ProjectFolder {
    /// Folders that count as one file.
    private static let units: Set<String> = [
        "xcassets", "bundle", "framework", "xcframework", "xcdatamodeld", "mlpackage", "icon",
    ]
    /// Folders that are no part of any target.
    private static let others: Set<String> = ["xcodeproj", "xcworkspace", "docc", "playground", "appex"]
    /// The files that a folder may have.
    private static let fileCountLimit = 20_000

    /// Returns the paths of all files below a folder, in their order.
    ///
    /// Throws for a folder that cannot be read, and for one with more than 20,000 files.
    static func files(in folder: URL) throws(CommandError) -> [String] {
        let root = folder.standardizedFileURL.path
        guard (try? FileManager.default.contentsOfDirectory(atPath: root)) != nil,
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root),
                includingPropertiesForKeys: [.isDirectoryKey],
                options: [.skipsHiddenFiles]
            )
        else { throw CommandError("the folder \"\(root)\" is not readable", hint: "look at its permissions") }
        var found: [String] = []
        while let file = files.nextObject() as? URL {
            let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
            if isFolder, others.contains(file.pathExtension) || units.contains(file.pathExtension) {
                files.skipDescendants()
            }
            guard !isFolder || units.contains(file.pathExtension) else { continue }
            guard found.count < fileCountLimit else {
                throw CommandError(
                    "the folder \"\(root)\" has more than \(fileCountLimit) files",
                    hint: "name the folder of the sources alone"
                )
            }
            let path = file.standardizedFileURL.path
            if path.hasPrefix(root + "/") { found.append(String(path.dropFirst(root.count + 1))) }
        }
        return found.sorted()
    }
}
