// SPDX-License-Identifier: Apache-2.0

/// All that the build of a bundle begins with, whether a person names files and folders or a project of Xcode.
struct BuildPlan {
    /// The name of the bundle and of its program.
    let product: String
    let sources: ExtensionSources
    let information: BundleInformation
    /// Swift's language mode: 4, 4.2, 5 or 6.
    let languageMode: String
    let compilerArguments: [String]
    /// Modules that are compiled beside the extension.
    let modules: [ModuleSources]
}
