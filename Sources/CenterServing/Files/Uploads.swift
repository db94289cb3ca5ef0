// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Foundation
import Locking

/// The files that apps send over HTTP, from their first byte until they are attached.
///
/// They are forgotten ten minutes after their last byte, and with the process: the next one removes them.
final class Uploads: Sendable {
    /// Files of an app, and bytes of all apps together.
    static let countLimit = 16
    static let byteCountLimit: Int64 = 256 << 20
    /// Milliseconds.
    static let patience: WallTime = 600_000

    /// The room of one file that is on its way.
    struct Place: Hashable {
        fileprivate let name: String
    }

    private struct Entry {
        let key: InstallationKey
        /// The bytes that it takes up: of one on its way, as many as it may have.
        var byteCount: Int64
        /// `nil` means that the file is on its way.
        var whole: (file: FileDraft, ends: WallTime)?
    }

    private let shelf: FileShelf
    private let entries = Locked<[String: Entry]>([:])

    init(_ shelf: FileShelf) {
        self.shelf = shelf
    }

    /// Takes room for a file of this length; `nil` means that there is none.
    func reserve(_ byteCount: Int64, of key: InstallationKey) -> Place? {
        let name = UUID().uuidString.lowercased()
        let isTaken = entries.withLock { entries in
            guard entries.values.count(where: { $0.key == key }) < Self.countLimit,
                entries.values.reduce(byteCount, { $0 + $1.byteCount }) <= Self.byteCountLimit
            else { return false }
            entries[name] = Entry(key: key, byteCount: byteCount)
            return true
        }
        return isTaken ? Place(name: name) : nil
    }

    /// The file does not come whole.
    func giveBack(_ place: Place) { entries.withLock { $0[place.name] = nil } }

    /// The file is whole; returns the name by which its app attaches it.
    func keep(_ file: FileDraft, at place: Place, at now: WallTime) -> String {
        entries.withLock { entries in
            entries[place.name]?.byteCount = file.byteCount
            entries[place.name]?.whole = (file, now + Self.patience)
        }
        return place.name
    }

    /// Takes a file out, whose bytes are its taker's from now on; `nil` means that the app sent none of this name.
    func take(_ name: String, of key: InstallationKey) -> FileDraft? {
        entries.withLock { entries in
            guard let entry = entries[name], entry.key == key, let whole = entry.whole else { return nil }
            entries[name] = nil
            return whole.file
        }
    }

    /// Removes what nobody has attached in time.
    func expire(at now: WallTime) {
        let late = entries.withLock { entries in
            let late = entries.filter { ($0.value.whole?.ends ?? .max) <= now }
            for name in late.keys { entries[name] = nil }
            return late.values.compactMap(\.whole?.file)
        }
        for file in late { shelf.discard(file) }
    }
}
