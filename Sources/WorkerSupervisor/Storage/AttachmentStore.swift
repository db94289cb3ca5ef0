// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dispatch
import Glibc
package import HostRuntime
import Locking
import NotificationPayload

/// The files of notifications, each notification's in a folder of its own, and the files that open views show, which
/// have no name.
///
/// Retention: a file stays until the store is full and it is among the oldest; nobody else removes it. A sink that
/// needs one for longer copies it.
package final class AttachmentStore: AttachmentKeeping {
    package struct Limit: Sendable {
        package let byteCount: UInt64
        /// At most so many folders are kept, one for each notification.
        package let folderCount: Int
        /// The room for files on their way, beside those that are kept; one app of an owner has half of it.
        ///
        /// A notification with all that it may have takes 64 MiB sealed and less opened.
        package let transit: TransitRoom
        /// The room for pictures that views show, of which one app of an owner has half.
        ///
        /// Four views of it show 64 files and 256 MB at most, so that no app alone takes it from others.
        package let views: TransitRoom

        package init(
            byteCount: UInt64 = 1 << 30,
            folderCount: Int = 4096,
            transit: TransitRoom = .init(),
            views: TransitRoom = .init(byteCount: 512 << 20, fileCount: 256)
        ) {
            self.byteCount = byteCount
            self.folderCount = folderCount
            self.transit = transit
            self.views = views
        }
    }

    fileprivate struct Kept {
        let name: String
        var byteCount: UInt64
        /// A copy is under way: it is not the oldest one's turn.
        var openCopies = 0
    }

    fileprivate struct State {
        /// The oldest first.
        var folders: [Kept]
        var byteCount: UInt64
    }

    /// O_TMPFILE of <fcntl.h>, which Swift does not see.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// Absolute.
    private let path: String
    private let folder: Descriptor
    private let limit: Limit
    private let clock: HostClock
    private let state: Locked<State>
    private let transit: Locked<TransitBooks>
    private let views: Locked<TransitBooks>
    /// Copying blocks; it has threads of its own.
    private let queue = DispatchQueue(label: "attachments", attributes: .concurrent)

    /// The folder exists; what a former host kept there counts.
    package init(folder path: String, limit: Limit = Limit(), clock: HostClock) throws(StateFolderError) {
        self.path = path
        self.limit = limit
        self.clock = clock
        transit = Locked(TransitBooks(room: limit.transit))
        views = Locked(TransitBooks(room: limit.views))
        do { folder = try Descriptor.folder(path) } catch { throw .unusable(path: path, error) }
        let found = Self.found(in: folder.raw, path)
        state = Locked(State(folders: found, byteCount: found.reduce(0) { $0 + $1.byteCount }))
    }

    package func folder(for pushID: String) -> AttachmentFolder {
        let safe = pushID.utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        // Senders choose ids and may use one twice.
        let number = UInt64.random(in: .min ... .max)
        return AttachmentFolder(
            name: String(decoding: safe.prefix(64), as: UTF8.self) + "." + String(number, radix: 36)
        )
    }

    package func keep(
        _ offer: AttachmentOffer,
        from descriptor: Int32,
        in folder: AttachmentFolder
    ) async throws(AttachmentRefusal) -> Attachment {
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.copy(offer, from: descriptor, in: folder)) }
        }
        return try result.get()
    }

    package func temporaryFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? {
        file(roomFor: byteCount, of: app, in: transit)
    }

    package func viewFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? {
        file(roomFor: byteCount, of: app, in: views)
    }

    private func file(roomFor byteCount: Int, of app: OwnedApp, in books: Locked<TransitBooks>) -> HeldFile? {
        guard books.withLock({ $0.take(byteCount, of: app) }) else { return nil }
        let giveBack = { @Sendable in books.withLock { $0.giveBack(byteCount, of: app) } }
        let file = namelessFile()
        guard file >= 0 else {
            giveBack()
            return nil
        }
        return HeldFile(file, whenClosed: giveBack)
    }

    private func namelessFile() -> CInt {
        let file = unsafe openat(folder.raw, ".", O_RDWR | Self.nameless | O_EXCL | O_CLOEXEC, 0o600)
        guard file < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { return file }
        // A file system that knows only files with names.
        let name = ".\(UInt64.random(in: .min ... .max))"
        let named = unsafe openat(folder.raw, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if named >= 0 { unsafe unlinkat(folder.raw, name, 0) }
        return named
    }

    package func open(_ attachment: Attachment) -> HeldFile? {
        let file = unsafe openat(folder.raw, Self.place(of: attachment), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        return file >= 0 ? HeldFile(file) : nil
    }

    /// Below the store's folder.
    private static func place(of attachment: Attachment) -> String {
        attachment.path.split(separator: "/").suffix(2).joined(separator: "/")
    }

    package func discard(_ attachments: [Attachment]) {
        guard !attachments.isEmpty else { return }
        queue.async {
            for attachment in attachments {
                let parts = attachment.path.split(separator: "/").suffix(2).map(String.init)
                self.remove(parts[1], in: parts[0], byteCount: UInt64(attachment.byteCount))
            }
        }
    }

    // MARK: Copying

    private func copy(
        _ offer: AttachmentOffer,
        from source: CInt,
        in folder: AttachmentFolder
    ) -> Result<Attachment, AttachmentRefusal> {
        guard let type = AttachmentType(identifier: offer.type) else { return .failure(.unknownType) }
        guard begin(folder.name, roomFor: UInt64(type.kind.maximumByteCount)) else {
            return .failure(.storeFailed)
        }
        let name = "\(folder.nextNumber()).\(type.preferredPathExtension)"
        var byteCount = 0
        defer { finish(folder.name, byteCount: UInt64(byteCount)) }
        do throws(AttachmentRefusal) {
            let place = "\(folder.name)/\(name)"
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let target = Descriptor(unsafe openat(self.folder.raw, place, flags, 0o600))
            guard target.raw >= 0 else { throw .storeFailed }
            do throws(AttachmentRefusal) {
                try fill(target.raw, from: source, atMost: type.kind.maximumByteCount, until: offer.deadline)
                byteCount = try Self.checked(target.raw, type)
            } catch {
                unsafe unlinkat(self.folder.raw, place, 0)
                throw error
            }
            return .success(
                Attachment(
                    identifier: offer.identifier,
                    path: "\(path)/\(place)",
                    type: offer.type,
                    byteCount: byteCount
                )
            )
        } catch {
            return .failure(error)
        }
    }

    /// Reads on while the source has something, however it changes meanwhile, and never more than is permitted.
    private func fill(
        _ target: CInt,
        from source: CInt,
        atMost maximum: Int,
        until deadline: Duration
    ) throws(AttachmentRefusal) {
        var status = stat()
        if unsafe fstat(source, &status) == 0, status.st_size > maximum { throw .tooLarge }
        do throws(FileCopy.Fault) {
            _ = try FileCopy.copy(source, to: target, atMost: maximum) { clock.now < deadline }
        } catch {
            switch error {
            case .tooLong: throw .tooLarge
            case .read: throw .unreadable
            case .write: throw .storeFailed
            case .outOfTime: throw .outOfTime
            }
        }
    }

    /// Size and kind once more, of what nobody else can change.
    private static func checked(_ copy: CInt, _ type: AttachmentType) throws(AttachmentRefusal) -> Int {
        var status = stat()
        guard unsafe fstat(copy, &status) == 0 else { throw .storeFailed }
        guard status.st_size <= type.kind.maximumByteCount else { throw .tooLarge }
        var start = [UInt8](repeating: 0, count: AttachmentType.lookedAtByteCount)
        let count = unsafe pread(copy, &start, start.count, 0)
        guard count > 0, type.fits(start.prefix(count)) else { throw .wrongContent }
        return Int(status.st_size)
    }

    // MARK: Room

    /// Makes the folder, if it is not there, and room in the store.
    private func begin(_ name: String, roomFor byteCount: UInt64) -> Bool {
        var isThere = true
        let oldest = state.withLock { state -> [String] in
            if let index = state.folders.lastIndex(where: { $0.name == name }) {
                state.folders[index].openCopies += 1
            } else if unsafe mkdirat(folder.raw, name, 0o700) == 0 {
                state.folders.append(Kept(name: name, byteCount: 0, openCopies: 1))
            } else {
                isThere = false
            }
            guard isThere else { return [] }
            return state.takeOldest(beyond: limit, roomFor: byteCount).compactMap { putAside($0.name) }
        }
        for old in oldest { removeFolder(old) }
        return isThere
    }

    private func finish(_ name: String, byteCount: UInt64) {
        let empty = state.withLock { state in
            state.change(name, byBytes: Int64(byteCount), copies: -1) ? putAside(name) : nil
        }
        if let empty { removeFolder(empty) }
    }

    private func remove(_ file: String, in name: String, byteCount: UInt64) {
        let isKnown = state.withLock { $0.folders.contains { $0.name == name } }
        guard isKnown, unsafe unlinkat(folder.raw, "\(name)/\(file)", 0) == 0 else { return }
        let empty = state.withLock { state in
            state.change(name, byBytes: -Int64(byteCount), copies: 0) ? putAside(name) : nil
        }
        if let empty { removeFolder(empty) }
    }

    /// Gives a folder that is out of the books another name, under which it is removed; `nil` means that it is gone.
    ///
    /// A folder that can have no other name is removed under its own. Called under the lock of the books: the
    /// notification's next file finds its folder whole or makes a new one.
    private func putAside(_ name: String) -> String? {
        let aside = "..\(UInt64.random(in: .min ... .max))"
        if unsafe renameat(folder.raw, name, folder.raw, aside) == 0 { return aside }
        return errno == ENOENT ? nil : name
    }

    private func removeFolder(_ name: String) {
        let old = Descriptor(unsafe linux_open_folder("\(path)/\(name)"))
        guard old.raw >= 0 else { return }
        _ = linux_empty_tree(old.raw)
        unsafe unlinkat(folder.raw, name, AT_REMOVEDIR)
    }

    // MARK: What is there

    /// Oldest first, by their names' last change.
    private static func found(in folder: CInt, _ path: String) -> [Kept] {
        let listing = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listing >= 0, let directory = unsafe fdopendir(listing) else { return [] }
        defer { unsafe closedir(directory) }
        var found: [(changed: Int, kept: Kept)] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name != ".", name != "..", unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                continue
            }
            // A file on its way when the former host ended.
            if status.st_mode & S_IFMT == S_IFREG, name.hasPrefix(".") { unsafe unlinkat(folder, name, 0) }
            guard status.st_mode & S_IFMT == S_IFDIR else { continue }
            let old = Descriptor(unsafe linux_open_folder("\(path)/\(name)"))
            // A folder that was being removed then.
            if name.hasPrefix("..") {
                _ = linux_empty_tree(old.raw)
                unsafe unlinkat(folder, name, AT_REMOVEDIR)
                continue
            }
            var size = linux_tree_size()
            let most = linux_tree_size(bytes: .max, entries: .max)
            guard unsafe linux_measure_tree(old.raw, most, &size) == 0 else { continue }
            found.append(
                (status.st_mtim.tv_sec, Kept(name: name, byteCount: size.bytes))
            )
        }
        return found.sorted { $0.changed < $1.changed }.map(\.kept)
    }
}

extension AttachmentStore.State {
    /// Notes bytes that came or went and copies that began or ended; true when the folder is empty and out of the
    /// books.
    fileprivate mutating func change(_ name: String, byBytes bytes: Int64, copies: Int) -> Bool {
        guard let index = folders.lastIndex(where: { $0.name == name }) else { return false }
        folders[index].openCopies += copies
        folders[index].byteCount = UInt64(Int64(folders[index].byteCount) + bytes)
        byteCount = UInt64(Int64(byteCount) + bytes)
        guard folders[index].byteCount == 0, folders[index].openCopies == 0 else { return false }
        folders.remove(at: index)
        return true
    }

    /// Takes the oldest out of the books until there is room.
    fileprivate mutating func takeOldest(
        beyond limit: AttachmentStore.Limit,
        roomFor needed: UInt64
    ) -> [AttachmentStore.Kept] {
        var taken: [AttachmentStore.Kept] = []
        while byteCount + needed > limit.byteCount || folders.count > limit.folderCount,
            let index = folders.firstIndex(where: { $0.openCopies == 0 })
        {
            let old = folders.remove(at: index)
            byteCount -= old.byteCount
            taken.append(old)
        }
        return taken
    }
}
