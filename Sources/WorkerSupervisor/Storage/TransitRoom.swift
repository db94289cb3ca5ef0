// SPDX-License-Identifier: Apache-2.0

/// Room for sealed files between the network and the store.
package struct TransitRoom: Sendable {
    /// A notification with all that it may have takes 64 MiB sealed and less opened.
    package var byteCount = 256 << 20
    /// At most so many files are open.
    package var fileCount = 128

    package init(byteCount: Int = 256 << 20, fileCount: Int = 128) {
        self.byteCount = byteCount
        self.fileCount = fileCount
    }
}

/// The use of a `TransitRoom` by each app: one app has at most half, so that no app takes it from all others.
struct TransitBooks: Sendable {
    private struct Use {
        var byteCount = 0
        var fileCount = 0
    }

    private let room: TransitRoom
    private var whole = Use()
    private var apps: [String: Use] = [:]

    init(room: TransitRoom) {
        self.room = room
    }

    mutating func take(_ byteCount: Int, of app: String) -> Bool {
        let own = apps[app] ?? Use()
        guard byteCount >= 0, byteCount <= room.byteCount / 2 - own.byteCount, own.fileCount < room.fileCount / 2,
            byteCount <= room.byteCount - whole.byteCount, whole.fileCount < room.fileCount
        else { return false }
        add(byteCount, 1, of: app)
        return true
    }

    mutating func giveBack(_ byteCount: Int, of app: String) {
        add(-byteCount, -1, of: app)
    }

    private mutating func add(_ byteCount: Int, _ fileCount: Int, of app: String) {
        whole.byteCount += byteCount
        whole.fileCount += fileCount
        apps[app, default: Use()].byteCount += byteCount
        apps[app, default: Use()].fileCount += fileCount
        if apps[app]?.fileCount == 0 { apps[app] = nil }
    }
}
