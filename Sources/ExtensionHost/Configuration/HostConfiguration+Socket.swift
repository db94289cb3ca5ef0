// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress

extension HostConfiguration {
    /// Where scripts of this machine hand pushes over.
    struct Socket: Equatable {
        var path: String
        /// User ids that may send beside the host's own.
        var users: Set<UInt32> = []

        /// Makes the socket; before the host is confined, and with it forbidden to make one.
        func listen() throws(CommandError) -> ListeningSocket {
            do {
                return try ListeningSocket(path: path, users: users)
            } catch {
                throw CommandError(error.message, hint: error.hint)
            }
        }
    }

    /// `listen: ndjson: { socket: PATH, users: [NAME OR ID] }`.
    static func socket(_ ndjson: YAMLMapping) throws(CommandError) -> Socket? {
        guard let path = try ndjson.path("socket") else {
            guard try ndjson.strings("users") == nil else { throw ndjson.error("users", "needs a socket") }
            return nil
        }
        var socket = Socket(path: path)
        for name in try ndjson.strings("users") ?? [] {
            guard let user = UInt32(name) ?? getpwnam(name)?.pointee.pw_uid else {
                throw ndjson.error("users", "names \"\(name)\", whom this machine does not know")
            }
            socket.users.insert(user)
        }
        return socket
    }
}
