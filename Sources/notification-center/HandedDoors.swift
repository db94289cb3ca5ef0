// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import CenterStore
import Foundation
import PacketSockets

/// The sockets of one owner that the service manager has made: of apps, and of the API.
struct HandedDoors {
    let app: HandedSocket
    let http: HandedSocket

    var user: SocketUser { http.user }

    /// Takes what was handed to this process, by the owners whom the units name.
    static func takeAll(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) -> [OwnerName: HandedDoors] {
        let sockets: [HandedSocket]
        do { sockets = try HandedSocket.list(environment) } catch {
            throw Failure("a socket was handed over that cannot be served: \(error)", hint: error.hint)
        }
        var doors: [OwnerName: HandedDoors] = [:]
        for (name, both) in Dictionary(grouping: sockets, by: \.name) {
            guard let owner = OwnerName(name) else {
                throw Failure(
                    "a socket was handed over for \"\(name)\", which is no name of an owner",
                    hint: "FileDescriptorName= in its unit names the owner, by [a-z0-9][a-z0-9._-]{0,63}"
                )
            }
            let apps = both.filter { $0.kind == .packets }
            let https = both.filter { $0.kind == .stream }
            guard let app = apps.first, let http = https.first, both.count == 2, app.user == http.user else {
                throw Failure(
                    "owner \"\(name)\" was handed \(apps.count) sockets of packets and \(https.count) streams of a user",
                    hint: "the unit needs one ListenSequentialPacket= for apps and one ListenStream= for the API"
                )
            }
            doors[owner] = HandedDoors(app: app, http: http)
        }
        return doors
    }
}
