// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The frameworks and libraries of the project's own that a target links, as modules that are compiled with it.
struct FrameworkTargets {
    /// The targets that may stand behind one another.
    private static let countLimit = 64
    private static let productTypes: Set<String> = [
        "com.apple.product-type.framework", "com.apple.product-type.framework.static",
        "com.apple.product-type.library.static", "com.apple.product-type.library.dynamic",
    ]

    private(set) var modules: [ModuleSources] = []
    /// The resources of these modules, which lie in the bundle itself: in one piece with the extension a framework has
    /// no other.
    private(set) var resources: [URL] = []
    private(set) var warnings: [String] = []
    /// The products of packages that the target and its frameworks link, in their order.
    private(set) var products: [String] = []

    init(
        of target: ExtensionTarget,
        _ members: ProjectMembers,
        overrides: [String: String]
    ) throws(CommandError) {
        products = members.packageProducts
        var waiting = members.linkedTargets
        var seen: Set<String> = []
        while let library = waiting.popLast() {
            guard seen.count < Self.countLimit, seen.insert(library.id).inserted,
                Self.productTypes.contains(library.text("productType") ?? "")
            else { continue }
            let made = ExtensionTarget(
                target: library,
                project: target.project,
                tree: target.tree,
                settings: try TargetSettings(
                    of: library,
                    in: target.project,
                    target.tree,
                    configuration: target.settings["CONFIGURATION"],
                    overrides: overrides
                )
            )
            let files = try ProjectMembers(of: library, in: target.project, target.tree)
            waiting += files.linkedTargets
            products += files.packageProducts
            let swift = files.files.filter { $0.url.pathExtension == "swift" }
            resources += files.files.map(\.url).filter { $0.pathExtension != "swift" }
            let compilation = TargetCompilation(made)
            warnings += made.settings.warnings + compilation.warnings
            guard !swift.isEmpty else { continue }
            modules.append(
                ModuleSources(
                    name: made.settings["PRODUCT_MODULE_NAME"] ?? SettingText.c99Identifier(library.name),
                    files: swift.map(\.url.path).sorted(),
                    languageMode: compilation.languageMode,
                    compilerArguments: compilation.arguments
                )
            )
        }
    }
}
