// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

/// The messages of a view: exactly these bytes, and each way to be none.
struct ViewMessageTests {
    private static let environment =
        #"{"width":360,"scale":2,"style":"light","textSize":1,"direction":"leftToRight","language":"en","timeZone":"UTC","#
        + #""reducedMotion":false}"#
    private static let notification =
        #"{"identifier":"a","date":"2026-11-21T03:00:00.123Z","payload":{"aps":{"category":"photo"}},"#
        + #""attachments":[{"identifier":"i","path":"tmp/a.png","type":"public.png"}]}"#

    private func read(_ type: MessageType, _ body: String) throws -> HostMessage {
        try HostMessage(Packet(type, id: 1, body: try JSONObject(parsing: Array(body.utf8).span, depthLimit: 18)))
    }

    @Test(
        arguments: [
            (.view, #"{"notification":\#(notification),"environment":\#(environment)}"#),
            (.viewEvent, #"{"seq":7,"notification":\#(notification)}"#),
            (.viewEvent, #"{"seq":1,"node":3,"event":"value","value":0.4}"#),
            (.viewEvent, #"{"seq":2,"response":{"number":7,"action":"reply","text":"Yes"}}"#),
            (.viewEvent, #"{"seq":3,"environment":\#(environment)}"#),
            (.viewEvent, #"{"seq":4,"media":"play"}"#),
            (.viewEvent, #"{"seq":5,"close":true}"#),
        ] as [(MessageType, String)]
    )
    func `a message of the host is written as it was read`(type: MessageType, body: String) throws {
        let message = try read(type, body)
        #expect(String(decoding: message.packet.body.serialized, as: UTF8.self) == body)
        #expect(message.packet.type == type)
        #expect(message.packet.id == 1)
        #expect(try HostMessage(message.packet) == message)
    }

    @Test(
        arguments: [
            (.view, #"{"environment":\#(environment)}"#, .missing("notification")),
            (.view, #"{"notification":{"identifier":"a","date":"d"},"environment":{}}"#, .missing("payload")),
            (.view, #"{"notification":\#(notification)}"#, .missing("environment")),
            (
                .view, #"{"notification":\#(notification),"environment":{"width":1}}"#,
                .view(.outOfRange("environment.width"))
            ),
            (.viewEvent, #"{"close":true}"#, .missing("seq")),
            (.viewEvent, #"{"seq":-1,"close":true}"#, .missing("seq")),
            (.viewEvent, #"{"seq":1}"#, .missing("event")),
            (.viewEvent, #"{"seq":1,"node":3,"event":"drag"}"#, .view(.unknownWord("event"))),
        ] as [(MessageType, String, MessageError)]
    )
    func `a message of the host that is none`(type: MessageType, body: String, error: MessageError) {
        #expect(throws: error) { try read(type, body) }
    }

    @Test
    func `a member that the worker does not know is ignored in the host's messages`() throws {
        let message = try read(.viewEvent, #"{"seq":4,"media":"play","later":1}"#)
        #expect(message == .viewEvent(id: 1, seq: 4, .event(.media(.play))))
    }

    @Test
    func `a scene is read strictly`() throws {
        let message = WorkerMessage.viewScene(id: 1, SceneUpdate(acknowledged: 3, gone: [2]))
        #expect(String(decoding: message.packet.body.serialized, as: UTF8.self) == #"{"ack":3,"gone":[2]}"#)
        #expect(try WorkerMessage(message.packet) == message)
        #expect(throws: MessageError.view(.unknownMember(of: ""))) {
            try WorkerMessage(Packet(.viewScene, id: 1, body: ["html": "<b>"]))
        }
    }

    @Test
    func `messages of a view go one way alone`() {
        #expect(throws: MessageError.wrongDirection(.viewScene)) { try HostMessage(Packet(.viewScene)) }
        for type in [MessageType.view, .viewEvent] {
            #expect(throws: MessageError.wrongDirection(type)) { try WorkerMessage(Packet(type)) }
        }
    }
}
