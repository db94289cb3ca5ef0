// SPDX-License-Identifier: Apache-2.0

import CenterLink
import CenterProtocol
import ExtensionBuild
import Foundation
import HostRuntime

/// The picture and the sounds of an app for notification centres, as they are on the disk when the host starts.
///
/// The confined host opens them again for each centre that it reaches, and goes through no link then.
enum CenterFiles {
    /// Refuses a file that no centre would show.
    static func checkIcon(_ path: String) throws(CommandError) {
        try WritersOfBundle.own.check(path)
        try check(path, as: .icon)
    }

    /// The names of the sounds in a folder, which holds nothing else but what is hidden, in their order.
    static func sounds(in folder: String) throws(CommandError) -> [String] {
        guard let facts = FileFacts(at: folder, followsLinks: false) else { throw missing(folder) }
        guard facts.kind == .folder else {
            throw CommandError("\"\(folder)\" is no folder", hint: "name the folder of the app's sounds itself")
        }
        try WritersOfBundle.own.check(folder)
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw CommandError("\"\(folder)\" cannot be read", hint: "chmod go+rx \(folder)")
        }
        let sounds = names.filter { !$0.hasPrefix(".") }
        guard sounds.count <= AppFile.soundLimit else {
            throw CommandError(
                "\"\(folder)\" holds \(sounds.count) files, at most \(AppFile.soundLimit) sounds are possible",
                hint: "name a folder with the sounds of this app alone"
            )
        }
        for name in sounds {
            guard AppFileUse.isSoundName(name) else {
                throw CommandError(
                    "\"\(folder)/\(name)\" cannot be a sound",
                    hint: "a name has at most 64 letters, digits, \" \", \".\", \"_\" and \"-\", and ends in "
                        + AppFileUse.soundEndings.joined(separator: ", ")
                )
            }
            try check("\(folder)/\(name)", as: .sound(name))
        }
        return sounds
    }

    private static func check(_ path: String, as use: AppFileUse) throws(CommandError) {
        guard let facts = FileFacts(at: path, followsLinks: false) else { throw missing(path) }
        guard facts.kind != .link else {
            throw CommandError("\"\(path)\" is a link", hint: "put the file itself in its place")
        }
        guard facts.kind == .regular else { throw CommandError("\"\(path)\" is no regular file") }
        guard (1...use.maximumByteCount).contains(facts.byteCount) else {
            throw CommandError(
                "\"\(path)\" has \(facts.byteCount) bytes, 1 to \(use.maximumByteCount) are possible"
            )
        }
        let start = try BundleFile.start(of: path, byteCount: min(facts.byteCount, AppFileUse.lookedAtByteCount))
        guard use.fits(start) else {
            switch use {
            case .icon: throw CommandError("\"\(path)\" is no PNG", hint: "an icon is a PNG, whatever its name is")
            case .sound:
                throw CommandError(
                    "\"\(path)\" is not what its name says",
                    hint: "its first bytes are of another type: give it the ending of what it is"
                )
            }
        }
    }

    private static func missing(_ path: String) -> CommandError {
        CommandError(
            "\"\(path)\" is not there",
            hint: "a relative path begins in the folder of the configuration"
        )
    }
}

extension CenterWords {
    /// Looks at the files that the words name.
    mutating func readFiles(_ words: ConfigurationSection<Self>, _ faults: inout ConfigurationFaults) {
        if let icon {
            do throws(CommandError) { try CenterFiles.checkIcon(icon) } catch {
                faults.add(words.fault(\.icon, "is not usable: \(error.message)", hint: error.hint))
            }
        }
        guard let sounds else { return }
        do throws(CommandError) { soundNames = try CenterFiles.sounds(in: sounds) } catch {
            faults.add(words.fault(\.sounds, "is not usable: \(error.message)", hint: error.hint))
        }
    }

    /// The files that centres are handed for the app.
    func files(of topic: String) -> [HostedAppFile] {
        let icons = icon.map { [HostedAppFile(AppFile(topic: topic, .icon), path: $0)] } ?? []
        return icons
            + soundNames.map { name in
                HostedAppFile(AppFile(topic: topic, .sound(name)), path: "\(sounds ?? "")/\(name)")
            }
    }

    /// The paths that the confined host reads.
    var readable: [String] { [icon, sounds].compactMap { $0 } }
}
