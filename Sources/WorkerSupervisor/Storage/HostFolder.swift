// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The one folder below which the host writes: what `state` names, or a private one that goes with the process.
///
///     replays-a, replays-b          what the opener remembers
///     apps/TOPIC/{home,groups,tmp}  what an extension stores, its user's own
///     attachments/ID/               files of notifications
///     keychains/TOPIC               what an extension keeps there, sealed
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

    /// Makes the folder of what an app's extension stores, and gives it and everything in it to the extension's user.
    ///
    /// `tmp` is emptied: what lay there went with a process.
    package func makeStorage(of app: String, owner: UInt32) throws(StateFolderError) -> String {
        guard !app.contains("/"), !app.utf8.contains(0), app != ".", app != ".." else { throw .appName(app) }
        let apps = path + "/apps"
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
        for name in ["home", "groups", "tmp"] { try give("\(folder)/\(name)", to: owner) }
        guard unsafe lchown(folder, owner, owner) == 0 || owner == geteuid() else {
            throw .unusable(path: folder, SystemError("chown", errno))
        }
        return folder
    }

    /// Makes the folder in which the keychains of all apps lie; no extension reaches it.
    package func makeKeychains() throws(StateFolderError) -> String {
        let folder = path + "/keychains"
        try make(folder, 0o700)
        return folder
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
    private func give(_ folder: String, to owner: UInt32) throws(StateFolderError) {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { throw .unusable(path: folder, SystemError("stat", errno)) }
        guard status.st_uid != owner else { return }
        let descriptor = Descriptor(unsafe linux_open_folder(folder))
        let given = linux_give_tree(descriptor.raw, owner)
        guard given == 0 else { throw .unusable(path: folder, SystemError("chown", -given)) }
    }
}
