// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Keychain
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

extension ViewConversation {
    fileprivate mutating func judge(_ packet: Packet) throws -> Result<Event, Violation> {
        let bytes = try packet.encoded()
        do { return .success(try receive(bytes.span)) } catch { return .failure(error) }
    }

    fileprivate mutating func judge(_ message: WorkerMessage) throws -> Result<Event, Violation> {
        try judge(message.packet)
    }

    /// A conversation that is past `ready`.
    fileprivate static func ready() throws -> ViewConversation {
        var conversation = ViewConversation()
        _ = try conversation.judge(.ready(ahead: 0)).get()
        return conversation
    }

    /// A conversation whose view is open.
    fileprivate static func open() throws -> ViewConversation {
        var conversation = try ready()
        _ = conversation.open(.sample)
        return conversation
    }
}

extension ViewOpening {
    fileprivate static let sample = ViewOpening(
        notification: ShownNotification(
            identifier: "a",
            date: "2026-11-21T03:00:00.123Z",
            payload: Payload(["aps": ["alert": "Hi"]])
        ),
        environment: ViewEnvironment()
    )
}

extension SceneUpdate {
    fileprivate static let first = SceneUpdate(set: [SceneNode(id: 1, up: 0, .view)])
}

/// The host's side with the process of a view: every phase with every message.
struct ViewConversationTests {
    private static let call = CenterCall.settings

    @Test(
        arguments: [
            (.ready(ahead: 0), .success(.becameReady)),
            (.viewScene(id: 1, .first), .failure(.wrongPhase(.viewScene))),
            (.content(1), .failure(.wrongPhase(.content))),
            (.sampleLog, .failure(.wrongPhase(.log))),
            (.keychain(.read(key: "k")), .failure(.wrongPhase(.keychain))),
            (.call(id: 1, call), .failure(.wrongPhase(.call))),
        ] as [(WorkerMessage, Result<ViewConversation.Event, ViewConversation.Violation>)]
    )
    func `a worker that starts may only become ready`(
        message: WorkerMessage,
        result: Result<ViewConversation.Event, ViewConversation.Violation>
    ) throws {
        var conversation = ViewConversation()
        let judged = try conversation.judge(message)
        #expect(judged == result)
        let isReady = conversation.isReady
        #expect(isReady == (message == .ready(ahead: 0)))
    }

    @Test
    func `no scene comes before its view, and a view is opened once`() throws {
        var early = try ViewConversation.ready()
        let judged = try early.judge(.viewScene(id: 1, .first))
        #expect(judged == .failure(.wrongPhase(.viewScene)))
        var conversation = try ViewConversation.ready()
        let sent = [
            conversation.send(.event(.close)), conversation.open(.sample), conversation.open(.sample),
            conversation.send(.event(.media(.play))), conversation.send(.event(.close)),
        ]
        #expect(
            sent == [
                nil, .view(id: 1, .sample), nil, .viewEvent(id: 1, seq: 1, .event(.media(.play))),
                .viewEvent(id: 1, seq: 2, .event(.close)),
            ]
        )
    }

    @Test(
        arguments: [
            (.ready(ahead: 0), .failure(.wrongPhase(.ready))),
            (.viewScene(id: 1, .first), .success(.scene(.first))),
            (.viewScene(id: 2, .first), .failure(.unknownID(2))),
            (.viewScene(id: 0, .first), .failure(.unknownID(0))),
            (.viewScene(id: 1, SceneUpdate(gone: [1])), .failure(.scene(.unknownNode(1)))),
            (.viewScene(id: 1, SceneUpdate(acknowledged: 1)), .failure(.scene(.unknownEvent(1)))),
            (.viewScene(id: 1, SceneUpdate(hasMore: true)), .success(.piece)),
            (.content(1), .failure(.wrongPhase(.content))),
            (.sampleLog, .success(.log(.init(level: .info, message: "hello")))),
            (.keychain(.read(key: "k")), .success(.keychain(.read(key: "k")))),
            (.call(id: 3, call), .success(.call(id: 3, call))),
        ] as [(WorkerMessage, Result<ViewConversation.Event, ViewConversation.Violation>)]
    )
    func `an open view may say this`(
        message: WorkerMessage,
        result: Result<ViewConversation.Event, ViewConversation.Violation>
    ) throws {
        var conversation = try ViewConversation.open()
        let judged = try conversation.judge(message)
        #expect(judged == result)
        let isReady = conversation.isReady
        if case .failure = result { #expect(!isReady) }
    }

    @Test
    func `the scene is kept, and an update in pieces is one`() throws {
        var conversation = try ViewConversation.open()
        _ = try conversation.judge(.viewScene(id: 1, .first))
        let child = SceneNode(id: 2, up: 1, .view)
        _ = try conversation.judge(.viewScene(id: 1, SceneUpdate(set: [child], hasMore: true)))
        let before = conversation.scene.count
        #expect(before == 1)
        let judged = try conversation.judge(.viewScene(id: 1, SceneUpdate(size: SceneSize(360, 100))))
        #expect(judged == .success(.scene(SceneUpdate(set: [child], size: SceneSize(360, 100)))))
        let behind = conversation.scene.count
        #expect(behind == 2)
    }

    @Test
    func `a response has one answer, and one that nobody waits for has none`() throws {
        var conversation = try ViewConversation.open()
        for number: UInt64 in [7, 8] { _ = conversation.send(.event(.response(.init(number: number, action: "a")))) }
        let given = [conversation.giveUp(response: 8), conversation.giveUp(response: 8)]
        #expect(given == [true, false])
        let options = [7, 7, 8, 9].map { SceneCall.option(.dismiss, response: $0) }
        let judged = try conversation.judge(
            .viewScene(id: 1, SceneUpdate(acknowledged: 2, calls: options + [.dismiss]))
        )
        let taken = SceneUpdate(acknowledged: 2, calls: [.option(.dismiss, response: 7), .dismiss])
        #expect(judged == .success(.scene(taken)))
    }

    @Test
    func `questions wait for their answers, and calls have rising ids`() throws {
        var conversation = try ViewConversation.open()
        _ = try conversation.judge(.keychain(.read(key: "k")))
        conversation.answerKeychain()
        let again = try conversation.judge(.keychain(.read(key: "k")))
        #expect(again == .success(.keychain(.read(key: "k"))))
        let called = try conversation.judge(.call(id: 2, Self.call))
        #expect(called == .success(.call(id: 2, Self.call)))
        let answered = [conversation.answer(id: 2), conversation.answer(id: 2)]
        #expect(answered == [true, false])
        let judged = try conversation.judge(.call(id: 2, Self.call))
        #expect(judged == .failure(.badCallID(2)))
    }

    @Test
    func `65 calls that wait are one too many`() throws {
        var conversation = try ViewConversation.open()
        for id: UInt64 in 1...64 { _ = try conversation.judge(.call(id: id, Self.call)).get() }
        let judged = try conversation.judge(.call(id: 65, Self.call))
        #expect(judged == .failure(.tooManyCalls))
    }

    @Test
    func `an id on a message without one is a violation`() throws {
        var conversation = try ViewConversation.open()
        let judged = try conversation.judge(Packet(.log, id: 1, body: ["level": "info", "message": "m"]))
        #expect(judged == .failure(.unknownID(1)))
    }
}
