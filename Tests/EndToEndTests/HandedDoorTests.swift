// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// Sockets of owners that a service manager hands over, and that a centre cannot serve.
@Suite(.timeLimit(.minutes(4)))
struct HandedDoorTests {
    /// Makes sockets as units do, and becomes the program: `NAME:packets` or `NAME:stream`, then `--` and the command.
    private static let manager = """
        import os, socket, sys
        folder, words = sys.argv[1], sys.argv[2:]
        sockets, command = words[:words.index("--")], words[words.index("--") + 1:]
        made = []
        for number, word in enumerate(sockets):
            kind = {"packets": socket.SOCK_SEQPACKET, "stream": socket.SOCK_STREAM}[word.split(":")[1]]
            listener = socket.socket(socket.AF_UNIX, kind)
            listener.bind(f"{folder}/{number}.sock")
            os.chmod(f"{folder}/{number}.sock", 0o600)
            listener.listen()
            # Above the numbers at which they are handed over.
            made.append(os.dup2(listener.fileno(), 100 + number))
        for number, descriptor in enumerate(made): os.dup2(descriptor, 3 + number)
        names = ":".join(word.split(":")[0] for word in sockets)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sockets)), LISTEN_FDNAMES=names)
        os.execv(command[0], command)
        """

    @Test(
        arguments: [
            (
                ["Maria:packets"], [],
                "a socket was handed over for \"Maria\", which is no name of an owner",
                "FileDescriptorName= in its unit names the owner, by [a-z0-9][a-z0-9._-]{0,63}"
            ),
            (
                ["maria:packets"], [], "owner \"maria\" was handed 1 sockets of packets and 0 streams of a user",
                "the unit needs one ListenSequentialPacket= for apps and one ListenStream= for the API"
            ),
            (
                ["maria:stream", "maria:stream"], [],
                "owner \"maria\" was handed 0 sockets of packets and 2 streams of a user",
                "the unit needs one ListenSequentialPacket= for apps and one ListenStream= for the API"
            ),
            (
                ["maria:packets", "maria:stream"], ["--owner", "juan"],
                "sockets were handed over for owner \"maria\", whom --owner does not name",
                "add --owner maria, or disable the socket unit"
            ),
            (
                ["maria:packets", "maria:stream"], ["--owner", "maria=root"],
                "the sockets of owner \"maria\" were handed over, and have their user",
                "write --owner maria, and SocketUser= in the socket unit"
            ),
            (
                ["maria:packets", "maria:stream", "juan:packets", "juan:stream"], ["--gpsd", "127.0.0.1:2947"],
                "sockets were handed over for 2 owners", "a centre has 16 at most, and one with --gpsd has one"
            ),
        ] as [([String], [String], String, String)]
    )
    func `what is no pair of an owner's is refused by name`(
        sockets: [String],
        options: [String],
        error: String,
        hint: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let command = [Programs.notificationCenter, "serve", "--folder", folder.path + "/center"] + options
            let result = try await CommandResult.run(
                "/usr/bin/python3",
                ["-c", Self.manager, folder.path] + sockets + ["--"] + command
            )
            #expect(result.status == 1)
            #expect(result.errors == "notification-center: error: \(error)\nnotification-center: hint: \(hint)\n")
        }
    }
}
