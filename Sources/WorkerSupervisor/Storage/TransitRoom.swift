// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// Room for files without a name: sealed ones on their way to the store, or pictures that views show.
package struct TransitRoom: Sendable {
    package var byteCount: Int
    /// At most so many files are open.
    package var fileCount: Int

    package init(byteCount: Int = 256 << 20, fileCount: Int = 128) {
        self.byteCount = byteCount
        self.fileCount = fileCount
    }
}

/// The use of a `TransitRoom` by each app and owner: one has at most half, so that none takes it from all others.
struct TransitBooks: Sendable {
    private struct Use {
        var byteCount = 0
        var fileCount = 0
    }

    private let room: TransitRoom
    private var whole = Use()
    private var apps: [OwnedApp: Use] = [:]

    init(room: TransitRoom) {
        self.room = room
    }

    mutating func take(_ byteCount: Int, of app: OwnedApp) -> Bool {
        let own = apps[app] ?? Use()
        guard byteCount >= 0, byteCount <= room.byteCount / 2 - own.byteCount, own.fileCount < room.fileCount / 2,
            byteCount <= room.byteCount - whole.byteCount, whole.fileCount < room.fileCount
        else { return false }
        add(byteCount, 1, of: app)
        return true
    }

    mutating func giveBack(_ byteCount: Int, of app: OwnedApp) {
        add(-byteCount, -1, of: app)
    }

    private mutating func add(_ byteCount: Int, _ fileCount: Int, of app: OwnedApp) {
        whole.byteCount += byteCount
        whole.fileCount += fileCount
        apps[app, default: Use()].byteCount += byteCount
        apps[app, default: Use()].fileCount += fileCount
        if apps[app]?.fileCount == 0 { apps[app] = nil }
    }
}
