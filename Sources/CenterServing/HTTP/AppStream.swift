// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import NotificationPayload

/// The stream of events of an app: responses, and what the app is asked in front and in silence.
///
/// The app answers each event with `POST answers/ID`.
package struct AppStream: Sendable {
    /// The kinds of event that an app asked for besides responses.
    package struct Wishes: Sendable {
        /// A person looks at the app as long as it reads the stream.
        var isInFront: Bool
        var silentPushes: Bool
    }

    /// Questions that wait for an app which reads slowly; beyond them nothing is asked.
    private static let backlogLimit = 64

    private let key: InstallationKey
    private let center: Center
    private let wishes: Wishes
    private let questions: StreamQuestions
    private let stream: Int
    private let clock: any Clock<Duration>
    /// Writes a text to the stream; throws when the app is gone.
    private let write: @Sendable (String) async throws -> Void
    /// The questions on their way, in their order.
    private let texts: AsyncStream<Text>
    private let outgoing: AsyncStream<Text>.Continuation

    private struct Text: Sendable {
        let text: String
        /// Set once the app's connection has it.
        let isWritten: Locked<Bool>
    }

    init(
        _ key: InstallationKey,
        _ api: CenterAPI,
        _ wishes: Wishes,
        write: @escaping @Sendable (String) async throws -> Void
    ) {
        self.key = key
        center = api.center
        self.wishes = wishes
        questions = api.questions
        stream = questions.makeStream()
        clock = api.clock
        self.write = write
        (texts, outgoing) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.backlogLimit))
    }

    /// Writes events until the app is gone, which `write` throws, or the task is cancelled.
    func run() async throws {
        let place = wishes.isInFront ? center.foreground.enter(key, self) : nil
        let news = center.appNews.enter(key, self)
        center.appNews.fulfilWish(of: key, self, at: center.clock.boot())
        defer {
            center.appNews.leave(news)
            if let place { center.foreground.leave(place) }
            questions.end(stream)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ResponseDelivery(center: center, key: key, clock: clock).run(to: self) }
            group.addTask {
                for await text in texts {
                    try await write(text.text)
                    text.isWritten.withLock { $0 = true }
                }
            }
            if wishes.silentPushes {
                group.addTask { try await SilentDelivery(center: center, key: key, clock: clock).run(to: self) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Has an event sent that the app answers by its id; returns whether it is written, and `nil` if too many wait
    /// already.
    private func send(_ kind: QuestionKind, _ number: Int, _ body: JSONObject) -> Locked<Bool>? {
        var body = body
        body["id"] = .string(kind.id(number))
        let isWritten = Locked(false)
        switch outgoing.yield(Text(text: Self.text(kind.event, body), isWritten: isWritten)) {
        case .enqueued: return isWritten
        case .dropped, .terminated: return nil
        @unknown default: return nil
        }
    }

    private static func text(_ event: String, _ body: JSONObject) -> String {
        "event: \(event)\ndata: \(String(decoding: body.serialized, as: UTF8.self))\n\n"
    }
}

/// The kinds of question over a stream; the ids of their events begin with their names.
enum QuestionKind: String, CaseIterable {
    case present, silent

    var event: String {
        switch self {
        case .present: "willPresent"
        case .silent: "silent"
        }
    }

    func id(_ number: Int) -> String { "\(rawValue)-\(number)" }

    /// Reads the number of a question out of the id of its event; `nil` means that the id is that of a response.
    static func number(of id: String) -> Int? {
        let parts = id.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, QuestionKind(rawValue: String(parts[0])) != nil else { return nil }
        return Int(parts[1])
    }
}

extension AppStream: ResponseReceiver {
    var hasRoom: Bool { true }

    func send(_ response: StoredResponse) async throws {
        var object: JSONObject = [
            "id": .string("\(response.number)"), "notification": .string("\(response.number)"),
            "action": .string(response.action),
        ]
        object["text"] = response.text.map(JSON.string)
        object["identifier"] = response.content.map { .string($0.identifier) }
        object["payload"] = response.content.map { .object($0.payload) }
        try await write(Self.text("response", object))
    }

    func giveUp(_ response: Int64) {}

    func idle() async throws { try await write(EventView.comment) }
}

extension AppStream: AppNewsReceiver {
    var showsSettings: Bool { true }

    func tell(_ message: AppNews.Message) -> Bool {
        let text: String
        switch message {
        case .token(let token): text = Self.text("token", ["token": token.map(JSON.string) ?? .null])
        case .openSettings(let notification):
            var object: JSONObject = [:]
            object["notification"] = notification.map { .string("\($0.number)") }
            object["identifier"] = notification.map { .string($0.request.identifier) }
            object["payload"] = notification.map { .object($0.request.payload.object) }
            text = Self.text("openSettings", object)
        }
        guard case .enqueued = outgoing.yield(Text(text: text, isWritten: Locked(false))) else { return false }
        return true
    }
}

extension AppStream: ForegroundAsker {
    func ask(_ notification: ToldNotification) -> Question<PresentationOptions>? {
        let (number, question) = questions.open(StreamQuestions.Kind.present, to: key, over: stream)
        let body: JSONObject = [
            "date": .string(notification.date.text), "identifier": .string(notification.request.identifier),
            "payload": .object(notification.request.payload.object),
        ]
        if send(.present, number, body) == nil { question.answer(nil) }
        return question
    }
}

extension AppStream: SilentReceiver {
    var takesSilentPushes: Bool { wishes.silentPushes }

    func handle(_ payload: Payload) async throws -> FetchResult? {
        let (number, question) = questions.open(StreamQuestions.Kind.silent, to: key, over: stream)
        guard let isWritten = send(.silent, number, ["payload": .object(payload.object)]) else {
            questions.close(number)
            throw StreamBehind()
        }
        let result = await question.wait(SilentDelivery.limit, clock)
        if result == nil, !isWritten.withLock(\.self) { throw StreamBehind() }
        return result
    }
}

/// An app did not read what it was told, so that nothing more is told on its stream.
private struct StreamBehind: Error {}
