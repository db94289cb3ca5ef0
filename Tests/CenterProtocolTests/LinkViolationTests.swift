// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Each breach of the link's rules with its exact violation.
struct LinkViolationTests {
    private static func bytes(_ type: UInt8, id: UInt64 = 0, _ body: String) -> [UInt8] {
        var bytes: [UInt8] = []
        PacketHeader(type: type, id: id).write(to: &bytes)
        return bytes + Array(body.utf8)
    }

    // MARK: Packets

    @Test(
        arguments: [
            ([], .packet(.tooShort(byteCount: 0))),
            ([0x81], .packet(.tooShort(byteCount: 1))),
            (bytes(0x24, "{}"), .unknownID(.viewScene, 0)),
            (bytes(0x25, id: 1, #"{"reason":"idle"}"#), .unknownID(.viewEnded, 1)),
            (bytes(0x25, id: 1, "{}"), .member(.viewEnded, .missing("reason"))),
            (bytes(0x25, id: 1, #"{"reason":"tired"}"#), .member(.viewEnded, .unknownWord("reason"))),
            (bytes(0x25, id: 1, #"{"reason":"idle","a":1}"#), .member(.viewEnded, .unknownMember(of: ""))),
            (bytes(0x28, id: 1, "{}"), .member(.viewFile, .missing("file"))),
            (bytes(0x28, id: 1, #"{"file":0,"type":"public.png"}"#), .member(.viewFile, .outOfRange("file"))),
            (bytes(0x28, id: 1, #"{"file":1,"type":"public.avi"}"#), .member(.viewFile, .malformed("type"))),
            (bytes(0x28, id: 1, #"{"file":1,"type":"image/png"}"#), .member(.viewFile, .malformed("type"))),
            (
                bytes(0x28, id: 1, #"{"file":1,"type":"public.png","gone":[0]}"#),
                .member(.viewFile, .wrongKind("gone"))
            ),
            (
                bytes(0x28, id: 1, #"{"file":1,"type":"public.png"}"#),
                .descriptors(.viewFile, announced: 1, came: 0)
            ),
            (bytes(0x29, "{}"), .packet(.unknownType(0x29))),
            (bytes(0xA7, "{}"), .packet(.unknownType(0xA7))),
            (bytes(0x22, id: 1, "{"), .packet(.badBody(.unexpectedEnd))),
            (bytes(0x22, id: 1, "[]"), .packet(.badBody(.notAnObject))),
            (bytes(0x20, id: 0, "{}"), .member(.record, .badID(0))),
            (bytes(0x20, id: 1 << 63, "{}"), .member(.record, .badID(1 << 63))),
            (bytes(0x21, id: 0, "{}"), .member(.floor, .badID(0))),
            (bytes(0x21, id: 11, #"{"a":1}"#), .member(.floor, .unknownMember(of: ""))),
            (bytes(0x04, id: 1, "{}"), .member(.shutdown, .badID(1))),
            (bytes(0x04, #"{"a":1}"#), .member(.shutdown, .unknownMember(of: ""))),
        ] as [([UInt8], LinkViolation)]
    )
    func `bytes of the host that are no message`(bytes: [UInt8], violation: LinkViolation) throws {
        var pair = try LinkPair.serving()
        let judged = pair.center.judge(bytes)
        #expect(judged == .failure(violation))
    }

    @Test(
        arguments: [
            (bytes(0xA0, id: 1, #"{"ranges":[[1,1]]}"#), .member(.taken, .badID(1))),
            (bytes(0xA0, "{}"), .member(.taken, .missing("ranges"))),
            (bytes(0xA0, #"{"ranges":[]}"#), .member(.taken, .empty("ranges"))),
            (bytes(0xA0, #"{"ranges":[[1]]}"#), .member(.taken, .wrongKind("ranges"))),
            (bytes(0xA0, #"{"ranges":[[1,2,3]]}"#), .member(.taken, .wrongKind("ranges"))),
            (bytes(0xA0, #"{"ranges":[["1",2]]}"#), .member(.taken, .wrongKind("ranges"))),
            (bytes(0xA0, #"{"ranges":[[0,1]]}"#), .member(.taken, .outOfRange("ranges"))),
            (bytes(0xA0, #"{"ranges":[[3,2]]}"#), .member(.taken, .outOfRange("ranges"))),
            (bytes(0xA0, #"{"ranges":[[3,4],[1,2]]}"#), .member(.taken, .outOfRange("ranges"))),
            (bytes(0xA0, #"{"ranges":[[1,4],[4,5]]}"#), .member(.taken, .outOfRange("ranges"))),
            (bytes(0xA0, #"{"ranges":[[1,1]],"more":1}"#), .member(.taken, .unknownMember(of: ""))),
            (bytes(0xA0, #"{"ranges":[[1,9223372036854775807]]}"#), .notInFlight(.taken, 1)),
            (bytes(0xA1, id: 0, #"{"reason":"badRecord"}"#), .member(.unfit, .badID(0))),
            (bytes(0xA1, id: 9, #"{"reason":"other"}"#), .member(.unfit, .unknownWord("reason"))),
            (bytes(0xA1, id: 9, "{}"), .member(.unfit, .missing("reason"))),
            (bytes(0xA1, id: 9, #"{"reason":"badRecord"}"#), .notInFlight(.unfit, 9)),
            (bytes(0xA3, id: 1, #"{"ask":"other","owner":"me","topic":"a"}"#), .member(.ask, .unknownWord("ask"))),
            (bytes(0xA3, id: 1, #"{"ask":"register","owner":"Me","topic":"a"}"#), .member(.ask, .malformed("owner"))),
            (bytes(0xA3, id: 1, #"{"ask":"register","owner":"me","topic":""}"#), .member(.ask, .empty("topic"))),
            (bytes(0xA3, id: 0, #"{"ask":"register","owner":"me","topic":"a"}"#), .idNotRising(.ask, 0)),
            (bytes(0xA5, id: 1, "{}"), .member(.viewOpen, .missing("owner"))),
            (
                bytes(0xA5, id: 1, #"{"owner":"me","topic":"a","notification":[],"environment":{}}"#),
                .member(.viewOpen, .wrongKind("notification"))
            ),
            (
                bytes(0xA5, id: 0, #"{"owner":"me","topic":"a","notification":{},"environment":{}}"#),
                .idNotRising(.viewOpen, 0)
            ),
            (bytes(0xA6, id: 1, "{}"), .unknownID(.viewEvent, 1)),
            (bytes(0xA4, #"{"whole":true,"shut":[],"open":[],"last":true}"#), .member(.gates, .unknownMember(of: ""))),
            (bytes(0xA4, #"{"whole":false,"shut":[],"last":true}"#), .member(.gates, .missing("open"))),
            (bytes(0xA4, #"{"whole":true,"shut":[1],"last":true}"#), .member(.gates, .wrongKind("shut"))),
            (
                bytes(0xA4, #"{"whole":true,"shut":[{"owner":"me"}],"last":true}"#),
                .member(.gates, .missing("shut.topic"))
            ),
        ] as [([UInt8], LinkViolation)]
    )
    func `bytes of the centre that are no message`(bytes: [UInt8], violation: LinkViolation) throws {
        var pair = try LinkPair.serving()
        let judged = pair.host.judge(bytes)
        #expect(judged == .failure(violation))
    }

    @Test func `a packet over 131,072 bytes is neither written nor read`() throws {
        var pair = try LinkPair.serving()
        let long = Self.bytes(0x22, id: 1, String(repeating: " ", count: 131_072))
        let judged = pair.center.judge(long)
        #expect(judged == .failure(.packet(.tooLong(byteCount: 131_081, limit: 131_072))))
        var record = LinkRecord.sample()
        record.payload["text"] = .string(String(repeating: "x", count: 131_072))
        let sent = pair.host.judge(send: .record(number: 10, record))
        let byteCount = PacketHeader.byteCount + record.body.serialized.count
        #expect(sent == .failure(.packet(.tooLong(byteCount: byteCount, limit: 131_072))))
    }

    @Test func `another protocol is refused at both ends`() throws {
        var pair = LinkPair()
        let hello = pair.center.judge(Self.bytes(0x01, #"{"protocol":2,"journal":"5f2c9a1e","floor":0}"#))
        #expect(hello == .failure(.member(.hello, .unsupportedProtocol)))
        pair = LinkPair()
        try pair.say(.hello(.sample))
        let ready = pair.host.judge(Self.bytes(0x81, #"{"protocol":2}"#))
        #expect(ready == .failure(.member(.ready, .unsupportedProtocol)))
    }

    // MARK: Descriptors

    @Test(arguments: [(0, 1), (1, 0), (2, 1), (10, 11)])
    func `descriptors are exactly those that are announced`(announced: Int, came: Int) throws {
        for message in [HostLinkMessage.record(10, files: announced), .call(1, .add(.withFiles(announced)))] {
            var pair = try LinkPair.serving()
            let judged = pair.center.judge(try message.packet.encoded(), descriptors: came)
            #expect(judged == .failure(.descriptors(message.type, announced: announced, came: came)))
        }
        for came in [0, 2] {
            var pair = try LinkPair.serving()
            let judged = pair.center.judge(try HostLinkMessage.file(.icon).packet.encoded(), descriptors: came)
            #expect(judged == .failure(.descriptors(.file, announced: 1, came: came)))
        }
    }

    @Test func `no other message comes with a descriptor`() throws {
        for message in [HostLinkMessage.floor(11), .wholeRegistry, .shutdown, .call(1, .settings)] {
            var pair = try LinkPair.serving()
            let judged = pair.center.judge(try message.packet.encoded(), descriptors: 1)
            #expect(judged == .failure(.descriptors(message.type, announced: 0, came: 1)))
        }
        for message in [CenterLinkMessage.wholeGates, .ask(1)] {
            var pair = try LinkPair.serving()
            let judged = pair.host.judge(try message.packet.encoded(), descriptors: 1)
            #expect(judged == .failure(.descriptors(message.type, announced: 0, came: 1)))
        }
    }

    // MARK: Records

    @Test func `a record is in flight once`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.record(10))
        let sent = pair.host.judge(send: .record(10))
        let received = try pair.center.judge(.record(10))
        #expect(sent.failure == .recordInFlight(10))
        #expect(received == .failure(.recordInFlight(10)))
    }

    @Test func `a dead letter that is sent again comes from below the floor`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.record(9))
        try pair.say(.floor(12))
        try pair.say(.taken(9))
    }

    @Test func `only what is in flight is taken or unfit, and once`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.record(10))
        try pair.say(.record(12))
        let unknown = pair.center.judge(send: try .taken(10, 11, 12))
        #expect(unknown.failure == .notInFlight(.taken, 11))
        try pair.say(.taken(10))
        #expect(try pair.host.judge(.taken(10)) == .failure(.notInFlight(.taken, 10)))
        pair = try LinkPair.serving()
        try pair.say(.record(10))
        try pair.say(.unfit(number: 10, .unknownOwner))
        #expect(try pair.host.judge(.unfit(number: 10, .badRecord)) == .failure(.notInFlight(.unfit, 10)))
    }

    @Test func `the floor rises`() throws {
        let rows: [(Int64, LinkViolation)] = [(10, .floorNotRising(10)), (3, .floorNotRising(3))]
        for (floor, violation) in rows {
            var pair = try LinkPair.serving()
            try pair.say(.record(11))
            let sent = pair.host.judge(send: .floor(floor))
            let received = try pair.center.judge(.floor(floor))
            #expect(sent.failure == violation)
            #expect(received == .failure(violation))
        }
        var pair = try LinkPair.serving()
        try pair.say(.record(11))
        #expect(try pair.say(.floor(11)) == .floor(11))
    }

    @Test func `a record that cannot be read is unfit and no violation`() throws {
        for body in ["", "[]", "{", #"{"owner":"me"}"#, #"{"owner":"NOBODY"}"#] {
            var pair = try LinkPair.serving()
            let judged = pair.center.judge(Self.bytes(0x20, id: 10, body), descriptors: 3)
            #expect(judged == .success(.unreadableRecord(number: 10)))
            let isInFlight = pair.center.window.contains(10)
            #expect(isInFlight)
            _ = try pair.center.send(.unfit(number: 10, .badRecord))
            #expect(try pair.center.judge(.record(11)) == .success(.record(number: 11, .sample())))
        }
    }

    @Test func `the window is full at 1,024 records`() throws {
        var pair = try LinkPair.serving()
        for number in Int64(10)..<1034 { try pair.say(.record(number)) }
        let sent = pair.host.judge(send: .record(1034))
        #expect(sent.failure == .windowFull(1034))
        let received = try pair.center.judge(.record(1034))
        #expect(received == .failure(.windowFull(1034)))
    }

    // MARK: Calls and asks

    @Test func `ids of calls and asks rise`() throws {
        for id in [0, 1, 5] as [UInt64] {
            var pair = try LinkPair.serving()
            try pair.say(.call(5))
            try pair.say(.ask(5))
            let (call, ask) = (pair.host.judge(send: .call(id)), pair.center.judge(send: .ask(id)))
            #expect(call.failure == .idNotRising(.call, id))
            #expect(ask.failure == .idNotRising(.ask, id))
            #expect(try pair.center.judge(.call(id)) == .failure(.idNotRising(.call, id)))
            #expect(try pair.host.judge(.ask(id)) == .failure(.idNotRising(.ask, id)))
        }
    }

    @Test func `a call and an ask have one answer`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.call(1))
        let answer = CenterLinkMessage.answer(id: 1, .settings, .failed(.notAllowed))
        try pair.say(answer)
        let again = pair.center.judge(send: answer)
        #expect(again.failure == .unknownID(.answer, 1))
        #expect(try pair.host.judge(answer) == .failure(.unknownID(.answer, 1)))
        pair = try LinkPair.serving()
        try pair.say(.ask(1))
        try pair.say(.told)
        let told = pair.host.judge(send: .told)
        #expect(told.failure == .unknownID(.told, 1))
        #expect(try pair.center.judge(.told) == .failure(.unknownID(.told, 1)))
    }

    @Test func `the answer is of the call's kind`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.call(1))
        try pair.say(.ask(1, .withdraw))
        let (answer, told) = (
            pair.center.judge(send: .answer(id: 1, .settings, .done)), pair.host.judge(send: .told)
        )
        #expect(answer.failure == .member(.answer, .wrongKind("ok")))
        #expect(told.failure == .member(.told, .wrongKind("ok")))
        let done = CenterLinkMessage.answer(id: 1, .settings, .done)
        #expect(try pair.host.judge(done) == .failure(.member(.answer, .missing("ok.settings"))))
        #expect(try pair.center.judge(.told) == .failure(.member(.told, .unknownMember(of: "ok"))))
    }

    @Test func `a call that was given up is answered late, once`() throws {
        var pair = try LinkPair.serving()
        try pair.say(.call(1))
        let expiries = [pair.host.expireCall(1), pair.host.expireCall(1), pair.host.expireCall(2)]
        #expect(expiries == [true, false, false])
        let answer = CenterLinkMessage.answer(id: 1, .settings, .failed(.notAllowed))
        #expect(try pair.say(answer) == .lateAnswer(id: 1))
        #expect(try pair.host.judge(answer) == .failure(.unknownID(.answer, 1)))
    }

    @Test func `ids of views rise, thirty-two are open at once, and an end closes one`() throws {
        var pair = try LinkPair.serving()
        for id in 1...UInt64(LinkConversation.viewLimit) { try pair.say(.view(id)) }
        let full = pair.center.judge(send: .view(33))
        #expect(full.failure == .tooManyOpen(.viewOpen))
        #expect(pair.center.nextViewID == nil)
        #expect(try pair.say(.viewEnded(id: 7, .idle)) == .viewEnded(id: 7, .idle))
        let twice = pair.host.judge(send: .viewEnded(id: 7, .idle))
        #expect(twice.failure == .unknownID(.viewEnded, 7))
        let behind = pair.host.judge(send: .viewScene(id: 7, [:]))
        #expect(behind.failure == .unknownID(.viewScene, 7))
        let picture = pair.host.judge(send: .viewFile(id: 7, .sample))
        #expect(picture.failure == .unknownID(.viewFile, 7))
        // The centre may not have heard of the end yet.
        #expect(try pair.say(.viewEvent(id: 7, [:])) == .viewEvent(id: 7, [:]))
        let early = pair.center.judge(send: .viewEvent(id: 33, [:]))
        #expect(early.failure == .unknownID(.viewEvent, 33))
        let none = pair.center.judge(send: .viewEvent(id: 0, [:]))
        #expect(none.failure == .unknownID(.viewEvent, 0))
        #expect(pair.center.nextViewID == 33)
        let again = pair.center.judge(send: .view(7))
        #expect(again.failure == .idNotRising(.viewOpen, 7))
    }

    @Test func `1,024 calls and asks may be open, given up or not`() throws {
        var pair = try LinkPair.serving()
        for id in UInt64(1)...1024 {
            try pair.say(.call(id))
            try pair.say(.ask(id))
            _ = pair.host.expireCall(id)
        }
        let room = (pair.host.hasRoomForCall, pair.center.hasRoomForAsk)
        #expect(room == (false, false))
        #expect(try pair.center.judge(.call(1025)) == .failure(.tooManyOpen(.call)))
        #expect(try pair.host.judge(.ask(1025)) == .failure(.tooManyOpen(.ask)))
    }

    @Test(arguments: [CenterCall.register, .withdraw])
    func `a worker does not ask for device tokens`(call: CenterCall) throws {
        var pair = try LinkPair.serving()
        let sent = pair.host.judge(send: .call(1, call))
        #expect(sent.failure == .member(.call, .onlyForApps(call.name)))
        #expect(try pair.center.judge(.call(1, call)) == .failure(.member(.call, .onlyForApps(call.name))))
    }

    // MARK: Pieces

    private static func apps(_ number: UInt64, last: Bool, _ registry: LinkRegistry = LinkRegistry()) -> HostLinkMessage
    {
        .apps(Piece(number: number, isLast: last, content: registry))
    }

    private static func gates(_ number: UInt64, last: Bool, _ list: GateList) -> CenterLinkMessage {
        .gates(Piece(number: number, isLast: last, content: list))
    }

    @Test func `pieces come in order, and begin with 0 after the last`() throws {
        var pair = try LinkPair.serving()
        #expect(try pair.say(Self.apps(0, last: false)) == .registryPiece)
        #expect(try pair.say(.record(10)) == .record(number: 10, .sample()))
        #expect(try pair.say(Self.apps(1, last: true)) == .registry(LinkRegistry()))
        #expect(try pair.say(Self.apps(0, last: false)) == .registryPiece)
        #expect(try pair.center.judge(Self.apps(0, last: false)) == .failure(.pieceOutOfOrder(.apps, 0)))
        pair = try LinkPair.serving()
        try pair.say(Self.gates(0, last: false, GateList(isWhole: false)))
        let early = Self.gates(2, last: true, GateList(isWhole: false))
        #expect(try pair.host.judge(early) == .failure(.pieceOutOfOrder(.gates, 2)))
    }

    @Test func `the first gates are all of them, and one list is of one kind`() throws {
        var pair = LinkPair()
        try pair.say(.hello(.sample))
        try pair.say(.ready)
        let changes = Self.gates(0, last: true, GateList(isWhole: false))
        let sent = pair.center.judge(send: changes)
        #expect(sent.failure == .gatesNotWhole)
        #expect(try pair.host.judge(changes) == .failure(.gatesNotWhole))
        pair = try LinkPair.serving()
        try pair.say(Self.gates(0, last: false, GateList(isWhole: true)))
        let mixed = Self.gates(1, last: true, GateList(isWhole: false))
        #expect(try pair.host.judge(mixed) == .failure(.gatesNotWhole))
    }

    @Test func `an owner and an app come once in a list`() throws {
        let owner = LinkRegistry(owners: [CenterOwner(name: "me")])
        let app = LinkRegistry(apps: [CenterApp(topic: "com.example.chat", name: "Chat")])
        for (registry, violation) in [(owner, .repeatedOwner), (app, .repeatedApp("com.example.chat"))]
            as [(LinkRegistry, LinkViolation)]
        {
            var pair = try LinkPair.serving()
            try pair.say(Self.apps(0, last: false, registry))
            #expect(try pair.center.judge(Self.apps(1, last: true, registry)) == .failure(violation))
        }
    }

    @Test func `a list has 10,000 owners, 1,000 apps and a million gates at most`() throws {
        var assembly = RegistryAssembly()
        let owners = LinkRegistry(owners: (0..<10_001).map { CenterOwner(name: "o\($0)") })
        #expect(throws: LinkViolation.tooManyOwners(10_001)) {
            try assembly.take(Piece(number: 0, isLast: true, content: owners))
        }
        let apps = LinkRegistry(apps: (0..<1001).map { CenterApp(topic: "a\($0)", name: "A") })
        #expect(throws: LinkViolation.tooManyApps(1001)) {
            try assembly.take(Piece(number: 0, isLast: true, content: apps))
        }
        var order = GateOrder()
        let shut = (0..<512).map { Gate(owner: "me", topic: "a\($0)") }
        let list = GateList(isWhole: true, shut: shut)
        for number in UInt64(0)..<1953 { try order.take(Piece(number: number, isLast: false, content: list)) }
        #expect(throws: LinkViolation.tooManyGates(1_000_448)) {
            try order.take(Piece(number: 1953, isLast: true, content: list))
        }
    }
}
