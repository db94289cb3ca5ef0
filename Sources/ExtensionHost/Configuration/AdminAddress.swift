// SPDX-License-Identifier: Apache-2.0

import AdminPort

/// `admin` of host.yaml: where an operator asks how the host is doing.
struct AdminAddress: ConfigurationMapping {
    private var socket: String?
    private var host = "127.0.0.1"
    private var port = 9464
    /// A file with the token of a port; a socket has none.
    private(set) var tokenFile: String?

    var address: AdminPort.Address { socket.map { .socket(path: $0) } ?? .tcp(host: host, port: port) }

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "socket",
            .path,
            \.socket,
            "A Unix socket, which the host's user alone can open.",
            example: "./state/admin.sock"
        )
        ConfigurationRow(
            "host",
            .text,
            \.host,
            "The address of an admin port: `127.0.0.1`, `::1` or `localhost`.",
            example: "localhost"
        )
        ConfigurationRow(
            "port",
            .integer(0...65_535),
            \.port,
            "The number of an admin port.",
            example: "9465"
        )
        ConfigurationRow(
            "token-file",
            .path,
            \.tokenFile,
            "The file with the bearer token of an admin port, which it needs.",
            example: "admin.token"
        )
    }

    mutating func judge(_ admin: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        var faults = ConfigurationFaults()
        if socket != nil {
            let ofPort: [PartialKeyPath<Self>] = [\.host, \.port, \.tokenFile]
            for key in ofPort where admin.has(key) {
                faults.add(
                    admin.fault(key, "is of no use with a socket", hint: "only the host's user can open the socket")
                )
            }
            return try faults.check()
        }
        if !["127.0.0.1", "::1", "localhost"].contains(host) {
            faults.add(
                admin.fault(
                    \.host,
                    "is not this machine",
                    hint: "put a proxy with TLS in front of a loopback address"
                )
            )
        }
        if tokenFile == nil {
            faults.add(
                admin.fault(\.tokenFile, "is missing", hint: "or name a socket: \"socket: ./state/admin.sock\"")
            )
        }
        try faults.check()
    }

    /// Reads the file: call it before the host is confined.
    func token() throws(CommandError) -> AdminToken? {
        guard let tokenFile else { return nil }
        do { return try AdminToken(file: tokenFile) } catch { throw CommandError(error) }
    }

    /// A client that asks the running host.
    func client() throws(CommandError) -> AdminClient {
        do {
            return AdminClient(address, token: try tokenFile.map(AdminToken.text))
        } catch {
            throw CommandError(error)
        }
    }
}

extension AdminPortError: CommandFailure {
    package var commandError: CommandError { CommandError(message, hint: hint) }
}
