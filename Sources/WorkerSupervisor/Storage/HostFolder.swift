// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import HostRuntime

/// The one folder below which the host writes: what `state` names, or a private one that goes with the process.
///
///     replays-a, replays-b          what the opener remembers
///     apps/TOPIC/{home,groups,tmp}  what an extension stores for its first owner, its user's own
///     attachments/ID/               files of notifications
///     keychains/TOPIC               what an extension keeps there for its first owner, sealed
///     owners/NAME/                  apps and keychains of a further owner, as above
///     keychain.key                  the key of all of them
package struct HostFolder: Sendable, Equatable {
    /// Absolute, links resolved.
    package let path: String
    /// Nothing in it outlives the process.
    package let isTemporary: Bool

    /// The folder of a host's state; it exists, and is this user's own.
    package init(state path: String) throws(StateFolderError) {
        guard let resolved = unsafe realpath(path, nil) else {
            throw .unusable(path: path, SystemError("realpath", errno))
        }
        defer { unsafe free(resolved) }
        self.path = unsafe String(cString: resolved)
        isTemporary = false
    }

    /// A new folder below the system's folder for temporary files.
    ///
    /// Other users may pass through it, and list nothing: without namespaces of its own an extension's user has to.
    package init(temporaryBelow base: String) throws(StateFolderError) {
        var template = Array("\(base)/nestbox-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .unusable(path: base, SystemError("mkdtemp", errno)) }
        let made = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        try self.init(state: String(decoding: made, as: UTF8.self))
        guard unsafe chmod(path, 0o711) == 0 else { throw .unusable(path: path, SystemError("chmod", errno)) }
        self = HostFolder(path: path, isTemporary: true)
    }

    private init(path: String, isTemporary: Bool) {
        self.path = path
        self.isTemporary = isTemporary
    }

    /// The folder above a temporary one, out of which it is removed in the end.
    package var base: String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }

    package var attachments: String { path + "/attachments" }

    /// The folder of what extensions keep for further owners.
    package var owners: String { path + "/owners" }

    private var apps: String { path + "/apps" }

    /// Makes the folder of what an app's extension stores, and gives it and everything in it to the extension's user.
    ///
    /// `tmp` is emptied: what lay there went with a process.
    package func makeStorage(of app: String, user: UInt32) throws(StateFolderError) -> String {
        guard !app.contains("/"), !app.utf8.contains(0), app != ".", app != ".." else { throw .appName(app) }
        try make(apps, 0o711)
        let folder = "\(apps)/\(app)"
        try make(folder, 0o700)
        for name in ["home", "groups", "tmp"] { try make("\(folder)/\(name)", 0o700) }
        let tmp = Descriptor(unsafe linux_open_folder("\(folder)/tmp"))
        guard linux_empty_tree(tmp.raw) == 0 else {
            throw .unusable(path: "\(folder)/tmp", SystemError("unlink", errno))
        }
        let own = Descriptor(unsafe linux_open_folder(folder))
        let left = AppStorage.removeOld(in: own.raw)
        guard left == 0 else { throw .unusable(path: folder, SystemError("unlink", -left)) }
        for name in ["home", "groups", "tmp"] { try give("\(folder)/\(name)", to: user) }
        guard unsafe lchown(folder, user, user) == 0 || user == geteuid() else {
            throw .unusable(path: folder, SystemError("chown", errno))
        }
        return folder
    }

    /// Makes the folder in which the keychains of all apps lie; no extension reaches it.
    package func makeKeychains() throws(StateFolderError) {
        try make(path + "/keychains", 0o700)
    }

    /// Makes the folder of an owner who is not an app's first one; it has folders for apps and keychains as this one.
    package func makeFolder(of owner: String) throws(StateFolderError) -> HostFolder {
        guard OwnedApp.isOwner(owner) else { throw .ownerName(owner) }
        try make(owners, 0o711)
        let folder = "\(owners)/\(owner)"
        try make(folder, 0o711)
        return HostFolder(path: folder, isTemporary: false)
    }

    /// Makes the folders of an app's further owner and returns that of what the extension stores; `nil` means that it
    /// stores nothing.
    func makePlace(
        for app: OwnedApp,
        storing stores: Bool,
        user: UInt32
    ) throws(StateFolderError) -> String? {
        let own = try makeFolder(of: app.owner)
        try own.makeKeychains()
        return stores ? try own.makeStorage(of: app.topic, user: user) : nil
    }

    /// Closes every folder of what extensions store to all users but the host's.
    ///
    /// A user of the former run may be another app's or owner's in this one if the host is root, and most folders of
    /// further owners wait for a notification before `makeStorage` gives them to the user of now.
    package func closeStorage() throws(StateFolderError) {
        guard geteuid() == 0 else { return }
        for above in [apps] + Self.names(in: owners).map({ "\(owners)/\($0)/apps" }) {
            for name in Self.names(in: above) {
                guard unsafe lchown("\(above)/\(name)", 0, 0) == 0 else {
                    throw .unusable(path: "\(above)/\(name)", SystemError("chown", errno))
                }
            }
        }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    package func makeAttachments() throws(StateFolderError) {
        try make(attachments, 0o700)
    }

    /// Every folder on the way there may be passed by another user, as an extension without a root of its own must.
    ///
    /// Returns the first that may not.
    package static func closedFolder(onTheWayTo folder: String) -> String? {
        var path = folder
        var closed: String?
        while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            path = String(path[..<slash])
            var status = stat()
            if unsafe stat(path, &status) != 0 || status.st_mode & S_IXOTH == 0 { closed = path }
        }
        return closed
    }

    /// Removes a temporary folder with all that is in it.
    package func remove() {
        guard isTemporary else { return }
        let folder = Descriptor(unsafe linux_open_folder(path))
        _ = linux_empty_tree(folder.raw)
        unsafe rmdir(path)
    }

    private func make(_ folder: String, _ mode: mode_t) throws(StateFolderError) {
        if unsafe mkdir(folder, mode) == 0 {
            // Whatever the mask of the process is.
            guard unsafe chmod(folder, mode) == 0 else { throw .unusable(path: folder, SystemError("chmod", errno)) }
            return
        }
        guard errno == EEXIST else { throw .unusable(path: folder, SystemError("mkdir", errno)) }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0 else { throw .unusable(path: folder, SystemError("stat", errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .wrongKind(path: folder) }
    }

    /// Apps may have changed places, and with them their users, since the last time.
    private func give(_ folder: String, to user: UInt32) throws(StateFolderError) {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { throw .unusable(path: folder, SystemError("stat", errno)) }
        guard status.st_uid != user else { return }
        let descriptor = Descriptor(unsafe linux_open_folder(folder))
        let given = linux_give_tree(descriptor.raw, user)
        guard given == 0 else { throw .unusable(path: folder, SystemError("chown", -given)) }
    }
}
