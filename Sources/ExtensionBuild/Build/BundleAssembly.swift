// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// A bundle in the making: a folder beside its place, which it takes when it is whole.
struct BundleAssembly {
    let folder: URL
    private let place: URL

    init(at place: URL) throws(CommandError) {
        self.place = place
        let name = ".\(place.lastPathComponent).\(UUID().uuidString)"
        let parent = place.deletingLastPathComponent()
        folder = parent.appendingPathComponent(name)
        // What cannot be made is reported by the call below, whose reason is the system's.
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        guard mkdir(folder.path, 0o755) == 0, chmod(folder.path, 0o755) == 0 else {
            throw CommandError(
                "no bundle can be made at \"\(place.path)\": \(String(cString: strerror(errno)))",
                hint: "name a place in a folder of yours with --output"
            )
        }
    }

    /// Refuses to take the place of what no build has made, and of a folder in which a file of this build lies.
    static func check(_ place: URL, for files: [String]) throws(CommandError) {
        guard let facts = FileFacts(at: place.path, followsLinks: false) else { return }
        let real = { (path: String) in URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let inside = real(place.path) + "/"
        if let file = files.first(where: { (real($0) + "/").hasPrefix(inside) }) {
            throw CommandError(
                "\"\(place.path)\" cannot be replaced by the bundle: \"\(file)\", of which it is made, lies there",
                hint: "name another place with --output"
            )
        }
        guard facts.kind == .folder, BuildInputs.isMade(place) else {
            throw CommandError(
                "\"\(place.path)\" is no bundle that a build has made, and is left as it is",
                hint: "name another place with --output, or remove what stands there"
            )
        }
    }

    func add(_ data: Data, as name: String) throws(CommandError) {
        let file = folder.appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        } catch {
            throw CommandError(
                "\"\(file.path)\" cannot be written: \(error.localizedDescription)",
                hint: "look at the room and the permissions of \"\(folder.deletingLastPathComponent().path)\", or name "
                    + "another place with --output"
            )
        }
    }

    /// Copies a file or folder, under its own name where no other is said.
    func add(copyOf path: String, as given: String? = nil) throws(CommandError) {
        let name = given ?? URL(fileURLWithPath: path).lastPathComponent
        do {
            try FileManager.default.copyItem(atPath: path, toPath: folder.appendingPathComponent(name).path)
        } catch {
            throw CommandError(
                "\"\(path)\" cannot be put into the bundle: \(error.localizedDescription)",
                hint: "two resources of one name have no room: a bundle is flat"
            )
        }
    }

    /// Adds texts as `LANGUAGE.lproj/TABLE.strings`; false when there are none.
    func add(
        tables: [StringTableFile],
        developmentLanguage: String,
        plural: (StringTableFile, String) -> Void
    ) throws(CommandError) {
        var texts: [String: [String: String]] = [:]
        for table in tables {
            let found = try table.texts(developmentLanguage: developmentLanguage) { plural(table, $0) }
            for (language, entries) in found {
                guard Self.isLanguage(language) else {
                    throw CommandError(
                        "\(table.path): \"\(language)\" is no name of a language, so its texts have no folder",
                        hint: "a language is named by letters, digits, hyphens and underscores: pt-BR"
                    )
                }
                texts["\(language).lproj/\(table.table).strings", default: [:]].merge(entries) { $1 }
            }
        }
        for (name, entries) in texts {
            guard let data = try? PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
            else {
                throw CommandError(
                    "the texts of \"\(name)\" cannot be written as a property list",
                    hint: "look for signs in them that XML does not have, such as \\U0000"
                )
            }
            try add(data, as: name)
        }
    }

    /// Tells whether a text can name the folder of a language; a table of a stranger could name any other folder.
    private static func isLanguage(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Takes the place of what stands there.
    ///
    /// A host that runs the old bundle keeps it until it starts the next worker.
    func finish() throws(CommandError) {
        takeWritingFromOthers()
        let old = folder.path + ".old"
        let hadOld = rename(place.path, old) == 0
        guard rename(folder.path, place.path) == 0 else {
            let cause = String(cString: strerror(errno))
            if hadOld { _ = rename(old, place.path) }
            throw CommandError(
                "\"\(place.path)\" cannot be replaced: \(cause)",
                hint: "name another place with --output, or remove what stands there"
            )
        }
        if hadOld { try? FileManager.default.removeItem(atPath: old) }
    }

    /// Makes the bundle one that `serve` takes: none that others may write, whatever the mask of the process is, and
    /// the modes of the resources that were copied.
    private func takeWritingFromOthers() {
        for name in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            let path = "\(folder.path)/\(name)"
            guard let facts = FileFacts(at: path, followsLinks: false), facts.kind == .regular || facts.kind == .folder
            else { continue }
            chmod(path, mode_t(facts.permissions & ~0o022))
        }
    }

    /// Leaves nothing behind of a bundle that was not finished.
    func discard() {
        try? FileManager.default.removeItem(at: folder)
    }
}
