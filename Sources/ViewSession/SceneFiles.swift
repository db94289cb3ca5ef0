// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc
import HostLog
import NotificationPayload
package import SceneModel

/// The files that a scene shows, by the numbers under which its host knows them.
///
/// The host takes a file out of the scratch folder, and keeps as many as a view may have: for one more it lets go of
/// the one that no node names and that was named least recently. What is known here is among those that were named or
/// brought last, and no more than the host keeps, so that the host has it.
@MainActor package struct SceneFiles {
    /// A file as it was when it was copied.
    private struct Content: Equatable {
        let path: String
        let device: UInt
        let inode: UInt
        let byteCount: Int
        let seconds: Int
        let nanoseconds: Int

        /// `nil` means that there is no regular file.
        init?(_ path: String) {
            var facts = stat()
            guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            self.path = path
            (device, inode, byteCount) = (facts.st_dev, facts.st_ino, Int(facts.st_size))
            (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
        }
    }

    private struct Known {
        let content: Content
        let number: UInt32
    }

    /// The worker's scratch folder; `nil` means that there is none.
    private let folder: String?
    /// The files that were brought or named least recently come first.
    private var known: [Known] = []
    private var last: UInt32 = 0
    /// The numbers that the drawing under way names, and those of the one before.
    private var named: Set<UInt32> = []
    private var namedBefore: Set<UInt32> = []
    private var new: [SceneFile] = []
    /// Files that cannot be copied, so that each drawing does not try again.
    private var refused: [Content] = []

    package init(in folder: String?) {
        self.folder = folder
    }

    /// A drawing begins.
    package mutating func begin() { (namedBefore, named) = (named, []) }

    /// The files that the host does not know yet.
    package mutating func takeNew() -> [SceneFile] {
        defer { new = [] }
        return new
    }

    /// Returns the number of a file; `nil` means that it cannot be shown.
    package mutating func number(of file: URL) -> UInt32? {
        guard let content = Content(file.path) else {
            // The host has what was there: a file of a former notification goes, and what shows it stays.
            if let place = known.firstIndex(where: { $0.content.path == file.path }) { return use(place) }
            return refuse(file, "there is no such file")
        }
        if let place = known.firstIndex(where: { $0.content == content }) { return use(place) }
        guard !refused.contains(content) else { return nil }
        guard (1...SceneLimits.fileByteCount(named: file.pathExtension)).contains(content.byteCount) else {
            return refuse(file, "it is empty, or larger than files of its kind may be")
        }
        guard Self.isPlayable(file) else { return refuse(file, "no browser plays a film or a sound of its kind") }
        guard makeRoom(for: content.byteCount) else { return refuse(file, "a view shows 16 files of 64 MB in all") }
        guard let path = given(file) ?? copy(file) else {
            refused = refused.suffix(SceneLimits.fileCount - 1) + [content]
            return refuse(file, "it cannot be copied to the scratch folder")
        }
        last += 1
        known.append(Known(content: content, number: last))
        named.insert(last)
        new.append(SceneFile(number: last, path: path))
        return last
    }

    /// Has the drawing name a known file.
    private mutating func use(_ place: Int) -> UInt32 {
        let found = known.remove(at: place)
        known.append(found)
        named.insert(found.number)
        return found.number
    }

    /// True if the page can play a file whose name says that it is a film or a sound, and for any other file.
    private static func isPlayable(_ file: URL) -> Bool {
        guard let type = AttachmentType(pathExtension: file.pathExtension), type.kind != .image else { return true }
        guard type.isForBrowsers, let handle = try? FileHandle(forReadingFrom: file) else { return false }
        defer { try? handle.close() }
        let start = (try? handle.read(upToCount: AttachmentType.lookedAtByteCount)) ?? nil
        return start.map { type.fits($0) } ?? false
    }

    /// Forgets the oldest ones that nothing shows, beyond half of what a view may have.
    private mutating func makeRoom(for byteCount: Int) -> Bool {
        while isFull(byteCount, of: 2), let place = known.firstIndex(where: { !isShown($0.number) }) {
            known.remove(at: place)
        }
        // What only the drawing before has shown goes where there is no other room.
        while isFull(byteCount, of: 1), let place = known.firstIndex(where: { !named.contains($0.number) }) {
            known.remove(at: place)
        }
        return !isFull(byteCount, of: 1)
    }

    private func isShown(_ number: UInt32) -> Bool { named.contains(number) || namedBefore.contains(number) }

    /// True if one more is too much for a part of what a view may have.
    private func isFull(_ byteCount: Int, of parts: Int) -> Bool {
        known.count >= SceneLimits.fileCount / parts
            || known.reduce(byteCount) { $0 + $1.content.byteCount } > SceneLimits.fileByteCountInAll / parts
    }

    /// Returns the path of a file that the host has put into the scratch folder, and that it shows without a copy.
    private func given(_ file: URL) -> String? {
        guard let folder else { return nil }
        let start = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + "/" + SceneFile.givenPrefix
        let path = file.resolvingSymlinksInPath().path
        return path.hasPrefix(start) ? SceneFile.givenPrefix + path.dropFirst(start.count) : nil
    }

    /// Returns the path of a copy below the scratch folder.
    private func copy(_ file: URL) -> String? {
        guard let folder else { return nil }
        // The host takes a film for one by its name.
        let kind = AttachmentType(pathExtension: file.pathExtension)?.preferredPathExtension
        // Views of one app may have one folder.
        let name = "tmp/picture-\(UUID().uuidString)" + (kind.map { ".\($0)" } ?? "")
        let target = "\(folder)/\(name)"
        try? FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
        guard Self.copy(file.path, to: target) else {
            unsafe unlink(target)
            return nil
        }
        return name
    }

    /// Copies to the end of a file, which may be another one by then; false leaves a part.
    private static func copy(_ path: String, to target: String) -> Bool {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        let copy = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { return false }
        defer { close(copy) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var rest = SceneLimits.fileByteCount(named: URL(fileURLWithPath: path).pathExtension)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            guard count > 0 else { return count == 0 }
            rest -= count
            guard rest >= 0, unsafe write(copy, buffer, count) == count else { return false }
        }
    }

    private func refuse(_ file: URL, _ reason: String) -> UInt32? {
        HostLog.warnOnce("the file \"\(file.lastPathComponent)\" is not shown: \(reason)")
        return nil
    }
}
