// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import Locking
import Logging
import NotificationPayload
import PacketSockets
import UserNotificationCenter

/// The conversation with one connection of an app, from its hello to its end.
///
/// Calls are answered in their order, so that a list shows what the calls before it changed; one that waits for a
/// person or for the host holds up no other of these. While a call is carried out the socket lies unread, which bounds
/// what an app has under way by what the socket holds. A breach of the rules ends the connection, and no other.
final class AppSession: Sendable {
    struct State {
        var key: InstallationKey?
        var presence = Presence()
        /// The responses that the app has, by the ids of their packets.
        var responses: [UInt64: Int64] = [:]
        /// The questions that the app has not answered, by the ids of their packets.
        var questions: [UInt64: Question<PresentationOptions>] = [:]
        var silentPush: Question<FetchResult>?
        /// The app's place among those that a person looks at.
        var front: ForegroundApps.ID?
        /// The app's place among those that are told of tokens.
        var news: AppNews.ID?
    }

    /// The time within which an app says hello.
    private static let helloLimit = Duration.seconds(10)
    /// Seconds for which a packet waits for room: a centre that ends does not wait for an app that reads nothing.
    private static let sendingLimit = 3

    private let center: Center
    private let owner: OwnerName
    let socket: PacketSocket
    private let connections: AppConnections
    private let connection: AppConnections.ID
    let clock: any Clock<Duration>
    private let intake: FileIntake
    let end = Locked(CenterAppEnd())
    let state = Locked(State())
    /// The app has a delegate for the first time.
    private let listens = Signal()
    /// The app has a handler of silent pushes for the first time.
    private let takesSilent = Signal()
    /// Calls that the host answers, in their order; the socket bounds how many are open.
    private let hostCalls = AsyncStream<(UInt64, CenterCall)>.makeStream()
    /// The threads that wait in the kernel: for packets, and for room.
    private let reader = DispatchQueue(label: "center.app.read")
    let writer = DispatchQueue(label: "center.app.write")

    init(
        _ center: Center,
        owner: OwnerName,
        _ socket: PacketSocket,
        _ connections: AppConnections,
        _ connection: AppConnections.ID,
        clock: any Clock<Duration>
    ) {
        self.center = center
        self.owner = owner
        self.socket = socket
        self.connections = connections
        self.connection = connection
        self.clock = clock
        intake = FileIntake(center.store.files)
        socket.limitSending(toSeconds: Self.sendingLimit)
    }

    /// Returns when the app is gone, was refused, or has broken the rules.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.deliverResponses() }
            group.addTask { await self.deliverSilentPushes() }
            group.addTask { await self.endUnlessGreeted() }
            group.addTask { for await (id, call) in self.hostCalls.stream { await self.answerAside(id, call) } }
            do {
                while let (event, files) = try await next() {
                    try await handle(event, files) { id, call in group.addTask { await self.answerAside(id, call) } }
                }
            } catch let violation as AppViolation {
                log(.error, "app broke the rules of its socket", ["error": "\(violation)"])
            } catch {
                log(.info, "connection of an app ended", ["error": "\(error)"])
            }
            socket.shutDown()
            leaveFront()
            group.cancelAll()
        }
    }

    /// Ends a connection that says nothing: it has threads that others need.
    private func endUnlessGreeted() async {
        guard (try? await clock.sleep(for: Self.helloLimit)) != nil, state.withLock(\.key) == nil else { return }
        socket.shutDown()
    }

    private func log(_ level: Logger.Level, _ text: Logger.Message, _ metadata: Logger.Metadata) {
        var metadata = metadata
        metadata["app"] = state.withLock(\.key).map { "\($0.app)" }
        center.logger.log(level: level, text, metadata: metadata)
    }

    // MARK: Reading

    /// Waits until the app's rate allows a call, and then for a packet; `nil` means that the app is gone.
    private func next() async throws -> (CenterAppEnd.Event, files: [PassedFile])? {
        let pause = end.withLock { $0.pause(at: now) }
        if pause > .zero { try await clock.sleep(for: pause) }
        return try await withCheckedThrowingContinuation { answer in
            reader.async { answer.resume(with: Result { try self.readNow() }) }
        }
    }

    private var now: Duration { .milliseconds(center.clock.boot()) }

    private func readNow() throws -> (CenterAppEnd.Event, files: [PassedFile])? {
        var buffer = [UInt8](repeating: 0, count: AppMessageType.maximumByteCount + 1)
        var files: [PassedFile] = []
        switch socket.receive(into: &buffer, files: &files) {
        case .nothing, .closed: return nil
        case .malformed: throw AppViolation.packet(.tooLong(byteCount: buffer.count, limit: buffer.count - 1))
        case .packet(let count):
            let event = try end.withLock { end throws(AppViolation) in
                try end.receive(buffer.span.extracting(0..<count), descriptorCount: files.count, at: now)
            }
            return (event, files)
        }
    }

    private func handle(
        _ event: CenterAppEnd.Event,
        _ files: [PassedFile],
        aside: (UInt64, CenterCall) -> Void
    ) async throws {
        switch event {
        case .hello(let hello): try await greet(hello)
        case .call(let id, let call):
            switch call {
            case .authorize: aside(id, call)
            case .register, .withdraw: hostCalls.continuation.yield((id, call))
            case .settings, .setCategories, .categories, .add, .pending, .removePending, .delivered, .removeDelivered,
                .file, .badge:
                try await answer(id, call, files)
            }
        case .presence(let presence): note(presence)
        case .completed(let id): try await complete(id)
        case .present(let id, let options): state.withLock { $0.questions.removeValue(forKey: id) }?.answer(options)
        case .finished(_, let result): state.withLock(\.silentPush)?.answer(result)
        // There may be room for a silent push now.
        case .lateAnswer: state.withLock(\.key).map(center.silentPushes.watchers.raise)
        }
    }

    // MARK: Hello and presence

    private func greet(_ hello: AppHello) async throws {
        guard let key = InstallationKey(owner: owner, app: hello.bundleIdentifier) else {
            try await reject(.unknownApp, "name the app by its bundle identifier, such as com.example.app")
            return
        }
        if let reason = connections.bind(connection, to: key.app) {
            try await reject(reason, "close a connection first, or try again in a minute")
            return
        }
        state.withLock { $0.key = key }
        let status = try center.permission(of: key).status
        let environment = center.app(key).environment
        let news = center.appNews.enter(key, self)
        state.withLock { $0.news = news }
        try await send(.welcome(AppWelcome(owner: owner.text, status: status, environment: environment)))
        log(.info, "app connected", [:])
    }

    private func reject(_ reason: AppRejection.Reason, _ hint: String) async throws {
        try await send(.rejected(AppRejection(reason, hint: hint)))
        throw AppGone()
    }

    private func note(_ presence: Presence) {
        let former = state.withLock { state in
            defer { state.presence = presence }
            return state.presence
        }
        if former.inFront != presence.inFront || former.listens != presence.listens { place(presence) }
        guard let key = state.withLock(\.key) else { return }
        if presence.silent, !former.silent {
            takesSilent.raise()
            center.silentPushes.watchers.raise(key)
        }
        guard presence.listens, !former.listens else { return }
        listens.raise()
        center.responseWatchers.raise(key)
        center.appNews.fulfilWish(of: key, self, at: center.clock.boot())
    }

    // MARK: In front

    private func place(_ presence: Presence) {
        guard let key = state.withLock(\.key) else { return }
        let place = presence.inFront ? center.foreground.enter(key, presence.listens ? self : nil) : nil
        let former = state.withLock { state in
            defer { state.front = place }
            return state.front
        }
        if let former { center.foreground.leave(former) }
    }

    /// The app is gone: what it was asked has no answer.
    private func leaveFront() {
        let (place, news, questions, silentPush) = state.withLock { state in
            defer { (state.front, state.news, state.questions, state.silentPush) = (nil, nil, [:], nil) }
            return (state.front, state.news, state.questions, state.silentPush)
        }
        if let place { center.foreground.leave(place) }
        if let news { center.appNews.leave(news) }
        for question in questions.values { question.answer(nil) }
        silentPush?.answer(nil)
    }

    // MARK: Calls

    private func answerAside(_ id: UInt64, _ call: CenterCall) async {
        do { try await answer(id, call) } catch { socket.shutDown() }
    }

    private func answer(_ id: UInt64, _ call: CenterCall, _ files: [PassedFile] = []) async throws {
        guard let key = state.withLock(\.key) else { return }
        let desk = CallDesk(center, CallFiles(passed: files, intake: intake), by: .app)
        let answer = await desk.answer(call, of: key)
        guard !Task.isCancelled else { return }
        do {
            try await send(.answer(id: id, call.name, answer))
        } catch AppViolation.packet(.tooLong) {
            // Set over HTTP, whose bodies are longer.
            try await send(.answer(id: id, call.name, .failed(.noContent)))
        }
    }

    // MARK: Responses

    /// Hands responses over from the first delegate on; while there is none, the app has no room for more of them.
    private func deliverResponses() async {
        await listens.wait()
        guard !Task.isCancelled, let key = state.withLock(\.key) else { return }
        let delivery = ResponseDelivery(center: center, key: key, clock: clock)
        // What the app had goes back to the store; the end of the socket is told by its reader.
        do { try await delivery.run(to: self) } catch { socket.shutDown() }
    }

    /// Hands silent pushes over from the first handler on.
    private func deliverSilentPushes() async {
        await takesSilent.wait()
        guard !Task.isCancelled, let key = state.withLock(\.key) else { return }
        do { try await SilentDelivery(center: center, key: key, clock: clock).run(to: self) } catch {
            socket.shutDown()
        }
    }

    /// The app is done with a response; one of which the store knows no more changes nothing.
    private func complete(_ id: UInt64) async throws {
        guard let response = state.withLock({ $0.responses.removeValue(forKey: id) }) else { return }
        _ = try await center.perform([.step(response: response, .completed)])
    }

    // MARK: Sending

    /// Returns when the app's socket has it; an app that reads nothing holds up itself alone.
    private func send(_ message: CenterAppMessage) async throws {
        let packet = try end.withLock { end throws(AppViolation) in try end.send(message) }
        try await hand(packet)
    }

    func hand(_ packet: [UInt8]) async throws {
        let isSent = await withCheckedContinuation { answer in
            writer.async { [socket] in answer.resume(returning: socket.send(packet)) }
        }
        guard isSent else { throw AppGone() }
    }
}

extension AppSession: ResponseReceiver {
    var hasRoom: Bool { state.withLock(\.presence.listens) && end.withLock { $0.hasRoomForResponse } }

    func send(_ response: StoredResponse) async throws {
        let packet = try end.withLock { end throws(AppViolation) in
            let id = end.nextQuestionID
            let packet = try end.send(response, of: center.store, id: id)
            state.withLock { $0.responses[id] = response.id }
            return packet
        }
        try await hand(packet)
    }

    func giveUp(_ response: Int64) {
        let id = state.withLock { state in
            let id = state.responses.first { $0.value == response }?.key
            if let id { state.responses[id] = nil }
            return id
        }
        if let id { _ = end.withLock { $0.expireQuestion(id) } }
    }

    func idle() async throws {}
}

/// The app ended while something was to be said to it, or was refused.
private struct AppGone: Error, CustomStringConvertible {
    let description = "the app is gone"
}
