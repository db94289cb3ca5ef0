// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

/// The conversation of PROTOCOL.md, "Opener", with the real process.
@Suite(.timeLimit(.minutes(5)))
struct PayloadOpenerTests {
    private let folder: KeyFolder
    private let keyFile: String

    init() throws {
        folder = try KeyFolder()
        keyFile = try folder.file("recipient.key", KeyFolder.recipient)
    }

    private func policy(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONObject {
        var app = OpenerProcess.policy(["keepClear": ["k"]])
        change(&app)
        return app
    }

    private func ready(_ change: (inout JSONObject) -> Void = { _ in }) throws -> OpenerProcess {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        try opener.greet(policies: [policy(change)])
        #expect(try opener.receive() == Packet(.ready, body: ["protocol": 1, "nextRow": 0]))
        return opener
    }

    private func request(_ id: UInt64, row: Int64, _ payload: JSONObject, topic: String = "t") -> Packet {
        Packet(
            .open,
            id: id,
            body: [
                "app": "com.example.chat", "topic": .string(topic), "requestID": "r", "row": .integer(row),
                "payload": .object(payload),
            ]
        )
    }

    private func clear(_ text: String) -> JSONObject {
        [
            "aps": ["alert": ["body": "New notification"], "mutable-content": 1], "k": 1, "z": 2,
            "encryption": ["authenticated": true], "encrypted-content": .string(text),
        ]
    }

    private func refused(_ id: UInt64, _ name: String) -> Packet {
        Packet(.refused, id: id, body: ["error": .string(name)])
    }

    @Test func `a payload is opened, again for its own row, and for no other`() throws {
        let opener = try ready()
        let text = try KeyFolder.box()
        let payload: JSON = [
            "aps": ["alert": ["title": "Door", "body": "Front door opened"]], "k": 1,
            "encryption": ["format": "sealed-box", "authenticated": false, "sender": nil, "clear": ["k"]],
        ]
        for (id, row) in [(1, 7), (2, 7)] as [(UInt64, Int64)] {
            try opener.send(request(id, row: row, clear(text)))
            #expect(try opener.receive() == Packet(.opened, id: id, body: ["payload": payload]))
        }
        try opener.send(request(3, row: 8, clear(text)))
        #expect(try opener.receive() == refused(3, "replayed"))
        opener.closeSocket()
        #expect(opener.exitCode() == 0)
    }

    @Test func `a host that asks for marks hears of each envelope by which it is known again`() throws {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        try opener.greet(policies: [policy()], marks: true)
        _ = try opener.receive()
        func mark(_ id: UInt64, row: Int64, _ text: String) throws -> JSONObject? {
            try opener.send(request(id, row: row, clear(text)))
            let answer = try #require(try opener.receive())
            #expect(answer.type == .opened)
            return answer.body["mark"]?.object
        }
        let text = try KeyFolder.box()
        let first = try #require(try mark(1, row: 7, text))
        #expect(first["id"]?.string?.utf8.count == 32)
        #expect((first["expiry"]?.integer ?? 0) > 1_700_000_000_000)
        // Rows of a fleet are numbers of 63 bits, of which the opener keeps 38.
        #expect(try mark(2, row: 7 + 1 << 38, text)?["id"] == first["id"])
        try opener.send(request(3, row: 8, clear(text)))
        #expect(try opener.receive() == refused(3, "replayed"))
    }

    @Test(arguments: [
        ("v1.AAAA", "tooShort"), ("v1.AA=A", "malformedText"), ("wp.AAAA", "formatNotAccepted"),
        (String(repeating: "A", count: 100), "notOpened"), (String(repeating: "A", count: 9000), "tooLarge"),
    ])
    func `a refusal carries its name and nothing else`(_ text: String, _ name: String) throws {
        let opener = try ready()
        try opener.send(request(9, row: 1, clear(text)))
        #expect(try opener.receive() == refused(9, name))
    }

    @Test func `an object or nothing in place of the text is refused by format`() throws {
        let opener = try ready()
        for payload in [["encrypted-content": ["c": "x"]], [:]] as [JSONObject] {
            try opener.send(request(1, row: 1, payload))
            #expect(try opener.receive() == refused(1, "formatNotAccepted"))
        }
    }

    @Test func `an opened payload that fits no packet is bad content`() throws {
        let opener = try ready()
        var payload = clear(try KeyFolder.box())
        payload["k"] = "numbers"
        // 5 bytes a number on the way in, 20 on the way out.
        let numbers = "[" + String(repeating: "1e18,", count: 5000) + "0]"
        let packet = String(decoding: try request(1, row: 1, payload).encoded(), as: UTF8.self)
        opener.send(bytes: Array(packet.replacing("\"numbers\"", with: numbers).utf8))
        #expect(try opener.receive() == refused(1, "badContent"))
        try opener.send(request(2, row: 1, clear("v1.")))
        #expect(try opener.receive() == refused(2, "tooShort"))
    }

    @Test func `a host that requires a sender gets no anonymous payload`() throws {
        let opener = try ready { $0["requireSender"] = true }
        try opener.send(request(1, row: 1, clear(try KeyFolder.box())))
        #expect(try opener.receive() == refused(1, "senderRequired"))
    }

    @Test(
        arguments: [
            (
                "# c\nhello\n", 2, "the line is no key",
                "a secret key begins with \"NSE-SECRET-KEY-1\"; a comment with \"#\""
            ),
            ("\n", nil, "the file holds no key", "make a key pair with \"seal-payload keygen -o FILE\""),
        ] as [(String, Int64?, String, String)]
    )
    func `a key file is refused with its descriptor and line`(
        _ text: String,
        _ line: Int64?,
        _ reason: String,
        _ hint: String
    ) throws {
        let opener = try OpenerProcess(keyFiles: [keyFile, try folder.file("bad.key", text)])
        try opener.greet(["keys": [4, 5]])
        var body: JSONObject = ["descriptor": 5, "reason": .string(reason), "hint": .string(hint)]
        body["line"] = line.map { .integer($0) }
        #expect(try opener.receive() == Packet(.rejected, body: body))
        #expect(opener.exitCode() == 1)
    }

    @Test func `a sender's key is refused with the app and the sender`() throws {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        try opener.greet(["senders": [["public-key": "nse1abc", "name": "chat-server"]]])
        let reason = "app \"com.example.chat\": the key of sender \"chat-server\" has a wrong checksum"
        let hint = "a character is wrong or missing; copy the key again"
        #expect(
            try opener.receive() == Packet(.rejected, body: ["reason": .string(reason), "hint": .string(hint)])
        )
        #expect(opener.exitCode() == 1)
    }

    @Test(
        arguments: [
            ("NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9", "is a secret key"),
            ("nse-psk-1q23hsp6x0nqwyjtcy45p9", "is a paired secret"),
            (
                "web-push: q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg",
                "has an unexpected character at 8"
            ),
        ]
    )
    func `a secret that stands as a sender's key is not repeated`(secret: String, problem: String) throws {
        for (name, called) in [(secret, "1"), ("chat-server \(secret)", "\"chat-server \(secret.withoutSecrets)\"")] {
            let opener = try OpenerProcess(keyFiles: [keyFile])
            try opener.greet(["senders": [["public-key": .string(secret), "name": .string(name)]]])
            let packet = try #require(try opener.receive())
            let reason = "app \"com.example.chat\": the key of sender \(called) \(problem)"
            #expect(packet.body["reason"] == .string(reason))
            #expect(opener.exitCode() == 1)
        }
    }

    @Test func `an unknown format in accept is refused with the known ones`() throws {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        try opener.greet(["accept": ["v2"]])
        let packet = try #require(try opener.receive())
        #expect(packet.body["reason"] == "app \"com.example.chat\": accept names an unknown format")
        #expect(packet.body["hint"]?.string?.hasPrefix("known formats are v1, sealed-box") == true)
        #expect(opener.exitCode() == 1)
    }

    @Test(
        arguments: [
            [0x10], Array("\u{01}........not json".utf8), Array("\u{01}........{}".utf8),
            [0x02] + [UInt8](repeating: 0, count: 8) + Array("{}".utf8),
        ] as [[UInt8]]
    )
    func `what no sound host sends first ends the process`(_ bytes: [UInt8]) throws {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        opener.send(bytes: bytes)
        #expect(try opener.receive() == nil)
        #expect(opener.exitCode() == 2)
    }

    @Test(arguments: [
        Packet(.hello, body: ["protocol": 1, "apps": 0, "senders": 0, "replays": [], "marks": false]),
        Packet(.policy, body: OpenerProcess.policy([:])), Packet(.open, id: 1, body: [:]),
        Packet(.open, id: 1, body: ["app": "other", "topic": "t", "row": 1, "payload": [:]]),
        Packet(.open, id: 1, body: ["app": "com.example.chat", "topic": "t", "row": -1, "payload": [:]]),
    ])
    func `what no sound host sends later ends the process`(_ packet: Packet) throws {
        let opener = try ready()
        try opener.send(packet)
        #expect(try opener.receive() == nil)
        #expect(opener.exitCode() == 2)
    }

    @Test func `a host that goes before hello is the ordinary end`() throws {
        let opener = try OpenerProcess(keyFiles: [keyFile])
        opener.closeSocket()
        #expect(opener.exitCode() == 0)
    }

    @Test func `once ready it is one thread without its key files`() throws {
        let opener = try ready()
        let process = "/proc/\(opener.identifier)"
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(process)/task").count == 1)
        // What belongs to a process that hides its memory is for root to see.
        guard getuid() == 0 else { return }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")
        let targets = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)")
        }
        #expect(targets.count > 3)
        #expect(!targets.contains(keyFile))
    }
}
