// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import WorkerProtocol

struct WorkerMessageTests {
    @Test(
        arguments: [
            (.ready(ahead: 0), #"{"protocol":1}"#), (.ready(ahead: 7), #"{"protocol":1,"ahead":7}"#),
            (.returned(id: 7), "{}"),
            (.content(id: 7, .init(payload: Payload(["aps": [:]]))), #"{"payload":{"aps":{}}}"#),
            (
                .content(
                    id: 7,
                    .init(
                        payload: Payload([:]),
                        attachments: [.init(identifier: "i", path: "a.png", type: "public.png")]
                    )
                ),
                #"{"payload":{},"attachments":[{"identifier":"i","path":"a.png","type":"public.png"}]}"#
            ),
            (.content(id: 7, .init(payload: Payload([:]), attachments: [])), #"{"payload":{},"attachments":[]}"#),
            (.log(.init(level: .fault, message: "m")), #"{"level":"fault","message":"m"}"#),
        ] as [(WorkerMessage, String)]
    )
    func `a message says exactly this`(message: WorkerMessage, body: String) throws {
        #expect(String(decoding: message.packet.body.serialized, as: UTF8.self) == body)
        #expect(try WorkerMessage(message.packet) == message)
    }

    @Test func `contents and what goes back carry an id`() {
        #expect(WorkerMessage.ready(ahead: 7).packet.id == 0)
        #expect(WorkerMessage.sampleLog.packet.id == 0)
        #expect(WorkerMessage.content(7).packet.id == 7)
        #expect(WorkerMessage.returned(id: 7).packet.id == 7)
    }

    @Test(arguments: WorkerMessage.Log.Level.allCases)
    func `every level is read back`(level: WorkerMessage.Log.Level) throws {
        let message = WorkerMessage.log(.init(level: level, message: ""))
        #expect(try WorkerMessage(message.packet) == message)
    }

    @Test(
        arguments: [
            (.ready, [:], .unsupportedProtocol),
            (.ready, ["protocol": 0], .unsupportedProtocol),
            (.ready, ["protocol": 2], .unsupportedProtocol),
            (.ready, ["protocol": "1"], .unsupportedProtocol),
            (.ready, ["protocol": true], .unsupportedProtocol),
            (.ready, ["protocol": 1.5], .unsupportedProtocol),
            (.ready, ["protocol": 1, "ahead": -1], .missing("ahead")),
            (.ready, ["protocol": 1, "ahead": 65], .missing("ahead")),
            (.ready, ["protocol": 1, "ahead": 1.5], .missing("ahead")),
            (.ready, ["protocol": 1, "ahead": "7"], .missing("ahead")),
            (.ready, ["protocol": 1, "ahead": nil], .missing("ahead")),
            (.content, [:], .missing("payload")),
            (.content, ["payload": nil], .missing("payload")),
            (.content, ["payload": []], .missing("payload")),
            (.content, ["payload": "{}"], .missing("payload")),
            (.content, ["payload": [:], "attachments": [:]], .missing("attachments")),
            (.content, ["payload": [:], "attachments": nil], .missing("attachments")),
            (.content, ["payload": [:], "attachments": ["a"]], .missing("attachments")),
            (.content, ["payload": [:], "attachments": [[:]]], .missing("identifier")),
            (.content, ["payload": [:], "attachments": [["identifier": 1]]], .missing("identifier")),
            (.content, ["payload": [:], "attachments": [["identifier": "i"]]], .missing("path")),
            (.content, ["payload": [:], "attachments": [["identifier": "i", "path": "p"]]], .missing("type")),
            (
                .content, ["payload": [:], "attachments": [["identifier": "i", "path": "p", "type": "t"], 1]],
                .missing("attachments")
            ),
            (.log, [:], .missing("level")),
            (.log, ["level": "info"], .missing("message")),
            (.log, ["level": "info", "message": 1], .missing("message")),
            (.log, ["level": "INFO", "message": ""], .missing("level")),
            (.log, ["level": "warning", "message": ""], .missing("level")),
            (.log, ["level": "", "message": ""], .missing("level")),
            (.log, ["level": 1, "message": ""], .missing("level")),
        ] as [(MessageType, JSONObject, MessageError)]
    )
    func `a body that lacks something is refused`(type: MessageType, body: JSONObject, error: MessageError) {
        #expect(throws: error) { try WorkerMessage(Packet(type, id: 1, body: body)) }
    }

    @Test(
        arguments: [
            .hello, .request, .willExpire, .recall, .shutdown, .open, .opened, .refused, .rejected, .unavailable,
        ]
            as [MessageType]
    )
    func `what a worker never says is refused`(type: MessageType) {
        #expect(throws: MessageError.wrongDirection(type)) { try WorkerMessage(Packet(type)) }
    }

    @Test func `keys it does not know are ignored`() throws {
        let packet = Packet(.content, id: 1, body: ["payload": [:], "attachments": [], "later": 1])
        #expect(try WorkerMessage(packet) == .content(id: 1, .init(payload: Payload([:]), attachments: [])))
        #expect(try WorkerMessage(Packet(.ready, body: ["protocol": 1.0, "later": []])) == .ready(ahead: 0))
    }

    @Test func `a line with U+0000 can be read by the host`() throws {
        let packet = try WorkerMessage.log(.init(level: .info, message: "a\0b")).packet.encoded()
        #expect(try WorkerMessage(Packet(decoding: packet.span)) == .log(.init(level: .info, message: "ab")))
    }
}
