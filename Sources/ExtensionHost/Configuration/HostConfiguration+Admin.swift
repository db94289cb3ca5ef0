// SPDX-License-Identifier: Apache-2.0

import AdminPort
import Foundation
import Yams

extension HostConfiguration {
    /// Where an operator asks how the host is doing.
    struct Admin: Equatable {
        var address: AdminPort.Address
        /// Of TCP.
        var tokenFile: String?

        /// Reads the file: call it before the host is confined.
        func token() throws(CommandError) -> AdminToken? {
            guard let tokenFile else { return nil }
            do { return try AdminToken(file: tokenFile) } catch { throw CommandError(error) }
        }

        /// To ask the running host.
        func client() throws(CommandError) -> AdminClient {
            do {
                return AdminClient(address, token: try tokenFile.map(AdminToken.text))
            } catch {
                throw CommandError(error)
            }
        }
    }

    static func admin(_ top: YAMLMapping) throws(CommandError) -> Admin? {
        guard let node = top.node("admin") else { return nil }
        let admin = try YAMLMapping(
            node,
            file: top.file,
            name: "admin",
            keys: ["host", "port", "token-file", "socket"]
        )
        if let path = try admin.path("socket") {
            for key in ["host", "port", "token-file"] where admin.node(key) != nil {
                throw admin.error(key, "is of no use with a socket", hint: "only the host's user can open the socket")
            }
            return Admin(address: .socket(path: path), tokenFile: nil)
        }
        let host = try admin.string("host") ?? "127.0.0.1"
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw admin.error(
                "host",
                "is not this machine",
                hint: "put a proxy with TLS in front of a loopback address"
            )
        }
        guard let tokenFile = try admin.path("token-file") else {
            throw admin.error("token-file", "is missing", hint: "or name a socket: \"socket: ./state/admin.sock\"")
        }
        let port = try admin.integer("port", in: 0...65_535) ?? 9464
        return Admin(address: .tcp(host: host, port: port), tokenFile: tokenFile)
    }
}

extension CommandError {
    init(_ error: AdminPortError) {
        self.init(error.message, hint: error.hint)
    }
}
