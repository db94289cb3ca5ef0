// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compiles and links an extension into one executable.
struct ExtensionCompiler {
    var sdk: ExtensionSDK
    var module: String
    var languageMode: String
    var furtherArguments: [String]
    /// Swift's own libraries become part of the executable.
    var isStatic: Bool
    /// The bundle lists hosts, so that a URL that the extension reads may be one of a web server.
    var mayReachHosts: Bool

    /// Modules that every source sees without importing them, beside the one that stands for Apple's Foundation.
    var bridgedModules: [String] = []
    /// True if a module of the app hides one of the SDK, on which modules that nobody asked for may stand.
    private(set) var hidesModules = false
    /// Modules that every source sees, because on iOS other modules bring them along.
    private(set) var impliedModules: [String] = []

    /// The compiler on PATH.
    static func onPath(_ path: String? = ProcessInfo.processInfo.environment["PATH"]) throws(CommandError) -> String {
        for folder in (path ?? "").split(separator: ":") {
            let program = "\(folder)/swiftc"
            if FileManager.default.isExecutableFile(atPath: program) { return program }
        }
        throw CommandError(
            "there is no swiftc on PATH",
            hint: "install Swift, the version that built \(Terminal.program), and add its usr/bin to PATH"
        )
    }

    /// True when the SDK or Swift itself has the module.
    func has(module: String) -> Bool {
        guard !sdk.has(module: module) else { return true }
        guard let compiler = try? Self.onPath() else { return false }
        let library = URL(fileURLWithPath: compiler).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib")
        return ["swift/linux", "swift_static/linux"].contains { folder in
            let path = library.appendingPathComponent(folder).appendingPathComponent("\(module).swiftmodule").path
            return FileManager.default.fileExists(atPath: path)
        }
    }

    /// The arguments of compiler and linker that decide the result beside the sources, for the stamp of a build.
    var options: [String] {
        compilation + link + (mayReachHosts || !isStatic ? contentLoader : []) + linkEnvironment.values
    }

    private var compilation: [String] {
        var options = ["-O", "-wmo", "-module-name", module, "-swift-version", languageMode]
        if languageMode == "5" { options += ["-enable-upcoming-feature", "BareSlashRegexLiterals"] }
        options += sdk.modules.flatMap { ["-I", $0] } + frontend("-import-module", implicitImport)
        options += (bridgedModules + impliedModules).flatMap { frontend("-import-module", $0) }
        // libcurl stands behind FoundationNetworking, with 27 libraries behind it: only for those who call it.
        if isStatic { options += ["-static-stdlib"] + frontend("-disable-autolink-library", "curl") }
        return options + Self.withoutFiles(furtherArguments)
    }

    private var link: [String] {
        var options = ["-use-ld=lld"] + linker("--gc-sections", "--strip-all")
        if isStatic {
            options += ["-static-stdlib"] + Self.randomIdentifiers.flatMap { linker("--wrap=\($0)") }
            return options + furtherArguments + sdk.archives + linker("--as-needed", "-lcurl")
        }
        // The executable's come before the libraries'.
        options += Self.randomIdentifiers.flatMap {
            linker("--defsym=\($0)=__wrap_\($0)", "--export-dynamic-symbol=\($0)")
        }
        // BoringSSL is C++; Swift brings it along only in one piece, as the library with the tables of languages.
        return options + furtherArguments + sdk.archives + ["-l_FoundationICU"] + (sdk.usesCrypto ? ["-lstdc++"] : [])
    }

    /// Leaves out the shared libraries that modules name and nothing refers to, and what stands behind those.
    ///
    /// FoundationNetworking alone brings libcurl and 27 libraries into each process. `--as-needed` counts for what
    /// comes after it, and Swift's compiler puts the libraries that modules name before every argument for the linker;
    /// clang, which it links with, takes an argument for its beginning from this variable (`#`: without a remark).
    private var linkEnvironment: [String: String] {
        isStatic ? [:] : ["CCC_OVERRIDE_OPTIONS": "#^-Wl,--as-needed"]
    }

    /// Takes the class that reads URLs which are no files out of Swift's libraries, and with it libcurl.
    ///
    /// Foundation looks for `FoundationNetworking._NSNonfileURLContentLoader` by name at run time, so that nothing that
    /// a linker sees refers to it.
    private var contentLoader: [String] {
        isStatic
            ? linker("-u", "$s20FoundationNetworking26_NSNonfileURLContentLoaderCMn")
            : linker("--no-as-needed", "-lFoundationNetworking", "--as-needed")
    }

    /// Arguments without those that only a linker reads.
    private static func withoutFiles(_ arguments: [String]) -> [String] {
        let files = Set(files(arguments))
        return arguments.enumerated().filter { !files.contains($0.offset) }.map(\.element)
    }

    /// The places of objects and libraries, which only a linker reads, among arguments.
    private static func files(_ arguments: [String]) -> [Int] {
        arguments.indices.filter { place in
            (place == 0 || arguments[place - 1] != "-Xlinker")
                && ["o", "a", "so"].contains(URL(fileURLWithPath: arguments[place]).pathExtension)
        }
    }

    /// Foundation's own read a device that a sandbox does not have; in their places stand those of linux_uuid.c.
    private static let randomIdentifiers = ["uuid_generate_random", "_foundation_uuid_generate_random"]

    /// Keeps 32 MB of ICU's tables out of what the limit of a process's memory counts.
    ///
    /// Swift marks its constants as writable, and a linker makes all of `.rodata` so. Pages of it that nobody changes
    /// cost nothing, but RLIMIT_DATA counts them; these tables have no part in it.
    static let linkerScript = """
        SECTIONS { .icudata : { *icu_packaged_data*(.rodata .rodata.*) } } INSERT BEFORE .eh_frame_hdr;

        """

    /// The module that every source sees without importing it, because Apple's Foundation has its declarations.
    private var implicitImport: String {
        sdk.has(module: "FoundationCompatibility") ? "FoundationCompatibility" : "FoundationNetworking"
    }

    /// The compiler of sources, which see what their imports bring along on iOS.
    private func implying(_ sources: [String: [UInt8]]) -> ExtensionCompiler {
        guard !hidesModules else { return self }
        var compiler = self
        compiler.impliedModules = ImpliedModules.names(in: sources.values).filter { $0 != module && has(module: $0) }
        return compiler
    }

    private func frontend(_ arguments: String...) -> [String] {
        arguments.flatMap { ["-Xfrontend", $0] }
    }

    private func linker(_ arguments: String...) -> [String] {
        arguments.flatMap { ["-Xlinker", $0] }
    }

    /// Runs the compiler on the originals' names, with the stripped sources in their places, for each module and for
    /// the extension; then the linker.
    func compile(
        _ sources: [String: [UInt8]],
        beside modules: [CompiledModule],
        main: String,
        into executable: URL,
        work: URL
    ) throws -> CompilerOutput {
        let mainFile = work.appendingPathComponent("main.swift")
        try Data(main.utf8).write(to: mainFile)
        var said = ""
        var objects: [CompiledObject] = []
        var compiler = self
        compiler.hidesModules = modules.map(\.sources.name).contains(where: sdk.has(module:))
        for module in modules {
            let output = try compiler.compile(module, into: &objects, work: work)
            said += output.text
            guard output.succeeded else { return CompilerOutput(text: said, succeeded: false) }
        }
        let overlay = try SourceOverlay(sources, in: work)
        let object = CompiledObject(path: work.appendingPathComponent("extension.o").path)
        let compiled = try run(
            sources.keys.sorted() + [mainFile.path, "-vfsoverlay", overlay.file.path]
                + (modules.isEmpty ? [] : ["-I", work.path]) + compiler.implying(sources).compilation
                + ["-c", "-o", object.path]
        )
        said += compiled.text
        objects.append(object)
        guard compiled.succeeded else { return CompilerOutput(text: said, succeeded: false) }
        let script = work.appendingPathComponent("sections.ld")
        try Data(Self.linkerScript.utf8).write(to: script)
        // In one piece without hosts nothing can be reached, and libcurl would make each start slower.
        let needsLoader =
            try objects.contains { try $0.readsContentsOfURLs() } || !isStatic && !Self.files(furtherArguments).isEmpty
        let loader = needsLoader && (mayReachHosts || !isStatic) ? contentLoader : []
        let linked = try run(
            objects.map(\.path) + link + loader + (isStatic ? linker("-T", script.path) : []) + [
                "-o", executable.path,
            ],
            environment: linkEnvironment
        )
        return CompilerOutput(text: said + linked.text, succeeded: linked.succeeded)
    }

    /// Compiles a module to its object and to what its importers read.
    private func compile(
        _ module: CompiledModule,
        into objects: inout [CompiledObject],
        work: URL
    ) throws -> CompilerOutput {
        let folder = work.appendingPathComponent("module\(objects.count)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let overlay = try SourceOverlay(module.texts, in: folder)
        let object = CompiledObject(path: folder.appendingPathComponent("module.o").path)
        var compiler = self
        compiler.module = module.sources.name
        compiler.languageMode = module.sources.languageMode
        compiler.furtherArguments = module.sources.compilerArguments
        compiler.bridgedModules = []
        compiler = compiler.implying(module.texts)
        objects.append(object)
        let interface = work.appendingPathComponent("\(module.sources.name).swiftmodule").path
        return try run(
            module.texts.keys.sorted() + ["-vfsoverlay", overlay.file.path, "-parse-as-library", "-I", work.path]
                + compiler.compilation + ["-emit-module", "-emit-module-path", interface, "-c", "-o", object.path]
        )
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> CompilerOutput {
        let result = try ChildProgram(
            path: try Self.onPath(),
            arguments: arguments + [Terminal.hasColors ? "-color-diagnostics" : "-no-color-diagnostics"],
            environment: environment,
            errors: .joined
        ).run()
        return CompilerOutput(
            text: String(decoding: result.output, as: UTF8.self),
            succeeded: result.status == 0
        )
    }
}

/// The compiler's messages, and whether the compiler made the file that it was asked for.
struct CompilerOutput {
    let text: String
    let succeeded: Bool
}

/// A file system of the compiler's own: under the names of the originals it finds the stripped sources.
private struct SourceOverlay {
    let file: URL

    private struct Root: Encodable {
        struct Content: Encodable {
            let name: String
            let type = "file"
            let externalContents: String

            enum CodingKeys: String, CodingKey {
                case name, type
                case externalContents = "external-contents"
            }
        }

        let name: String
        let type = "directory"
        let contents: [Content]
    }

    private struct Description: Encodable {
        let version = 0
        // Diagnostics and #filePath name the original.
        let useExternalNames = false
        let roots: [Root]

        enum CodingKeys: String, CodingKey {
            case version, roots
            case useExternalNames = "use-external-names"
        }
    }

    init(_ sources: [String: [UInt8]], in work: URL) throws {
        var contents: [String: [Root.Content]] = [:]
        for (number, (path, source)) in sources.sorted(by: { $0.key < $1.key }).enumerated() {
            let copy = work.appendingPathComponent("source\(number).swift")
            try Data(source).write(to: copy)
            let original = URL(fileURLWithPath: path)
            contents[original.deletingLastPathComponent().path, default: []].append(
                Root.Content(name: original.lastPathComponent, externalContents: copy.path)
            )
        }
        file = work.appendingPathComponent("overlay.json")
        let roots = contents.map { Root(name: $0.key, contents: $0.value) }
        try JSONEncoder().encode(Description(roots: roots)).write(to: file)
    }
}
