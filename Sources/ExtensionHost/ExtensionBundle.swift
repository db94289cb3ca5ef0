// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import WorkerFolders

/// A service extension's bundle: a folder with `Info.plist` and an executable.
///
/// Source: Apple, "Information Property List"; docs/extensions.md.
struct ExtensionBundle: Equatable {
    let path: String
    let bundleIdentifier: String
    let executable: String
    let filtersNotifications: Bool
    let maxConcurrentRequests: Int
    /// The hosts that the extension may reach, if the operator grants it a network.
    let networkHosts: [NetworkHost]
    /// Files that a sealed payload names come before it, not after it.
    let seesSealedFiles: Bool
    /// The language of its texts, where nobody says another.
    let developmentRegion: String?
    /// True when the executable begins with "#!".
    let isScript: Bool
    /// The attributes of a content extension's view; `nil` of a service extension.
    let content: ContentAttributes?

    /// The identifier of the app the extension belongs to: its own without the last component.
    var app: String { Self.app(ofExtension: bundleIdentifier) }

    private static func app(ofExtension bundleIdentifier: String) -> String {
        bundleIdentifier.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    }

    /// Reads and checks the bundle of an extension of that point, for `app` if it is given.
    init(
        path: String,
        app: String? = nil,
        point expected: ExtensionPoint = .service
    ) throws(CommandError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError(
                "\"\(path)\" is no folder",
                hint: "a bundle is a folder X.appex with Info.plist and an executable"
            )
        }
        let info = try Self.info(in: path)
        // The launcher goes through no link: it must find this very folder.
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        bundleIdentifier = try info.string("CFBundleIdentifier")
        executable = try info.string("CFBundleExecutable")
        let service = try info.dictionary("NSExtension")
        let point = try service.string("NSExtensionPointIdentifier")
        guard point == expected.rawValue else {
            let hint =
                switch expected {
                case .service:
                    "a notification service extension has \"\(expected.rawValue)\"; \"view\" shows a content extension"
                case .content:
                    "a notification content extension has \"\(expected.rawValue)\"; \"run\" runs a service extension"
                }
            throw CommandError("\(info.file): NSExtensionPointIdentifier is \"\(point)\"", hint: hint)
        }
        developmentRegion = info.values["CFBundleDevelopmentRegion"] as? String
        let attributes = try service.optionalDictionary("NSExtensionAttributes")
        filtersNotifications = attributes?.values["NotificationFiltering"] as? Bool ?? false
        maxConcurrentRequests = min(64, max(1, attributes?.values["MaxConcurrentRequests"] as? Int ?? 1))
        networkHosts = try attributes?.networkHosts() ?? []
        try attributes?.checkAppGroups()
        seesSealedFiles = try attributes?.seesSealedFiles() ?? false
        content =
            expected == .content ? try ContentAttributes(attributes?.values ?? [:], file: info.file) : nil
        try Self.checkIdentifier(bundleIdentifier, app: app ?? Self.app(ofExtension: bundleIdentifier), file: info.file)
        let program = try Self.program(executable, in: self.path, file: info.file)
        isScript = try BundleFile.start(of: program, byteCount: 2) == Array("#!".utf8)
    }

    private static func checkIdentifier(
        _ bundleIdentifier: String,
        app expected: String,
        file: String
    ) throws(CommandError) {
        let prefix = expected + "."
        let component = bundleIdentifier.dropFirst(prefix.count)
        guard !expected.isEmpty, bundleIdentifier.hasPrefix(prefix), !component.isEmpty, !component.contains(".") else {
            throw CommandError(
                "\(file): CFBundleIdentifier \"\(bundleIdentifier)\" does not belong to the app \"\(expected)\"",
                hint: "an extension's identifier is its app's and one component more: \"\(expected).service\""
            )
        }
    }

    /// The path of the executable, if that may be run.
    private static func program(_ executable: String, in path: String, file: String) throws(CommandError) -> String {
        guard !executable.contains("/"), executable != ".", executable != ".." else {
            throw CommandError("\(file): CFBundleExecutable \"\(executable)\" must be a name without a folder")
        }
        let program = path + "/" + executable
        guard let facts = FileFacts(at: program, followsLinks: false) else {
            throw CommandError("\"\(program)\" does not exist", hint: "build the extension into its bundle")
        }
        guard facts.kind == .regular else { throw CommandError("\"\(program)\" is no regular file") }
        guard facts.permissions & 0o111 != 0 else {
            throw CommandError("\"\(program)\" is not executable", hint: "chmod 755 \(program)")
        }
        guard facts.permissions & 0o002 == 0 else {
            throw CommandError("\"\(program)\" can be written by anyone", hint: "chmod 755 \(program)")
        }
        return program
    }

    // MARK: Info.plist

    private struct Info {
        let file: String
        let values: [String: Any]

        func string(_ key: String) throws(CommandError) -> String {
            guard let text = values[key] as? String, !text.isEmpty else {
                throw CommandError("\(file): \(key) is missing or no text")
            }
            return text
        }

        func dictionary(_ key: String) throws(CommandError) -> Info {
            guard let info = try optionalDictionary(key) else { throw CommandError("\(file): \(key) is missing") }
            return info
        }

        func optionalDictionary(_ key: String) throws(CommandError) -> Info? {
            guard let value = values[key] else { return nil }
            guard let values = value as? [String: Any] else { throw CommandError("\(file): \(key) is no dictionary") }
            return Info(file: file, values: values)
        }

        func seesSealedFiles() throws(CommandError) -> Bool {
            guard let value = values["SealedAttachments"] else { return false }
            guard let text = value as? String else {
                throw CommandError("\(file): SealedAttachments is no text")
            }
            guard text == "before" else {
                throw CommandError(
                    "\(file): SealedAttachments is \"\(text)\"",
                    hint: "write before, or leave the key out: the files come after the extension then"
                )
            }
            return true
        }

        /// The worker makes folders of these names, when its extension asks for one.
        func checkAppGroups() throws(CommandError) {
            guard let value = values["AppGroups"] else { return }
            guard let names = value as? [String] else { throw CommandError("\(file): AppGroups is no list of texts") }
            guard let wrong = names.first(where: { !WorkerFolders.isAppGroup($0) }) else { return }
            throw CommandError(
                "\(file): AppGroups holds \"\(wrong)\", which cannot be a group",
                hint: "a group is named like group.com.example.chat, with letters, digits, \"-\", \"_\" and \".\""
            )
        }

        func networkHosts() throws(CommandError) -> [NetworkHost] {
            guard let value = values["NetworkHosts"] else { return [] }
            guard let entries = value as? [String] else {
                throw CommandError("\(file): NetworkHosts is no list of texts")
            }
            guard entries.count <= NetworkHost.limit else {
                throw CommandError(
                    "\(file): NetworkHosts has \(entries.count) entries, at most \(NetworkHost.limit) are possible"
                )
            }
            return try entries.map { entry throws(CommandError) in
                do {
                    return try NetworkHost(parsing: entry)
                } catch {
                    throw CommandError(
                        "\(file): NetworkHosts holds \"\(entry)\": \(error)",
                        hint: "write media.example.com, name:8443, *.example.com or http://name:8080"
                    )
                }
            }
        }
    }

    private static func info(in path: String) throws(CommandError) -> Info {
        let file = path + "/Info.plist"
        guard let values = try BundleFile.propertyList(at: file) as? [String: Any] else {
            throw CommandError("\(file): not a property list of a dictionary")
        }
        return Info(file: file, values: values)
    }
}
