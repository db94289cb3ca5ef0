// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

struct LinkMessageTests {
    /// The bytes of PROTOCOL.md, "Link".
    @Test(
        arguments: [
            (.hello, 0x01), (.shutdown, 0x04), (.record, 0x20), (.floor, 0x21), (.call, 0x22), (.told, 0x23),
            (.apps, 0x26), (.ready, 0x81), (.taken, 0xA0), (.unfit, 0xA1), (.answer, 0xA2), (.ask, 0xA3),
            (.gates, 0xA4), (.viewScene, 0x24), (.viewEnded, 0x25), (.viewOpen, 0xA5), (.viewEvent, 0xA6),
            (.file, 0x27), (.viewFile, 0x28),
        ] as [(LinkMessageType, UInt8)]
    )
    func `a type keeps its byte`(type: LinkMessageType, byte: UInt8) {
        #expect(type.rawValue == byte)
        #expect(LinkMessageType.allCases.count == 19)
    }

    private static let fullApp: CenterApp = {
        var app = CenterApp(topic: "com.example.chat", name: "Chat")
        app.environment = .production
        app.allowsCriticalAlerts = true
        app.content = ContentExtension(categories: ["message"], initialSizeRatio: 0.5, takesInteraction: true)
        app.pendingLimit = 0
        app.authorization = .granted
        app.owners = ["me"]
        app.url = "https://chat.example.org/"
        app.startSocket = "/run/chat/start.sock"
        app.desktopEntry = "org.example.Chat"
        return app
    }()

    private static let fullOwner = CenterOwner(
        name: "maria",
        users: ["maria"],
        language: "es",
        zone: "Europe/Madrid"
    )

    @Test(
        arguments: [
            (.hello(.sample), 0, #"{"protocol":1,"journal":"5f2c9a1e","floor":10}"#),
            (
                .record(number: 1042, .sample(files: 1)), 1042,
                #"{"owner":"me","id":"5f3d2c1e-8a0b-4c6d-9e7f-012345678901","topic":"com.example.chat","#
                    + #""identifier":"lunch","date":"2026-11-21T03:00:00.123Z","outcome":"modified","late":false,"#
                    + #""payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":1}},"#
                    + #""attachments":[{"identifier":"file0","type":"public.png","size":1}]}"#
            ),
            (.floor(1000), 1000, "{}"),
            (
                .call(7, .pending(after: "a")), 7,
                #"{"owner":"me","topic":"com.example.chat","call":"pending","after":"a"}"#
            ),
            (.told(id: 3, .register, .token("00ff")), 3, #"{"ok":{"token":"00ff"}}"#),
            (.told(id: 3, .withdraw, .done), 3, #"{"ok":{}}"#),
            (
                .told(id: 3, .register, .failed(.noEnvironment)), 3,
                #"{"error":{"domain":"NSCocoaErrorDomain","code":3000,"reason":"noEnvironment"}}"#
            ),
            (
                .apps(Piece(number: 2, isLast: true, content: LinkRegistry(owners: [fullOwner], apps: [fullApp]))), 2,
                #"{"owners":[{"name":"maria","users":["maria"],"language":"es","zone":"Europe/Madrid"}],"#
                    + #""apps":[{"topic":"com.example.chat","name":"Chat","criticalAlerts":true,"pendingLimit":0,"#
                    + #""authorization":"granted","content":{"categories":["message"],"initialSizeRatio":0.5,"#
                    + #""hidesDefaultContent":false,"overridesTitle":false,"takesInteraction":true},"#
                    + #""environment":"production","#
                    + #""owners":["me"],"url":"https://chat.example.org/","#
                    + #""startSocket":"/run/chat/start.sock","desktopEntry":"org.example.Chat"}],"last":true}"#
            ),
            (.file(.icon), 0, #"{"topic":"com.example.chat"}"#),
            (.file(.sound), 0, #"{"topic":"com.example.chat","sound":"Ding 1.wav"}"#),
            (.viewScene(id: 3, ["ack": 7]), 3, #"{"ack":7}"#),
            (.viewFile(id: 3, .sample), 3, #"{"file":7,"type":"public.png","gone":[1,2]}"#),
            (.viewEnded(id: 3, .memoryLimitExceeded), 3, #"{"reason":"memoryLimitExceeded"}"#),
            (.shutdown, 0, "{}"),
        ] as [(HostLinkMessage, UInt64, String)]
    )
    func `a message of the host says exactly this`(message: HostLinkMessage, id: UInt64, body: String) throws {
        #expect(message.packet.id == id)
        #expect(message.packet.body.text == body)
        var wish: LinkAsk.Wish?
        if case .told(_, let told, _) = message { wish = told }
        let packet = try LinkPacket(try message.packet.encoded())
        #expect(try HostLinkMessage(packet, wish: wish) == message)
    }

    @Test func `a message of the centre says exactly this`() throws {
        let gates = [Gate(owner: "me", topic: "a.b")]
        let rows: [(CenterLinkMessage, UInt64, String)] = [
            (.ready, 0, #"{"protocol":1}"#),
            (try .taken(7, 1, 2, 3), 0, #"{"ranges":[[1,3],[7,7]]}"#),
            (.unfit(number: 5, .unknownOwner), 5, #"{"reason":"unknownOwner"}"#),
            (.answer(id: 9, .add, .done), 9, #"{"ok":{}}"#),
            (.ask(4), 4, #"{"ask":"register","owner":"me","topic":"com.example.chat"}"#),
            (
                .view(3), 3,
                #"{"owner":"me","topic":"com.example.chat","notification":{"identifier":"lunch","#
                    + #""date":"2026-11-21T03:00:00.123Z","payload":{"aps":{}}},"environment":{"width":360}}"#
            ),
            (.viewEvent(id: 3, ["seq": 1, "event": "close"]), 3, #"{"seq":1,"event":"close"}"#),
            (
                .gates(Piece(number: 0, isLast: false, content: GateList(isWhole: true, shut: gates))), 0,
                #"{"whole":true,"shut":[{"owner":"me","topic":"a.b"}],"last":false}"#
            ),
            (
                .gates(Piece(number: 1, isLast: true, content: GateList(isWhole: false, open: gates))), 1,
                #"{"whole":false,"shut":[],"open":[{"owner":"me","topic":"a.b"}],"last":true}"#
            ),
        ]
        for (message, id, body) in rows {
            #expect(message.packet.id == id)
            #expect(message.packet.body.text == body)
            let packet = try LinkPacket(try message.packet.encoded())
            #expect(try CenterLinkMessage(packet, answering: .add) == message)
        }
    }

    @Test(
        arguments: [
            ("protocol", 2, .unsupportedProtocol), ("protocol", nil, .unsupportedProtocol),
            ("journal", "5F2C9A1E", .malformed("journal")), ("journal", "5f2c9a1", .malformed("journal")),
            ("journal", 1, .wrongKind("journal")), ("floor", -1, .outOfRange("floor")),
            ("floor", 0.5, .wrongKind("floor")), ("later", 1, .unknownMember(of: "")),
        ] as [(String, JSON?, MemberFault)]
    )
    func `a hello is strict`(key: String, value: JSON?, fault: MemberFault) {
        var body = HostLinkMessage.hello(.sample).packet.body
        body[key] = value
        #expect(throws: LinkViolation.member(.hello, fault)) {
            try HostLinkMessage(LinkPacket(.hello, body: body), wish: nil)
        }
    }

    @Test(
        arguments: [
            ("topic", "", .empty("apps.topic")),
            ("topic", .string(String(repeating: "a", count: 256)), .tooLong("apps.topic", byteCount: 256)),
            ("name", nil, .missing("apps.name")), ("environment", "sandbox", .unknownWord("apps.environment")),
            ("criticalAlerts", 1, .wrongKind("apps.criticalAlerts")),
            ("desktopEntry", "", .malformed("apps.desktopEntry")),
            ("desktopEntry", "../chat", .malformed("apps.desktopEntry")),
            ("desktopEntry", "org.example.Chat.desktop", .malformed("apps.desktopEntry")),
            ("desktopEntry", .string(String(repeating: "a", count: 129)), .malformed("apps.desktopEntry")),
            ("pendingLimit", -1, .outOfRange("apps.pendingLimit")),
            ("authorization", "no", .unknownWord("apps.authorization")),
            ("content", ["categories": []], .missing("apps.content.categories")),
            (
                "content", ["categories": .array(Array(repeating: "a", count: 65))],
                .tooMany("apps.content.categories", count: 65)
            ),
            ("content", ["categories": ["a"], "initialSizeRatio": 2.5], .outOfRange("apps.content.initialSizeRatio")),
            ("content", ["categories": ["a"], "initialSizeRatio": 1], .missing("apps.content.hidesDefaultContent")),
            (
                "startSocket", .string(String(repeating: "a", count: 4097)),
                .tooLong("apps.startSocket", byteCount: 4097)
            ),
            ("later", true, .unknownMember(of: "apps")),
        ] as [(String, JSON?, MemberFault)]
    )
    func `an app is strict`(key: String, value: JSON?, fault: MemberFault) {
        guard var app = Self.fullApp.json.object else { return }
        app[key] = value
        let body: JSONObject = ["owners": [], "apps": [.object(app)], "last": true]
        #expect(throws: LinkViolation.member(.apps, fault)) {
            try HostLinkMessage(LinkPacket(.apps, body: body), wish: nil)
        }
    }

    // MARK: Records

    @Test func `a record from the outbox needs no reading`() throws {
        let record = LinkRecord.sample(files: 2)
        var text = record.body
        text["owner"] = nil
        text["timings"] = ["totalMicroseconds": 5, "queueMicroseconds": 7]
        text["worker"] = nil
        text["reason"] = .null
        let bytes = try LinkRecord.packet(number: 77, owner: "me", pushType: "alert", text: text.serialized.span)
        let read = try HostLinkMessage(LinkPacket(bytes), wish: nil)
        var expected = record
        expected.pushType = "alert"
        expected.handling = .microseconds(12)
        #expect(read == .record(number: 77, expected))
        var pair = try LinkPair.serving()
        try pair.host.send(record: 77, packetByteCount: bytes.count)
        let judged = pair.center.judge(bytes, descriptors: 2)
        #expect(judged == .success(.record(number: 77, expected)))
        let windows = [pair.host.window, pair.center.window]
        #expect(windows[0] == windows[1])
    }

    @Test(arguments: [nil, "background"])
    func `the owner that a record begins with counts`(pushType: String?) throws {
        var record = LinkRecord.sample()
        record.owner = "maria"
        record.pushType = pushType
        var text = record.body
        text["pushType"] = nil
        try #require(text.serialized.starts(with: #"{"owner":"maria","#.utf8))
        let bytes = try LinkRecord.packet(number: 7, owner: "me", pushType: pushType, text: text.serialized.span)
        #expect(try HostLinkMessage(LinkPacket(bytes), wish: nil) == .record(number: 7, record))
    }

    @Test(arguments: ["", "{}", "[]", "{", #"{"owner":"other"}"#])
    func `an outbox row that is no record makes a packet that is unfit`(text: String) throws {
        let bytes = try LinkRecord.packet(number: 10, owner: "me", pushType: nil, text: Array(text.utf8).span)
        var pair = try LinkPair.serving()
        let judged = pair.center.judge(bytes)
        #expect(judged == .success(.unreadableRecord(number: 10)))
    }

    @Test func `an outbox row that is too long is not sent`() {
        let text = [UInt8](repeating: 0x20, count: 131_072)
        #expect(throws: PacketFault.tooLong(byteCount: 131_094, limit: 131_072)) {
            try LinkRecord.packet(number: 1, owner: "me", pushType: nil, text: text.span)
        }
    }

    @Test(
        arguments: [
            ("owner", nil, .missing("owner")), ("owner", "-a", .malformed("owner")),
            ("date", "2026-02-30T00:00:00.000Z", .malformed("date")),
            ("date", "2026-02-20T00:00:00Z", .malformed("date")), ("payload", [], .wrongKind("payload")),
            ("payload", .null, .missing("payload")), ("payload", .nested(levels: 18), .tooDeep("payload")),
            ("attachments", .array(Array(repeating: [:], count: 11)), .tooMany("attachments", count: 11)),
            ("attachments", [["identifier": "a", "type": "b", "size": -1]], .outOfRange("attachments.size")),
            ("identifier", .string(String(repeating: "é", count: 129)), .tooLong("identifier", byteCount: 258)),
        ] as [(String, JSON?, MemberFault)]
    )
    func `a record that lacks what the centre needs is none`(key: String, value: JSON?, fault: MemberFault) {
        var body = LinkRecord.sample().body
        body[key] = value
        #expect(throws: fault) { try LinkRecord(body) }
    }

    @Test func `a record keeps what only other sinks read out of the way`() throws {
        var body = LinkRecord.sample().body
        body["sender"] = ["name": "a"]
        body["late"] = .null
        body["refusedAttachments"] = [["identifier": "a", "reason": "tooLarge", "more": 1]]
        var expected = LinkRecord.sample()
        expected.refusedFiles = [.init(identifier: "a", reason: "tooLarge")]
        #expect(try LinkRecord(body) == expected)
    }
}

struct PiecesTests {
    @Test(arguments: [0, 1, 700, 10_000])
    func `a registry arrives whole, in packets that fit`(count: Int) throws {
        let registry = LinkRegistry(
            owners: (0..<count).map { CenterOwner(name: "owner\($0)", users: ["user\($0)"], zone: "Europe/Madrid") },
            apps: (0..<min(count, 1000)).map { index in
                var app = CenterApp(topic: "com.example.app\(index)", name: "App")
                app.startSocket = String(repeating: "/icon", count: 100)
                return app
            }
        )
        var pair = try LinkPair.serving()
        var arrived: LinkRegistry?
        for piece in try #require(registry.pieces) {
            if case .registry(let whole) = try pair.say(.apps(piece)) { arrived = whole }
        }
        #expect(arrived == registry)
    }

    @Test func `gates arrive in pieces of 512 with the longest names`() throws {
        let topic = String(repeating: "t", count: 255)
        let shut = (0..<1100).map { Gate(owner: "o\($0)" + String(repeating: "x", count: 50), topic: topic) }
        let pieces = try #require(GateList(isWhole: true, shut: shut).pieces)
        var pair = LinkPair()
        try pair.say(.hello(.sample))
        try pair.say(.ready)
        var arrived: [Gate] = []
        for piece in pieces {
            let isServing = pair.host.isServing || pair.center.isServing
            #expect(!isServing)
            guard case .gates(let came) = try pair.say(.gates(piece)) else { continue }
            arrived += came.content.shut
        }
        #expect(arrived == shut)
        let isServing = pair.center.isServing
        #expect(isServing)
        #expect(GateList(isWhole: true).pieces?.map(\.isLast) == [true])
    }

    @Test func `an app that fits no packet makes no pieces`() {
        var app = CenterApp(topic: "a", name: "A")
        app.startSocket = String(repeating: "\u{1}", count: 30_000)
        #expect(LinkRegistry(apps: [app]).pieces == nil)
    }
}
