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
        ///
        /// A user whom the kernel shows to this process as one of many would let in all of those.
        func listen(in namespace: UserNamespace = .own) throws(CommandError) -> ListeningSocket {
            if let stranger = users.sorted().first(where: { !namespace.holds($0) }) {
                throw CommandError(
                    "users of ndjson names user \(stranger), who is not in the user namespace of this host",
                    hint: "in the package's unit that is \"PrivateUsers=no\" in a drop-in"
                )
            }
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
