// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostLog
import SceneModel

/// The files that a scene shows, by the numbers under which its host knows them.
///
/// The host takes a file out of the scratch folder, and keeps as many as a view may have: for one more the oldest goes
/// that no node names. This keeps half as many, so that what is known here is there.
@MainActor struct SceneFiles {
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
    /// The oldest first.
    private var known: [Known] = []
    private var last: UInt32 = 0
    /// The numbers that the drawing under way names, and those of the one before.
    private var named: Set<UInt32> = []
    private var namedBefore: Set<UInt32> = []
    private var new: [SceneFile] = []

    init(in folder: String?) {
        self.folder = folder
    }

    /// A drawing begins.
    mutating func begin() { (namedBefore, named) = (named, []) }

    /// The files that the host does not know yet.
    mutating func takeNew() -> [SceneFile] {
        defer { new = [] }
        return new
    }

    /// Returns the number of a file; `nil` means that it cannot be shown.
    mutating func number(of file: URL) -> UInt32? {
        guard let content = Content(file.path) else { return refuse(file, "there is no such file") }
        if let found = known.first(where: { $0.content == content }) {
            named.insert(found.number)
            return found.number
        }
        guard (1...SceneLimits.fileByteCount).contains(content.byteCount) else {
            return refuse(file, "it is empty, or has more than 10 MB")
        }
        guard makeRoom(for: content.byteCount) else { return refuse(file, "a view shows 16 pictures of 32 MB in all") }
        guard let path = copy(file) else { return refuse(file, "it cannot be copied to the scratch folder") }
        last += 1
        known.append(Known(content: content, number: last))
        named.insert(last)
        new.append(SceneFile(number: last, path: path))
        return last
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

    /// Returns the path of a copy below the scratch folder.
    private func copy(_ file: URL) -> String? {
        guard let folder else { return nil }
        // Views of one app may have one folder.
        let name = "tmp/picture-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: file.path, toPath: "\(folder)/\(name)")
        } catch { return nil }
        return name
    }

    private func refuse(_ file: URL, _ reason: String) -> UInt32? {
        HostLog.warnOnce("the picture \"\(file.lastPathComponent)\" is not shown: \(reason)")
        return nil
    }
}
