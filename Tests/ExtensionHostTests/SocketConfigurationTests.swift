// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionHost

struct SocketConfigurationTests {
    private func configuration(_ text: String) throws -> HostConfiguration {
        let folder = NSTemporaryDirectory() + "configuration-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try text.write(toFile: folder + "/host.yaml", atomically: true, encoding: .utf8)
        var configuration = try HostConfiguration(file: folder + "/host.yaml")
        configuration.socket?.path.trimPrefix(folder)
        return configuration
    }

    private static let app = "\napps: [{ topic: com.example.chat }]\n"

    @Test func `a socket alone is an ingress, and its users are names or numbers`() throws {
        #expect(
            try configuration("listen: { ndjson: { socket: run/s } }" + Self.app).socket
                == HostConfiguration.Socket(path: "/run/s")
        )
        #expect(
            try configuration("listen: { ndjson: { socket: run/s, users: [root, 4711] } }" + Self.app).socket
                == HostConfiguration.Socket(path: "/run/s", users: [0, 4711])
        )
        #expect(try configuration("listen: { ndjson: { stdin: true } }" + Self.app).socket == nil)
    }

    @Test(
        arguments: [
            (
                "{ socket: s, users: [no-such-user] }",
                "users of ndjson names \"no-such-user\", whom this machine does not know"
            ),
            ("{ stdin: true, users: [root] }", "users of ndjson needs a socket"),
        ]
    )
    func `users that cannot be are refused`(_ ndjson: String, _ message: String) throws {
        #expect {
            try configuration("listen: { ndjson: \(ndjson) }" + Self.app)
        } throws: { error in
            (error as? CommandError)?.message.hasSuffix("host.yaml:1: " + message) == true
        }
    }

    @Test func `a user whom the host cannot tell from others is refused`() throws {
        let socket = HostConfiguration.Socket(path: "/nowhere/s", users: [0, 998, 4711])
        #expect(
            throws: CommandError(
                "users of ndjson names user 4711, who is not in the user namespace of this host",
                hint: "in the package's unit that is \"PrivateUsers=no\" in a drop-in"
            )
        ) {
            try socket.listen(
                in: UserNamespace(map: "         0          0          1\n       998        998          1\n")
            )
        }
        let all = UserNamespace(map: "         0          0 4294967295\n")
        #expect(all.holds(0) && all.holds(65_534) && all.holds(4_294_967_294))
        #expect(!UserNamespace(map: "").holds(0))
        #expect(UserNamespace.own.holds(geteuid()))
    }

    @Test func `a file without apps waits for those that are added, if it has a registry for them`() throws {
        let listen = "listen: { ndjson: { stdin: true } }\n"
        #expect(try configuration(listen + "state: ./state\n").apps == [])
        #expect(
            throws: CommandError(
                "there is no app: the configuration has no \"apps\", and none was added",
                hint: "\"extension-host app add\" adds one"
            )
        ) {
            try configuration(listen + "state: ./state\n").withRegisteredApps()
        }
        #expect {
            try configuration(listen)
        } throws: { error in
            (error as? CommandError)?.message.hasSuffix("apps of the file must be a list of at least one app") == true
        }
    }
}
