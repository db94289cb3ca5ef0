// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress

/// A Unix socket on which scripts of this machine hand pushes over.
struct LineSocket: Equatable {
    var path: String
    /// User ids that may send beside the host's own.
    var users: Set<UInt32> = []

    /// Makes the socket; before the host is confined, and with it forbidden to make one.
    func listen(in namespace: UserNamespace = .own) throws(CommandError) -> ListeningSocket {
        try check(namespace)
        do {
            return try ListeningSocket(path: path, users: users)
        } catch {
            throw CommandError(error)
        }
    }

    /// Refuses a user whom the kernel shows to this process as one of many, which would let in all of those.
    func check(_ namespace: UserNamespace = .own) throws(CommandError) {
        guard let stranger = users.sorted().first(where: { !namespace.holds($0) }) else { return }
        throw CommandError(
            "users of ndjson names user \(stranger), who is not in the user namespace of this host",
            hint: "in the package's unit that is \"PrivateUsers=no\" in a drop-in"
        )
    }
}

/// `listen.ndjson` of host.yaml: pushes as lines of JSON.
struct LineIngress: ConfigurationMapping {
    var readsStandardInput = false
    private var path: String?
    private var users: Set<UInt32> = []

    var socket: LineSocket? { path.map { LineSocket(path: $0, users: users) } }

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow("stdin", .flag, \.readsStandardInput, "Whether pushes come as lines on standard input.")
        ConfigurationRow(
            "socket",
            .path,
            \.path,
            "A Unix socket on which pushes come as lines, in a folder of the host's own.",
            standard: "none",
            example: "./state/ingress.sock"
        )
        ConfigurationRow(
            "users",
            userList,
            \.users,
            "Users of this machine, by name or id, who may write to the socket beside the host's own.",
            example: "[root]"
        )
    }

    mutating func judge(_ lines: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        if path == nil, lines.has(\.users) { throw lines.fault(\.users, "needs a socket") }
    }
}

extension LineIngress {
    /// Users by name or number.
    private static var userList: ConfigurationType<Set<UInt32>> {
        ConfigurationType<[String]>.texts.map("list of users", text: { $0.sorted().map { "\($0)" }.listed }) {
            names,
            place throws(ConfigurationFaults) in
            var users: Set<UInt32> = []
            for name in names {
                if place.scope == .reload { continue }
                guard let user = UInt32(name) ?? getpwnam(name)?.pointee.pw_uid else {
                    throw place.fault("names \"\(name)\", whom this machine does not know")
                }
                users.insert(user)
            }
            return users
        }
    }
}
