// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Foundation

package struct BuildCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds a notification extension, a service or a view of notifications, into a bundle.",
        discussion: """
            A source is a project or workspace of Xcode, a Swift file, or the extension's folder with all that is in \
            it: Info.plist, entitlements, localized texts, resources. The originals are not touched.

            Examples:
              extension-host build Chat.xcodeproj --target NotificationService
              extension-host build NotificationService/ --identifier com.example.chat.service -o Chat.appex
            """
    )

    @Argument(
        help: "A project or workspace of Xcode, or Swift files and folders of the extension.",
        completion: .file()
    )
    var sources: [String]

    @Option(help: "The target of the project; by default the one notification extension that there is.")
    var target: String?

    @Option(help: "A scheme of the project, whose one notification extension is meant.")
    var scheme: String?

    @Option(help: "The project's build configuration; by default the one that the project names, mostly Release.")
    var configuration: String?

    @Option(help: "The extension's Info.plist; by default the one in its folder.", completion: .file())
    var info: String?

    @Option(
        name: .shortAndLong,
        help: "The bundle to make; by default NAME.appex, NAME being the target's or folder's."
    )
    var output: String?

    @Option(help: "The bundle's identifier, if Info.plist does not say it: the app's and one component more.")
    var identifier: String?

    @Option(help: "A folder of checkouts of Swift packages, in which those of the project are looked for.")
    var packages: String?

    @Option(
        name: .customLong("module"),
        help: """
            The extension's module, by default the one that Info.plist says or the bundle's; or NAME=FOLDER, a module that \
            it imports, with the folder of its sources. May be repeated.
            """
    )
    var namedModules: [String] = []

    @Option(
        name: .customLong("setting"),
        help: "NAME=VALUE of a build setting, $(NAME) in Info.plist; may be repeated."
    )
    var settings: [String] = []

    @Option(help: "The extension's entitlements; by default those in its folder.", completion: .file())
    var entitlements: String?

    @Option(name: .customLong("strings"), help: "A table of localized texts; may be repeated.", completion: .file())
    var tables: [String] = []

    @Option(name: .customLong("resource"), help: "A file that the bundle carries; may be repeated.")
    var resources: [String] = []

    @Option(help: "The language of localized texts, and of the bundle; by default the project's, or en.")
    var language: String?

    @Option(help: "Swift's language mode, 5 or 6; by default the project's, or 5, as Xcode's extensions have it.")
    var swiftVersion: String?

    @Flag(
        name: .customLong("static"),
        inversion: .prefixedNo,
        help: "One piece with Swift's libraries, or beside them."
    )
    var isStatic = true

    @Flag(help: "Print what would be built of what, and what is missing; exit status 1 if something is.")
    var explain = false

    @Option(help: "The extension SDK; by default the one beside this program.", completion: .directory)
    var sdk: String?

    @Option(
        name: .customLong("Xswiftc", withSingleDash: true),
        parsing: .unconditionalSingleValue,
        help: "An argument for swiftc; may be repeated."
    )
    var compilerArguments: [String] = []

    package init() {}

    package func validate() throws {
        guard ["5", "6", nil].contains(swiftVersion) else { throw ValidationError("--swift-version is 5 or 6") }
        guard namedModules.count(where: { !$0.contains("=") }) < 2 else {
            throw ValidationError("--module names the extension's module once; another one is NAME=FOLDER")
        }
        for setting in settings where !setting.contains("=") {
            throw ValidationError("--setting \"\(setting)\" is not NAME=VALUE")
        }
    }

    package func run() throws {
        let target = try ProjectSearch.target(for: sources, wish)
        let folder = URL(fileURLWithPath: sources[0]).deletingPathExtension().lastPathComponent
        let place = try output(named: target?.settings["PRODUCT_NAME"] ?? folder)
        let outcome = try build(target, at: place)
        switch outcome {
        case .made: Terminal.note("made \(place.path)")
        case .unchanged: Terminal.note("\(place.path) is up to date")
        case .explained: break
        }
    }

    /// The target that is meant, and the settings that count above those of its project.
    private var wish: TargetWish {
        TargetWish(target: target, scheme: scheme, configuration: configuration, overrides: overrides)
    }

    /// The name of the extension's module.
    var module: String? { namedModules.first { !$0.contains("=") } }

    /// The names and folders of other modules.
    var moduleFolders: [(name: String, path: String)] {
        namedModules.compactMap { text in
            text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
        }
    }

    /// The modules that the extension imports, from their folders.
    func modulesOfFolders() throws(CommandError) -> [ModuleSources] {
        var modules: [ModuleSources] = []
        for (name, path) in moduleFolders {
            guard ModuleSources.isName(name) else {
                throw CommandError(
                    "\"\(name)\" of --module \(name)=\(path) is no name of a module",
                    hint: "write NAME=FOLDER"
                )
            }
            modules.append(
                ModuleSources(
                    name: name,
                    files: try ExtensionSources([path]).swift,
                    languageMode: swiftVersion ?? "5",
                    compilerArguments: compilerArguments
                )
            )
        }
        return modules
    }

    /// The values of `--setting`.
    var overrides: [String: String] {
        var overrides: [String: String] = [:]
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            overrides[String(parts[0])] = String(parts[1])
        }
        return overrides
    }

    enum Built: Equatable {
        case made, unchanged, explained
    }

    /// Builds, or finds that the bundle is what a build would make.
    private func build(_ target: ExtensionTarget?, at place: URL) throws -> Built {
        let plan = if let target { try plan(for: target, at: place) } else { try plan(at: place) }
        for file in plan.sources.foreign {
            Terminal.warning("\"\(file)\" is left out: only Swift is compiled")
        }
        let (files, information) = (plan.sources, plan.information)
        try CategoryClaims.check(information, at: place)
        var sdk = try ExtensionSDK.find(named: self.sdk)
        let inputs = try BuildInputs(files, information: information, modules: plan.modules)
        if !explain {
            try sdk.addCrypto(for: inputs.mentionedModules, hasFurtherArguments: !compilerArguments.isEmpty)
        }
        var compiler = ExtensionCompiler(
            sdk: sdk,
            module: information.module,
            languageMode: plan.languageMode,
            furtherArguments: plan.compilerArguments,
            isStatic: isStatic,
            mayReachHosts: information.listsHosts
        )
        compiler.bridgedModules = Set(inputs.bridgedModules.map(\.name)).filter(compiler.has(module:)).sorted()
        if explain {
            // Their part of the SDK is built when it is needed.
            let missing = inputs.missingModules(compiler).filter { !ExtensionSDK.cryptoModules.contains($0.name) }
            try BuildExplanation(plan, target, missing: missing).print()
            return .explained
        }
        let stamp = try inputs.stamp(compiler)
        if BuildInputs.stamp(ofBundle: place) == stamp { return .unchanged }

        let assembly = try BundleAssembly(at: place)
        var isFinished = false
        defer { if !isFinished { assembly.discard() } }
        try inputs.compile(compiler, into: assembly.folder.appendingPathComponent(plan.product))
        try assembly.add(try information.xml(stamp: stamp), as: "Info.plist")
        for resource in files.resources { try assembly.add(copyOf: resource) }
        for picture in inputs.pictures { try assembly.add(copyOf: picture.source, as: picture.target) }
        try assembly.add(tables: files.stringTables, developmentLanguage: information.language) { table, key in
            Terminal.warning("\(table.path): \"\(key)\" has plural forms; extensions here get the form \"other\" of it")
        }
        try assembly.finish()
        isFinished = true
        return .made
    }

    private func output(named product: String) throws(CommandError) -> URL {
        let name = output ?? product + ".appex"
        let place = URL(fileURLWithPath: name).standardizedFileURL
        guard place.pathExtension == "appex", place.lastPathComponent != ".appex" else {
            throw CommandError("\"\(name)\" is no name of a bundle", hint: "a bundle is called X.appex")
        }
        return place
    }
}
