// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

/// The real payload-opener on one end of a socket, the test in the host's place on the other.
final class OpenerProcess {
    let identifier: pid_t
    private let socket: Int32
    private var isReaped = false

    static let program: String = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "payload-opener").path

    /// Starts the process with `keyFiles` as descriptors 4, 5 and so on, and the replay files behind them.
    ///
    /// `wrapper` is a program with its arguments that executes the opener.
    init(keyFiles: [String], replayFiles: [String] = [], wrapper: [String] = []) throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        socket = ends[0]
        // Far above 3 and 4, so that no dup2 hits a descriptor that is still to be copied.
        let files =
            keyFiles.map { open($0, O_RDONLY | O_CLOEXEC) }
            + replayFiles.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        let sources = try ([ends[1]] + files).map { descriptor in
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            return fcntl(descriptor, F_DUPFD_CLOEXEC, 200)
        }
        defer { for source in sources { close(source) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (index, source) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(3 + index))
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var identifier: pid_t = 0
        let command = wrapper + [Self.program]
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        let status = posix_spawn(&identifier, command[0], &actions, nil, arguments, environment)
        try #require(status == 0, "\(Self.program) does not start")
        self.identifier = identifier
    }

    deinit {
        close(socket)
        guard !isReaped else { return }
        kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    func send(_ packet: Packet) throws {
        send(bytes: try packet.encoded())
    }

    /// Says hello: what follows it, and one app whose members replace those of a policy that takes what is usual.
    func greet(_ app: JSONObject, replays: [Int64] = []) throws {
        try greet(policies: [Self.policy(app)], replays: replays)
    }

    func greet(policies: [JSONObject], replays: [Int64] = [], marks: Bool = false) throws {
        let senders = policies.reduce(0) { $0 + ($1["senders"]?.array?.count ?? 0) }
        try send(
            Packet(
                .hello,
                body: [
                    "protocol": 1, "apps": .integer(Int64(policies.count)), "senders": .integer(Int64(senders)),
                    "replays": .array(replays.map(JSON.integer)), "marks": .bool(marks),
                ]
            )
        )
        for policy in policies { try send(Packet(.policy, body: policy)) }
    }

    /// A whole policy: these members, and the others as they usually are.
    static func policy(_ members: JSONObject) -> JSONObject {
        var policy: JSONObject = [
            "app": "com.example.chat", "keys": [4], "accept": ["v1", "sealed-box"], "senders": [],
            "requireSender": false, "keepClear": [], "allowsCriticalAlerts": false,
        ]
        for member in members.members { policy[member.key] = member.value }
        return policy
    }

    func send(bytes: [UInt8]) {
        #expect(linux_send_packet(socket, bytes, bytes.count, nil, 0) == bytes.count)
    }

    /// The next packet; nil at end-of-file.
    func receive() throws -> Packet? {
        guard let bytes = receiveBytes() else { return nil }
        return try Packet(decoding: bytes.span)
    }

    /// The next packet as it came; nil at end-of-file.
    func receiveBytes() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Packet.maximumByteCount)
        let count = linux_receive_plain_packet(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    func closeSocket() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Waits for the end: the exit code, or the signal as a negative number.
    func exitCode() -> Int32 {
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        isReaped = true
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }
}

/// Published keys and texts, as files of one test.
final class KeyFolder {
    let url: URL
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String, _ text: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// The secret key that every file of Tests/Vectors/open is sealed to.
    static let recipient = "NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG\n"

    /// The sealed text of a vector that never expires.
    static func box() throws -> String {
        let file = root.appending(path: "Tests/Vectors/open/sealed-box-standard.txt")
        let contents = try String(contentsOf: file, encoding: .utf8)
        let text = try #require(contents.components(separatedBy: "\n\n").last)
        return text.trimmingCharacters(in: .newlines)
    }
}
