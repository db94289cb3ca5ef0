// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The plan of a build of a target of a project of Xcode.
extension BuildCommand {
    /// Plans a bundle from the target's files and settings; what options say counts above these.
    func plan(for target: ExtensionTarget, at place: URL) throws(CommandError) -> BuildPlan {
        let product = place.deletingPathExtension().lastPathComponent
        let settings = target.settings
        let members = try ProjectMembers(of: target.target, in: target.project, target.tree)
        var sources = try ExtensionSources(ofTarget: members.files, target.name, place: target.target.place)
        try addNamed(to: &sources)
        let frameworks = try FrameworkTargets(of: target, members, overrides: overrides)
        let packaged = try PackageModules(of: frameworks.products) {
            PackageModules.folders(of: target.project, target.tree, checkouts: packages)
        }
        for file in frameworks.resources + packaged.resources { try sources.addFile(file) }
        let own = try frameworks.modules + modulesOfFolders()
        // A module that a person names counts above that of a package.
        let modules = own + packaged.modules.filter { module in !own.contains { $0.name == module.name } }
        let named = [info, entitlements, target.informationPath].compactMap(\.self) + resources + tables
        try BundleAssembly.check(place, for: sources.swift + modules.flatMap(\.files) + named)
        if let header = target.bridgingHeaderPath { sources.setBridgingHeader(header) }
        let compilation = TargetCompilation(target)
        var told: Set<String> = []
        let warnings = [settings.warnings, compilation.warnings, frameworks.warnings, packaged.warnings].joined()
        // A configuration file of the project is one of each target.
        for warning in warnings where told.insert(warning).inserted { Terminal.warning(warning) }
        let module = module ?? settings["PRODUCT_MODULE_NAME"] ?? SettingText.c99Identifier(product)
        var values = settings.all
        values["PRODUCT_MODULE_NAME"] = module
        values["EXECUTABLE_NAME"] = product
        if let identifier { values["PRODUCT_BUNDLE_IDENTIFIER"] = identifier }
        let information = try information(of: target, BuildSettings(values))
        let grants = try entitlements(of: target, BuildSettings(values))
        return BuildPlan(
            product: product,
            sources: sources,
            information: try BundleInformation(
                information,
                product: product,
                module: module,
                identifier: identifier,
                language: language ?? Self.language(settings["DEVELOPMENT_LANGUAGE"]),
                entitlements: grants
            ),
            languageMode: swiftVersion ?? compilation.languageMode,
            compilerArguments: compilation.arguments + compilerArguments,
            modules: modules
        )
    }

    private func information(
        of target: ExtensionTarget,
        _ settings: BuildSettings
    ) throws(CommandError) -> PropertyListFile {
        let path = info.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? target.informationPath
        let isGenerated = target.settings.isOn("GENERATE_INFOPLIST_FILE")
        guard path != nil || isGenerated else {
            throw CommandError(
                "\(target.target.place): the target \(target.name) has no Info.plist",
                hint: "set INFOPLIST_FILE in Xcode, or name the file with --info"
            )
        }
        if let path, !FileManager.default.fileExists(atPath: path) {
            throw CommandError(
                "\(target.target.place): \"\(path)\", the Info.plist of the target \(target.name), does not exist",
                hint: "INFOPLIST_FILE counts from \(target.project.sourceRoot.path); or name the file with --info"
            )
        }
        var generated: [String: Any] = [:]
        if isGenerated {
            generated = [
                "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)", "CFBundleName": "$(PRODUCT_NAME)",
                "CFBundleShortVersionString": "$(MARKETING_VERSION)", "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)",
            ]
            for (key, value) in target.settings.all(prefixed: "INFOPLIST_KEY_") where !value.isEmpty {
                generated[key] = ["YES": true, "NO": false][value] ?? value
            }
        }
        let file = try PropertyListFile(
            path: path,
            place: target.target.place,
            settings: settings,
            generated: generated
        )
        tell(file.unknown, in: file.path, of: target)
        return file
    }

    private func entitlements(
        of target: ExtensionTarget,
        _ settings: BuildSettings
    ) throws(CommandError) -> Entitlements {
        let path = entitlements.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? target.entitlementsPath
        guard let path else { return .none }
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandError(
                "\(target.target.place): \"\(path)\", the entitlements of the target \(target.name), do not exist",
                hint: "CODE_SIGN_ENTITLEMENTS counts from \(target.project.sourceRoot.path); or name the file with "
                    + "--entitlements"
            )
        }
        let file = try PropertyListFile(path: path, place: path, settings: settings, generated: [:])
        tell(file.unknown, in: path, of: target)
        return try Entitlements(file)
    }

    /// Names the variables in whose places there is nothing.
    private func tell(_ unknown: [String], in path: String, of target: ExtensionTarget) {
        for name in unknown {
            Terminal.warning(
                "\(path): $(\(name)) is no build setting of the target \(target.name), and nothing stands in its place; "
                    + "say it with --setting \(name)=VALUE"
            )
        }
    }

    /// The tag of the project's language, which old projects name in English.
    private static func language(_ name: String?) -> String {
        let names = [
            "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja", "Spanish": "es",
        ]
        guard let name, name != "Base" else { return "en" }
        return names[name] ?? name
    }
}
