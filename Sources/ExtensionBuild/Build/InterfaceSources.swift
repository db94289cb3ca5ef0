// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// The storyboards, xibs and asset catalogues of an extension as Swift sources, and the files that they bring along.
struct InterfaceSources {
    /// The sources by paths beside the originals, at which there are no files.
    private(set) var texts: [String: [UInt8]] = [:]
    /// The files of the catalogues that the bundle gets.
    let pictures: [AssetCatalog.File]
    /// The statement with which a program makes them known; nil where there are none.
    private(set) var registration: String?
    private let storyboards: [Storyboard]
    /// The paths of all storyboards and xibs.
    let paths: [String]

    /// Reads the files and makes them into Swift; what is to be said about them is written to standard error.
    ///
    /// `classes` are those of the extension's sources; `main` is the storyboard with which the extension begins, and
    /// `language` that of its development.
    /// - Throws: `CommandError` when a file cannot be read, or refers to what is not there.
    init(
        _ files: ExtensionSources,
        classes: [ClassDeclaration],
        main: String?,
        language: String
    ) throws(CommandError) {
        var documents: [Storyboard] = []
        for path in files.interfaces {
            let contents = try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit)
            documents.append(try Storyboard(path: path, contents: contents))
        }
        let loose = Set(files.resources.map { URL(fileURLWithPath: $0).lastPathComponent })
        let catalogs = files.catalogs.isEmpty ? [] : [try AssetCatalog(folders: files.catalogs, taken: loose)]
        pictures = catalogs.flatMap(\.files)
        storyboards = documents.filter { $0.kind == .storyboard }
        paths = documents.map(\.path)
        var troubles = catalogs.flatMap(\.allTroubles)
        let unused = documents.filter { Self.isUnused($0, main: main) }
        troubles += unused.map(Self.warning)
        documents.removeAll { document in unused.contains { $0.path == document.path } }
        defer { for trouble in troubles { Terminal.passOn(trouble.description) } }
        guard let place = (documents.map(\.path) + catalogs.map(\.path)).first else { return }

        var names = GeneratedNames(files.swift)
        var options = InterfaceOptions()
        options.images = Set(files.resources.flatMap(Self.imageNames)).union(catalogs.flatMap(\.imageNames))
        for document in documents {
            // A file in a language has its texts in it.
            let hasTable = document.language == nil && files.stringTables.contains { $0.table == document.name }
            options.localizedTable = hasTable ? document.name : nil
            let first = documents.first { $0.name == document.name && $0.kind == document.kind }
            options.isPointedAt = first?.path == document.path
            let output = document.swift(classes: classes.map(InterfaceClass.init), options: options)
            texts[names.path(for: document.path)] = Array(output.source.utf8)
            troubles += output.troubles
        }
        for catalog in catalogs { texts[names.path(for: catalog.path)] = Array(catalog.swift.utf8) }
        let languages = try Self.languages(documents, files.stringTables, development: language)
        let made = InterfaceRegistration.swift(documents, catalogs: catalogs, languages: languages)
        let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
        let file = folder.appendingPathComponent("\(InterfaceRegistration.typeName) of the build").path
        texts[names.path(for: file)] = Array(made.source.utf8)
        registration = "MainActor.assumeIsolated { \(InterfaceRegistration.typeName).register() }"
        troubles += made.troubles
        guard let worst = troubles.first(where: { $0.severity == .error }) else { return }
        throw CommandError(
            "\"\(worst.path)\" does not fit the sources, see above",
            hint: "connect it anew in Interface Builder, or give the classes what it names"
        )
    }

    /// True for a storyboard from which nothing here makes a controller.
    private static func isUnused(_ document: Storyboard, main: String?) -> Bool {
        document.kind == .storyboard && document.name != main && document.initialController == nil
    }

    private static func warning(_ document: Storyboard) -> InterfaceTrouble {
        InterfaceTrouble(
            severity: .warning,
            path: document.path,
            line: document.root.line,
            message:
                "no view controller is the initial one, and nothing else begins with this storyboard: it is left out"
        )
    }

    /// The languages among which a view chooses; nil when files and texts are in one alone.
    private static func languages(
        _ documents: [Storyboard],
        _ tables: [StringTableFile],
        development: String
    ) throws(CommandError) -> InterfaceLanguages? {
        let names = Set(documents.map(\.name))
        var found = documents.compactMap(\.language)
        var hasTexts = false
        for table in tables where names.contains(table.table) {
            hasTexts = true
            found += try table.texts(developmentLanguage: development, plural: { _ in }).keys
        }
        guard hasTexts || !found.isEmpty else { return nil }
        // iOS chooses among all languages of a bundle, not of one table.
        return InterfaceLanguages(found + tables.compactMap(\.language) + [development], development: development)
    }

    /// The storyboard of that name; nil when there is none among the files.
    func storyboard(_ name: String) -> Storyboard? { storyboards.first { $0.name == name } }

    /// The names by which code and storyboards know a picture: with and without its extension, and without its scale.
    private static func imageNames(of path: String) -> [String] {
        let file = URL(fileURLWithPath: path)
        let stem = file.deletingPathExtension().lastPathComponent
        let plain = ["@2x", "@3x"].reduce(stem) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
        return [file.lastPathComponent, stem, plain]
    }
}

/// Places for sources that a build makes, none of which has the name of another source.
private struct GeneratedNames {
    /// The compiler takes no two files of one name, wherever they lie.
    private var taken: Set<String>

    init(_ sources: [String]) {
        taken = Set(sources.map { URL(fileURLWithPath: $0).lastPathComponent })
    }

    /// The path with ".swift" behind it, and a number where a source has that name.
    mutating func path(for path: String) -> String {
        let name = URL(fileURLWithPath: path).lastPathComponent
        var ending = ".swift"
        var number = 1
        while !taken.insert(name + ending).inserted {
            number += 1
            ending = " \(number).swift"
        }
        return path + ending
    }
}

extension InterfaceClass {
    /// Takes over whatever an interface file can name of a class of the sources.
    ///
    /// iOS takes a function for an action that is marked for Objective-C alone, and so does a build here.
    init(_ declaration: ClassDeclaration) {
        self.init(
            name: declaration.name,
            objectiveCName: declaration.objectiveCName,
            superclass: declaration.isForeign ? nil : declaration.superclass ?? "NSObject",
            outlets: declaration.outlets.map(Property.init),
            actions: declaration.functions.filter { $0.isAction || $0.isExposed }.map(\.selector),
            inspectables: declaration.inspectables.map(Property.init)
        )
    }
}

extension InterfaceClass.Property {
    /// Takes over a property of the sources; a list is written in brackets.
    init(_ declaration: PropertyDeclaration) {
        self.init(
            name: declaration.name,
            type: declaration.type,
            objectiveCName: declaration.objectiveCName,
            isConstant: declaration.isConstant
        )
    }
}
