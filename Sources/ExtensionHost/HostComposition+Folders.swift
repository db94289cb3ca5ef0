// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostConfinement
import HostRuntime
import KeychainStore
import WorkerSupervisor

// What the host keeps on a disk, and what it may still reach afterwards.
extension HostComposition {
    static func folder(_ state: String?) throws(CommandError) -> HostFolder {
        do throws(StateFolderError) {
            guard let state else { return try HostFolder(temporaryBelow: temporaryBase) }
            return try HostFolder(state: state)
        } catch {
            throw CommandError(error)
        }
    }

    static func attachmentStore(in folder: HostFolder, _ clock: HostClock) throws(CommandError) -> AttachmentStore {
        do throws(StateFolderError) {
            try folder.makeAttachments()
            return try AttachmentStore(folder: folder.attachments, clock: clock)
        } catch {
            throw CommandError(error)
        }
    }

    /// Keychains live as long as the folder of the host's state; without one, as long as the process.
    static func keychains(in folder: HostFolder) throws(CommandError) -> KeychainStore {
        guard !folder.isTemporary else { return KeychainStore(folder: nil, key: .temporary()) }
        do throws(StateFolderError) { try folder.makeKeychains() } catch { throw CommandError(error) }
        do throws(KeychainKey.Failure) {
            return KeychainStore(folder: folder.path, key: try KeychainKey(file: folder.path + "/keychain.key"))
        } catch {
            throw CommandError(
                "\(error.path) \(error.reason)",
                hint: "it is the key of the apps' keychains: 32 bytes, mode 0600; without it they cannot be read"
            )
        }
    }

    private static var temporaryBase: String {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return base.hasPrefix("/") ? URL(fileURLWithPath: base).standardizedFileURL.path : "/tmp"
    }
}

extension HostFolder {
    /// Makes the folder of what an extension stores, for the user that its processes have.
    func makeStorage(
        of supervised: inout SupervisedExtension,
        at index: Int,
        _ launcher: Launcher.Capabilities
    ) throws(CommandError) {
        let user = launcher.user(ofSiteAt: index)
        do throws(StateFolderError) {
            supervised.storagePath = try makeStorage(of: supervised.app, user: user)
        } catch {
            throw CommandError(error)
        }
        // With a root of its own an extension is brought there; without, it goes there itself.
        guard !launcher.hasOwnRoot, user != geteuid(), let storage = supervised.storagePath,
            let closed = Self.closedFolder(onTheWayTo: storage)
        else { return }
        throw CommandError(
            "\"\(closed)\" is closed to the user of \"\(supervised.app)\", whose extension stores things below it",
            hint: "chmod o+x \(closed), or give the app \"scratch: 0\""
        )
    }
}

extension HostConfinement {
    init(
        writing folder: HostFolder,
        listening: HostConfiguration.Listening,
        reach: HostReach,
        hidingKeys keyFiles: [String]
    ) {
        let files = ReloadedFiles.places(of: listening.files, awayFrom: keyFiles, home: NSHomeDirectory())
        self.init(
            writableFolders: [folder.path] + reach.writableFolders,
            readable: Self.systemFiles + files + reach.readable + [SwiftRuntime.folder].compactMap { $0 },
            tidiedFolders: folder.isTemporary ? [folder.base] : [],
            ports: listening.ports + reach.ports
        )
    }

    /// On a kernel without Landlock, where no profile but D runs, the host keeps its rights and has said so.
    func enter(hidingKeys keyFiles: [String]) throws(CommandError) {
        guard Self.version > 0 else {
            return Terminal.warning("this kernel has no Landlock: the host itself could open the key files")
        }
        do {
            try enter(hiding: keyFiles)
        } catch {
            throw CommandError(error)
        }
    }
}

extension ConfinementError: CommandFailure {
    package var commandError: CommandError {
        switch self {
        case .withinReach(let key, let place):
            CommandError(
                "key file \"\(key)\" lies in \"\(place)\", which the host itself may read",
                hint: "move it to a folder of its own"
            )
        case .threads(let count):
            CommandError("the host has \(count.map { "\($0)" } ?? "unknown") threads too early to be confined")
        case .refused(let code):
            CommandError("the host cannot be confined: \(SystemError("Landlock", code))")
        case .stillReadable(let key):
            CommandError(
                "the host can still open key file \"\(key)\"",
                hint: "it has another name, or its folder another place, that the host may read"
            )
        }
    }
}
