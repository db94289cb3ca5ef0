// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import WorkerProtocol

struct HostMessageTests {
    private static func whole(attachments: JSON) -> JSONObject {
        ["payload": [:], "budgetMilliseconds": 1, "identifier": "a", "date": "d", "attachments": attachments]
    }

    @Test func `an empty list of files is none`() throws {
        guard
            case .request(1, let request) = try HostMessage(Packet(.request, id: 1, body: Self.whole(attachments: [])))
        else {
            Issue.record("no request")
            return
        }
        #expect(request.attachments == [])
    }

    @Test(
        arguments: [
            (
                .hello(),
                #"{"protocol":1,"bundleIdentifier":"com.example.chat.service","topic":"com.example.chat","#
                    + #""maxConcurrentRequests":1,"scratch":"/scratch"}"#
            ),
            (
                .hello(.init(bundleIdentifier: "a.b", topic: "a", scratch: nil, maxConcurrentRequests: 4)),
                #"{"protocol":1,"bundleIdentifier":"a.b","topic":"a","maxConcurrentRequests":4}"#
            ),
            (
                .request(7),
                #"{"identifier":"a","date":"2026-11-21T03:00:00.123Z","#
                    + #""payload":{"aps":{"alert":"Hi","mutable-content":1}},"budgetMilliseconds":30000}"#
            ),
            (
                .request(
                    id: 7,
                    .init(
                        identifier: "a",
                        date: "d",
                        payload: Payload([:]),
                        budgetMilliseconds: 1,
                        attachments: [.init(identifier: "i", path: "tmp/a.png", type: "public.png")]
                    )
                ),
                #"{"identifier":"a","date":"d","payload":{},"budgetMilliseconds":1,"#
                    + #""attachments":[{"identifier":"i","path":"tmp/a.png","type":"public.png"}]}"#
            ),
            (.willExpire(id: 7), "{}"),
            (.recall(id: 7), "{}"),
            (.shutdown, "{}"),
        ] as [(HostMessage, String)]
    )
    func `a message says exactly this`(message: HostMessage, body: String) throws {
        #expect(String(decoding: message.packet.body.serialized, as: UTF8.self) == body)
        #expect(try HostMessage(message.packet) == message)
    }

    @Test func `a request and its last call carry the id`() {
        #expect(HostMessage.hello().packet.id == 0)
        #expect(HostMessage.request(7).packet.id == 7)
        #expect(HostMessage.willExpire(id: 8).packet.id == 8)
        #expect(HostMessage.shutdown.packet.id == 0)
    }

    @Test(
        arguments: [
            (.hello, [:], .unsupportedProtocol),
            (.hello, ["protocol": 2], .unsupportedProtocol),
            (.hello, ["protocol": 1], .missing("bundleIdentifier")),
            (.hello, ["protocol": 1, "bundleIdentifier": 1], .missing("bundleIdentifier")),
            (.hello, ["protocol": 1, "bundleIdentifier": "a.b"], .missing("topic")),
            (.request, [:], .missing("payload")),
            (.request, ["payload": []], .missing("payload")),
            (.request, ["payload": [:]], .missing("budgetMilliseconds")),
            (.request, ["payload": [:], "budgetMilliseconds": 1.5], .missing("budgetMilliseconds")),
            (.request, ["payload": [:], "budgetMilliseconds": "1"], .missing("budgetMilliseconds")),
            (.request, ["payload": [:], "budgetMilliseconds": 1], .missing("identifier")),
            (.request, ["payload": [:], "budgetMilliseconds": 1, "identifier": "a"], .missing("date")),
            (.request, whole(attachments: [:]), .missing("attachments")),
            (.request, whole(attachments: nil), .missing("attachments")),
            (.request, whole(attachments: ["a"]), .missing("attachments")),
            (.request, whole(attachments: [["path": "p", "type": "t"]]), .missing("identifier")),
            (.request, whole(attachments: [["identifier": "i", "type": "t"]]), .missing("path")),
            (.request, whole(attachments: [["identifier": "i", "path": "p"]]), .missing("type")),
        ] as [(MessageType, JSONObject, MessageError)]
    )
    func `a body that lacks something is refused`(type: MessageType, body: JSONObject, error: MessageError) {
        #expect(throws: error) { try HostMessage(Packet(type, id: 1, body: body)) }
    }

    @Test(
        arguments: [.open, .ready, .content, .log, .returned, .opened, .refused, .rejected, .unavailable]
            as [MessageType]
    )
    func `what a worker is never told is refused`(type: MessageType) {
        #expect(throws: MessageError.wrongDirection(type)) { try HostMessage(Packet(type)) }
    }

    @Test(
        arguments: [
            ([:], 1), (["maxConcurrentRequests": 8], 8), (["maxConcurrentRequests": "8"], 1),
            (["maxConcurrentRequests": 1e300], 1), (["maxConcurrentRequests": -1], -1),
        ] as [(JSONObject, Int)]
    )
    func `without a limit one request is served at a time`(body: JSONObject, limit: Int) throws {
        var body = body
        body["protocol"] = 1
        body["bundleIdentifier"] = "a.b"
        body["topic"] = "a"
        let hello = HostMessage.Hello(
            bundleIdentifier: "a.b",
            topic: "a",
            scratch: nil,
            maxConcurrentRequests: limit
        )
        #expect(try HostMessage(Packet(.hello, body: body)) == .hello(hello))
    }
}
