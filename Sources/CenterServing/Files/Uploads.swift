// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Foundation
import Locking

/// The files that apps send over HTTP, from their first byte until they are attached.
///
/// A file has ten minutes to come whole, and ten to be attached then. All of them go with the process: the next one
/// removes what it left.
final class Uploads: Sendable {
    /// Files and bytes of an app, and bytes of all apps of an owner and of all owners together.
    static let countLimit = 16
    static let appByteCountLimit: Int64 = 100 << 20
    static let ownerByteCountLimit: Int64 = 256 << 20
    static let byteCountLimit: Int64 = 1 << 30
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
        var ends: WallTime
        /// `nil` means that the file is on its way.
        var file: FileShelf.File?
    }

    private let shelf: FileShelf
    private let entries = Locked<[String: Entry]>([:])

    init(_ shelf: FileShelf) {
        self.shelf = shelf
    }

    /// Takes room for a file of this length; `nil` means that there is none.
    func reserve(_ byteCount: Int64, of key: InstallationKey, at now: WallTime) -> Place? {
        let name = UUID().uuidString.lowercased()
        let isTaken = entries.withLock { entries in
            let own = entries.values.filter { $0.key == key }
            guard own.count < Self.countLimit,
                own.reduce(byteCount, { $0 + $1.byteCount }) <= Self.appByteCountLimit,
                entries.values.reduce(byteCount, { $0 + ($1.key.owner == key.owner ? $1.byteCount : 0) })
                    <= Self.ownerByteCountLimit,
                entries.values.reduce(byteCount, { $0 + $1.byteCount }) <= Self.byteCountLimit
            else { return false }
            entries[name] = Entry(key: key, byteCount: byteCount, ends: now + Self.patience)
            return true
        }
        return isTaken ? Place(name: name) : nil
    }

    /// False once a file has had its time.
    func holds(_ place: Place) -> Bool { entries.withLock { $0[place.name] != nil } }

    /// The file does not come whole.
    func giveBack(_ place: Place) { entries.withLock { $0[place.name] = nil } }

    /// The file is whole; returns the name by which its app attaches it, and `nil` when its time is over.
    func keep(_ file: FileShelf.File, at place: Place, at now: WallTime) -> String? {
        entries.withLock { entries in
            guard var entry = entries[place.name] else { return nil }
            entry.byteCount = file.byteCount
            entry.ends = now + Self.patience
            entry.file = file
            entries[place.name] = entry
            return place.name
        }
    }

    /// Takes a file out, whose bytes are its taker's from now on; `nil` means that the app sent none of this name.
    func take(_ name: String, of key: InstallationKey) -> FileShelf.File? {
        entries.withLock { entries in
            guard let entry = entries[name], entry.key == key, let file = entry.file else { return nil }
            entries[name] = nil
            return file
        }
    }

    /// Removes what nobody has attached in time, and gives up what did not come in time.
    func expire(at now: WallTime) { discard { $0.ends <= now } }

    /// Removes what an app has not attached, and gives up what is on its way.
    func discardAll(of key: InstallationKey) { discard { $0.key == key } }

    private func discard(where isMeant: (Entry) -> Bool) {
        let files = entries.withLock { entries in
            let meant = entries.filter { isMeant($0.value) }
            for name in meant.keys { entries[name] = nil }
            return meant.values.compactMap(\.file)
        }
        shelf.discard(files)
    }
}
