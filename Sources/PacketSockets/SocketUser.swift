// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user of the system to whom a socket belongs: the one who may connect, beside the process that serves it.
package struct SocketUser: Sendable, Equatable {
    /// The uid.
    package let id: UInt32

    package init(id: UInt32) {
        self.id = id
    }

    /// The user of this process.
    package static var own: SocketUser { SocketUser(id: geteuid()) }

    /// Tells whether a process of a user may connect, whatever the mode of the socket says.
    package func admits(_ user: Int64) -> Bool { user == Int64(id) || user == Int64(geteuid()) }

    /// Gives a socket to the user, who alone may then connect to it; nobody else may change the folder that it is in.
    package func take(_ path: String) throws(SocketFailure) {
        guard unsafe chmod(path, 0o600) == 0 else { throw SocketFailure(errno) }
        guard self != .own else { return }
        guard unsafe lchown(path, id, gid_t.max) == 0 else { throw SocketFailure(errno) }
    }
}
