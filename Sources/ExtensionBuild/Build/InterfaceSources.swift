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
    private let storyboards: Set<String>

    /// Reads the files and makes them into Swift; what is to be said about them is written to standard error.
    ///
    /// `classes` are those of the extension's sources.
    /// - Throws: `CommandError` when a file cannot be read, or refers to what is not there.
    init(_ files: ExtensionSources, classes: [ClassDeclaration]) throws(CommandError) {
        var documents: [Storyboard] = []
        for path in files.interfaces {
            let contents = try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit)
            documents.append(try Storyboard(path: path, contents: contents))
        }
        var catalogs: [AssetCatalog] = []
        for path in files.catalogs { catalogs.append(try AssetCatalog(folder: path)) }
        pictures = catalogs.flatMap(\.files)
        storyboards = Set(documents.filter { $0.kind == .storyboard }.map(\.name))
        guard let place = (documents.map(\.path) + catalogs.map(\.path)).first else { return }

        var options = InterfaceOptions()
        options.images = Set(files.resources.flatMap(Self.imageNames)).union(catalogs.flatMap(\.imageNames))
        var troubles = catalogs.flatMap(\.allTroubles)
        for document in documents {
            options.localizedTable = files.stringTables.contains { $0.table == document.name } ? document.name : nil
            let output = document.swift(classes: classes.map(InterfaceClass.init), options: options)
            texts[document.path + ".swift"] = Array(output.source.utf8)
            troubles += output.troubles
        }
        for catalog in catalogs { texts[catalog.path + ".swift"] = Array(catalog.swift.utf8) }
        let made = InterfaceRegistration.swift(documents, catalogs: catalogs)
        let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
        texts[folder.appendingPathComponent("\(InterfaceRegistration.typeName) of the build.swift").path] =
            Array(made.source.utf8)
        registration = "MainActor.assumeIsolated { \(InterfaceRegistration.typeName).register() }"
        troubles += made.troubles
        for trouble in troubles { Terminal.passOn(trouble.description) }
        guard let worst = troubles.first(where: { $0.severity == .error }) else { return }
        throw CommandError(
            "\"\(worst.path)\" does not fit the sources, see above",
            hint: "connect it anew in Interface Builder, or give the classes what it names"
        )
    }

    /// Tells whether a storyboard of that name is among the files.
    func has(storyboard name: String) -> Bool { storyboards.contains(name) }

    /// The names by which code and storyboards know a picture: with and without its extension, and without its scale.
    private static func imageNames(of path: String) -> [String] {
        let file = URL(fileURLWithPath: path)
        let stem = file.deletingPathExtension().lastPathComponent
        let plain = ["@2x", "@3x"].reduce(stem) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
        return [file.lastPathComponent, stem, plain]
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
            objectiveCName: declaration.objectiveCName
        )
    }
}
