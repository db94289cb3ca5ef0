// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The plan of a build whose files and folders a person names.
extension BuildCommand {
    private static var usualLanguage: String { "en" }

    /// Plans a bundle from the files and folders; Info.plist and entitlements are those that lie there.
    func plan(at place: URL) throws(CommandError) -> BuildPlan {
        let product = place.deletingPathExtension().lastPathComponent
        let files = try collected()
        let modules = try modulesOfFolders()
        let named = sources + files.swift + modules.flatMap(\.files) + [info, entitlements].compactMap(\.self)
        try BundleAssembly.check(place, for: named + resources + tables)
        return BuildPlan(
            product: product,
            sources: files,
            information: try information(files, product: product),
            languageMode: swiftVersion ?? "5",
            compilerArguments: compilerArguments,
            modules: modules
        )
    }

    private func collected() throws(CommandError) -> ExtensionSources {
        var files = try ExtensionSources(sources)
        try addNamed(to: &files)
        return files
    }

    /// Adds the files that options name.
    ///
    /// The folders of modules give all but their Swift: in one piece with the extension these have no bundle.
    func addNamed(to files: inout ExtensionSources) throws(CommandError) {
        for (_, path) in moduleFolders {
            let folder = URL(fileURLWithPath: path)
            for path in try ProjectFolder.files(in: folder) { try files.addFile(folder.appendingPathComponent(path)) }
        }
        try files.addResources(resources)
        for table in tables {
            guard StringTableFile(URL(fileURLWithPath: table)) != nil else {
                throw CommandError(
                    "--strings \"\(table)\" is no .strings, .stringsdict or .xcstrings",
                    hint: "name any other file of the bundle with --resource"
                )
            }
        }
        try files.addResources(tables)
    }

    private func information(
        _ files: ExtensionSources,
        product: String
    ) throws(CommandError) -> BundleInformation {
        let values = BuildSettings(
            product: product,
            module: module ?? BuildSettings.c99Identifier(product),
            identifier: identifier,
            language: language ?? Self.usualLanguage,
            overrides: overrides
        )
        guard let file = try one(of: files.informationFiles, named: info, what: "Info.plist", option: "--info") else {
            throw CommandError("there is no Info.plist with the sources", hint: "name it with --info")
        }
        let grants = try one(
            of: files.entitlements,
            named: entitlements,
            what: "entitlements",
            option: "--entitlements"
        )
        return try BundleInformation(
            PropertyListFile(path: file, settings: values),
            product: product,
            module: module,
            identifier: identifier,
            language: language ?? Self.usualLanguage,
            entitlements: grants.map { path throws(CommandError) in
                try Entitlements(PropertyListFile(path: path, settings: values))
            } ?? .none
        )
    }

    private func one(
        of found: [String],
        named: String?,
        what: String,
        option: String
    ) throws(CommandError) -> String? {
        if let named { return URL(fileURLWithPath: named).standardizedFileURL.path }
        guard found.count < 2 else {
            throw CommandError("there are \(found.count) \(what) with the sources", hint: "say which with \(option)")
        }
        return found.first
    }
}
