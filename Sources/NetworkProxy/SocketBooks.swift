// SPDX-License-Identifier: Apache-2.0

/// The sockets that the proxy has open for extensions and their files, so that they never take the host's last one.
///
/// One app has at most half of them.
final class SocketBooks {
    /// Is called when there is room again.
    var whenFreed: () -> Void = {}
    private let limit: Int
    private var count = 0
    private var counts: [String: Int] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    func hasRoom(for app: String) -> Bool {
        count < limit && counts[app, default: 0] < limit / 2
    }

    func take(for app: String) -> Bool {
        guard hasRoom(for: app) else { return false }
        count += 1
        counts[app, default: 0] += 1
        return true
    }

    func giveBack(of app: String) {
        let hadRoom = hasRoom(for: app)
        count -= 1
        counts[app, default: 0] -= 1
        if !hadRoom { whenFreed() }
    }
}
