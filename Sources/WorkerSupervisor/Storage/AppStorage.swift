// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dispatch
import Glibc
import HostRuntime
import Locking
import Synchronization

/// A descriptor that closes with its last reference, on whatever thread that is.
final class OpenFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Makes another descriptor of the file, for somebody outside; `nil` when there is none left.
    func held(whenClosed: @escaping @Sendable () -> Void) -> HeldFile? {
        let copy = fcntl(descriptor.raw, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? HeldFile(copy, whenClosed: whenClosed) : nil
    }
}

/// An app's folder below the host's, in which its extension stores things.
///
/// Whatever the extension does there, the host follows no link in it and waits for nothing.
final class AppStorage: Sendable {
    /// Absolute.
    let path: String
    private let folder: Descriptor
    private let renewals = Atomic<Int>(0)
    private let wishes = Locked(TemporaryWishes())

    init(path: String) throws(SystemError) {
        self.path = path
        folder = try Descriptor.folder(path)
    }

    /// Opens a regular file and takes its name away from it; the errno of `linux_take_file`.
    ///
    /// A file of `tmp` is sought in the folder that `hold` has, if there is one.
    func take(_ name: ScratchName, _ hold: TemporaryHold? = nil) -> Result<OpenFile, SystemError> {
        let temporary = name.temporary
        let file =
            if let hold, let temporary {
                unsafe linux_take_file(hold.folder.raw, temporary, 1)
            } else {
                unsafe linux_take_file(folder.raw, name.text, 1)
            }
        return file >= 0 ? .success(OpenFile(Descriptor(file))) : .failure(SystemError("openat2", -file))
    }

    /// Makes a file for the host to write and the extension to own; the errno of `linux_make_file`.
    func make(_ name: String) -> Result<OpenFile, SystemError> {
        let raw = unsafe linux_make_file(folder.raw, name)
        guard raw >= 0 else { return .failure(SystemError("openat2", -raw)) }
        let file = OpenFile(Descriptor(raw))
        var status = stat()
        guard unsafe fstat(folder.raw, &status) == 0, fchown(raw, status.st_uid, status.st_gid) == 0 else {
            let code = errno
            unsafe unlinkat(folder.raw, name, 0)
            return .failure(SystemError("fchown", code))
        }
        return .success(file)
    }

    /// Tells whether so many more bytes may lie in the folder.
    func hasRoom(for byteCount: Int, in limit: StorageLimit) -> Bool {
        guard UInt64(byteCount) <= limit.byteCount else { return false }
        return !exceeds(StorageLimit(byteCount: limit.byteCount - UInt64(byteCount), fileCount: limit.fileCount))
    }

    /// Tells whether more lies in the folder than the limit allows.
    ///
    /// A folder that cannot be looked at counts as too full.
    func exceeds(_ limit: StorageLimit) -> Bool {
        // The three folders themselves are not the extension's doing.
        let entries = UInt64(limit.fileCount) + 3
        var size = linux_tree_size()
        let most = linux_tree_size(bytes: limit.byteCount, entries: entries)
        let measured = unsafe linux_measure_tree(folder.raw, most, &size)
        return measured != 0 || size.bytes > limit.byteCount || size.entries > entries
    }

    /// Puts an empty `tmp` in the place of the one there is; the caller empties and removes the old one, by its name.
    func renewTemporaryFolder() -> String? {
        var status = stat()
        guard unsafe fstatat(folder.raw, "tmp", &status, AT_SYMLINK_NOFOLLOW) == 0, let old = setAside() else {
            return nil
        }
        unsafe mkdirat(folder.raw, "tmp", 0o700)
        unsafe fchownat(folder.raw, "tmp", status.st_uid, status.st_gid, AT_SYMLINK_NOFOLLOW)
        return old
    }

    /// The extension may have taken a name or two.
    private func setAside() -> String? {
        for _ in 0..<64 {
            let old = "\(Self.oldPrefix)\(renewals.add(1, ordering: .relaxed).newValue)"
            if unsafe renameat(folder.raw, "tmp", folder.raw, old) == 0 { return old }
            guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { return nil }
        }
        return nil
    }

    /// Removes a folder that another one has taken the place of, once nobody wants its files.
    func removeOld(_ name: String) {
        let isWanted = wishes.withLock { wishes in
            if wishes.count > 0 { wishes.old.append(name) }
            return wishes.count > 0
        }
        if !isWanted { _ = unsafe linux_remove_tree(folder.raw, name) }
    }

    /// Has the files of `tmp` as it is now stay as long as the result lives; `nil` means that it cannot be opened.
    func holdTemporaryFolder() -> TemporaryHold? {
        let raw = unsafe linux_open_folder_below(folder.raw, "tmp")
        guard raw >= 0 else { return nil }
        wishes.withLock { $0.count += 1 }
        return TemporaryHold(Descriptor(raw), of: self)
    }

    fileprivate func letGo() {
        let old = wishes.withLock { wishes in
            wishes.count -= 1
            guard wishes.count == 0 else { return [] as [String] }
            defer { wishes.old = [] }
            return wishes.old
        }
        guard !old.isEmpty else { return }
        DispatchQueue.global().async { for name in old { self.removeOld(name) } }
    }

    /// Removes the folders that a killed host had put aside and not removed; returns 0 or a negative errno.
    static func removeOld(in folder: Int32) -> Int32 { unsafe linux_remove_trees(folder, oldPrefix) }

    private static let oldPrefix = ".tmp-"
}

/// The wishes for files of `tmp`, and the folders that were put aside meanwhile.
private struct TemporaryWishes {
    var count = 0
    var old: [String] = []
}

/// The wish for files of an app's `tmp`, which ends with this object.
///
/// The folder stays the same one when an empty one takes its place.
final class TemporaryHold: Sendable {
    fileprivate let folder: Descriptor
    private let storage: AppStorage

    fileprivate init(_ folder: consuming Descriptor, of storage: AppStorage) {
        self.folder = folder
        self.storage = storage
    }

    deinit {
        storage.letGo()
    }
}
