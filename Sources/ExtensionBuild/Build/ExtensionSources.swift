// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// The files of an extension, sorted by what is done with them.
struct ExtensionSources {
    private(set) var swift: [String] = []
    private(set) var informationFiles: [String] = []
    private(set) var entitlements: [String] = []
    /// Tables of texts, each with the language of the `.lproj` folder it stands in, if any.
    private(set) var stringTables: [StringTableFile] = []
    /// Storyboards and xibs.
    private(set) var interfaces: [String] = []
    /// Asset catalogues, which are folders.
    private(set) var catalogs: [String] = []
    /// Everything else that a bundle carries.
    private(set) var resources: [String] = []
    /// Headers that show Objective-C and C to Swift.
    private(set) var bridgingHeaders: [String] = []
    /// Sources of other languages, which nothing here compiles.
    private(set) var foreign: [String] = []

    /// Files and folders; a folder stands for all below it but what is hidden.
    init(_ paths: [String]) throws(CommandError) {
        for path in paths {
            let url = URL(fileURLWithPath: path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
                throw CommandError("the source \"\(path)\" does not exist", hint: Self.placeHint)
            }
            if url.pathExtension == "xcassets" {
                catalogs.append(url.standardizedFileURL.path)
            } else if isFolder.boolValue {
                try addFolder(url, named: path)
            } else {
                add(url.standardizedFileURL)
            }
        }
        guard !swift.isEmpty else {
            throw CommandError(
                "no Swift source in \(paths.map { "\"\($0)\"" }.joined(separator: ", "))",
                hint: "name the extension's files or their folder"
            )
        }
        if let main = swift.first(where: { $0.hasSuffix("/main.swift") }) {
            throw CommandError(
                "\"\(main)\" cannot be part of an extension",
                hint: "its start is generated from NSExtensionPrincipalClass; leave the file out"
            )
        }
    }

    /// The files of a target of a project.
    ///
    /// Folders are resources, but for asset catalogues. Throws when none of them is Swift.
    init(ofTarget files: [ProjectMembers.File], _ name: String, place: String) throws(CommandError) {
        for file in files.sorted(by: { $0.url.path < $1.url.path }) {
            try Self.check(file.url, place: "\(file.place): ")
            if file.url.pathExtension == "xcassets" {
                catalogs.append(file.url.path)
            } else if file.url.lastPathComponent != "Info.plist" {
                add(file.url)
            }
        }
        guard !swift.isEmpty else {
            throw CommandError(
                "\(place): the target \(name) has no Swift source",
                hint: foreign.isEmpty
                    ? "add its files to the target in Xcode"
                    : "only Swift is compiled here, and \"\(foreign[0])\" is not"
            )
        }
    }

    private static let placeHint =
        "paths count from the folder in which the command runs: "
        + FileManager.default.currentDirectoryPath

    mutating func addResources(_ paths: [String]) throws(CommandError) {
        for path in paths {
            let url = URL(fileURLWithPath: path).standardizedFileURL
            guard let facts = FileFacts(at: url.path) else {
                throw CommandError("the resource \"\(path)\" does not exist", hint: Self.placeHint)
            }
            guard facts.kind == .regular || facts.kind == .folder else {
                throw CommandError(
                    "the resource \"\(path)\" is neither a regular file nor a folder",
                    hint: "name a copy of it, or the file that it leads to"
                )
            }
            if let table = StringTableFile(url) { stringTables.append(table) } else { resources.append(url.path) }
        }
    }

    private mutating func addFolder(_ folder: URL, named name: String) throws(CommandError) {
        let files = FileManager.default.enumerator(
            at: folder.standardizedFileURL,
            includingPropertiesForKeys: [.isRegularFileKey],
            options: [.skipsHiddenFiles]
        )
        guard let files else {
            throw CommandError("the folder \"\(name)\" is not readable", hint: "look at its permissions")
        }
        var found: [URL] = []
        for case let file as URL in files {
            if ["appex", "xcodeproj", "xcworkspace"].contains(file.pathExtension) {
                files.skipDescendants()
            } else if file.pathExtension == "xcassets" {
                files.skipDescendants()
                // A link leads out of the project, as that of a file would.
                if FileFacts(at: file.path, followsLinks: false)?.kind == .folder {
                    catalogs.append(file.standardizedFileURL.path)
                }
            } else if (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true {
                found.append(file)
            }
        }
        for file in found.sorted(by: { $0.path < $1.path }) { add(file) }
        catalogs.sort()
    }

    /// Refuses what is neither a file nor a folder: whoever copies a pipe waits for its writer.
    private static func check(_ file: URL, place: @autoclosure () -> String = "") throws(CommandError) {
        let kind = FileFacts(at: file.path)?.kind
        guard kind != .regular, kind != .folder else { return }
        throw CommandError(
            "\(place())\"\(file.path)\" is neither a regular file nor a folder",
            hint: "name a copy of it, or take it out of the sources"
        )
    }

    /// Names the one bridging header of a target.
    mutating func setBridgingHeader(_ path: String) { bridgingHeaders = [path] }

    /// Adds a file that a module beside the extension carries.
    mutating func addFile(_ file: URL) throws(CommandError) {
        try Self.check(file)
        if file.pathExtension == "xcassets" {
            catalogs.append(file.path)
        } else if !["swift", "plist", "entitlements", "h", "modulemap"].contains(file.pathExtension) {
            add(file)
        }
    }

    private mutating func add(_ file: URL) {
        if let table = StringTableFile(file) {
            stringTables.append(table)
            return
        }
        switch file.pathExtension {
        case "swift": swift.append(file.path)
        case "plist" where Self.isInformation(file): informationFiles.append(file.path)
        case "entitlements": entitlements.append(file.path)
        case "h" where file.lastPathComponent.hasSuffix("Bridging-Header.h"): bridgingHeaders.append(file.path)
        case "m", "mm", "c", "cc", "cpp", "h", "pch", "modulemap": foreign.append(file.path)
        case "storyboard", "xib": interfaces.append(file.path)
        case "apns", "md", "xcconfig", "intentdefinition": break
        default: resources.append(file.path)
        }
    }

    /// Tells whether a property list is the one of the bundle: "Info.plist", or one of a longer name that describes an
    /// extension, which "GoogleService-Info.plist" does not.
    private static func isInformation(_ file: URL) -> Bool {
        guard file.lastPathComponent.hasSuffix("Info.plist") else { return false }
        let values = try? BundleFile.propertyList(at: file.path) as? [String: Any]
        return file.lastPathComponent == "Info.plist" || values?["NSExtension"] != nil
    }
}
