// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Waits for changes of files, and of all that is below folders.
///
/// Names that begin with a dot, and bundles, are passed over: editors keep their own files beside what they edit, and a
/// build may put its bundle there.
final class FileWatch {
    private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE)

    private let descriptor: Int32
    /// The names that count in a watched folder; nil: all.
    private var names: [Int32: Set<String>?] = [:]

    init() throws(CommandError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw CommandError("files cannot be watched: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// A file by its folder, since editors put a new file in the old one's place; a folder with all folders below.
    func add(_ path: String) throws(CommandError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError("\"\(path)\" does not exist")
        }
        let url = URL(fileURLWithPath: path)
        guard isFolder.boolValue else {
            try watch(url.deletingLastPathComponent().path, name: url.lastPathComponent)
            return
        }
        try watch(path, name: nil)
        let below = FileManager.default.enumerator(
            at: url,
            includingPropertiesForKeys: [.isDirectoryKey],
            options: [.skipsHiddenFiles]
        )
        while let file = below?.nextObject() as? URL {
            guard (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { continue }
            if file.pathExtension == "appex" { below?.skipDescendants() } else { try watch(file.path, name: nil) }
        }
    }

    private func watch(_ folder: String, name: String?) throws(CommandError) {
        let number = inotify_add_watch(descriptor, folder, Self.events)
        guard number >= 0 else {
            throw CommandError(
                "\"\(folder)\" cannot be watched: \(String(cString: strerror(errno)))",
                hint: "a user may watch as many folders as /proc/sys/fs/inotify/max_user_watches says"
            )
        }
        switch (names[number], name) {
        case (.some(.none), _), (_, nil): names[number] = .some(nil)
        case (.some(.some(let others)), let name?): names[number] = others.union([name])
        case (nil, let name?): names[number] = [name]
        }
    }

    /// Returns a tenth of a second after the last of several changes.
    func waitForChange() {
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var patience: Int32 = -1
        while poll(&readable, 1, patience) != 0 {
            if readChanges() { patience = 100 }
        }
    }

    /// True when one of them counts.
    private func readChanges() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        var counts = false
        buffer.withUnsafeBytes { bytes in
            var place = 0
            while place + MemoryLayout<inotify_event>.size <= count {
                let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let start = place + MemoryLayout<inotify_event>.size
                place = start + Int(event.len)
                let name = String(decoding: bytes[start..<min(place, count)].prefix { $0 != 0 }, as: UTF8.self)
                counts = counts || isWatched(name, in: event.wd)
            }
        }
        return counts
    }

    private func isWatched(_ name: String, in folder: Int32) -> Bool {
        guard !name.hasPrefix("."), !name.hasSuffix(".appex"), let names = names[folder] else { return false }
        return names?.contains(name) ?? true
    }
}
