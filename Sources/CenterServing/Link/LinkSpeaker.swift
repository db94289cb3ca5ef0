// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import Locking
import NotificationPayload
import PacketSockets

/// The half of a link that speaks to the host: each message in its order, and the questions and views that await words
/// of the host.
///
/// A host that takes nothing for ten seconds is let go, and its records come again on the next link.
final class LinkSpeaker: Sendable {
    /// The time that the host has for a wish of an app.
    static let askLimit = Duration.seconds(10)
    /// Seconds for which a packet waits for room.
    private static let sendingLimit = 10

    private let socket: PacketSocket
    private let end: Locked<CenterLinkEnd>
    private let clock: any Clock<Duration>
    /// The wishes of apps that the host has not answered, by the ids of their packets.
    private let asks = Locked<[UInt64: Question<CallAnswer>]>([:])
    /// The views that the host has open, by their ids on the link.
    private let views = Locked<[UInt64: ContentView]>([:])
    /// The thread that waits in the kernel for room.
    private let writer = DispatchQueue(label: "center.link.write")

    init(_ socket: PacketSocket, _ end: Locked<CenterLinkEnd>, clock: any Clock<Duration>) {
        self.socket = socket
        self.end = end
        self.clock = clock
        socket.limitSending(toSeconds: Self.sendingLimit)
    }

    /// Returns when the host's socket has all messages; a host that reads nothing holds up its own records alone.
    func send(_ messages: [CenterLinkMessage]) async throws {
        guard !messages.isEmpty else { return }
        try await onWriter { for message in messages { try self.say(message) } }.get()
    }

    // MARK: What the host says to it

    /// The host has answered a wish.
    func heard(_ answer: CallAnswer, to id: UInt64) { asks.withLock { $0.removeValue(forKey: id) }?.answer(answer) }

    /// A view has changed, or says something.
    func heard(_ update: JSONObject, of id: UInt64) throws(MemberFault) { try views.withLock { $0[id] }?.take(update) }

    /// A view has a picture.
    func heard(_ picture: LinkViewFile, _ file: PassedFile, of id: UInt64) {
        views.withLock { $0[id] }?.take(picture, file)
    }

    /// A view has ended.
    func heard(_ reason: ViewEnd, of id: UInt64) { views.withLock { $0.removeValue(forKey: id) }?.end(reason) }

    /// The link is over: no wish is answered any more, and each view has ended.
    func finish() {
        for question in asks.withLock({ Array($0.values) }) { question.answer(nil) }
        let open = views.withLock { views in
            defer { views = [:] }
            return views.values
        }
        for view in open { view.end(.gone) }
    }

    // MARK: The writer's thread

    private func onWriter<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        await withCheckedContinuation { answer in
            writer.async { answer.resume(returning: Result(catching: body)) }
        }
    }

    /// Throws what the link's rules do not allow now, or that the host takes nothing any more.
    private func say(_ message: CenterLinkMessage, _ files: [PassedFile] = []) throws {
        let packet = try end.withLock { end throws(LinkViolation) in try end.send(message) }
        guard socket.send(packet, files: files) else {
            socket.shutDown()
            throw HostGone()
        }
    }
}

extension LinkSpeaker: HostAsker {
    func ask(_ ask: LinkAsk) async -> CallAnswer? {
        // More than a link takes at a time, or of a host that has just gone.
        guard case .success(let question) = await onWriter({ try self.askNow(ask) }) else { return nil }
        return await question.wait(Self.askLimit, clock)
    }

    private func askNow(_ ask: LinkAsk) throws -> Question<CallAnswer> {
        // Ids are used up on this thread alone.
        let id = end.withLock { $0.nextAskID }
        let question = Question<CallAnswer> { [weak self] in _ = self?.asks.withLock { $0.removeValue(forKey: id) } }
        asks.withLock { $0[id] = question }
        do { try say(.ask(id: id, ask)) } catch {
            _ = asks.withLock { $0.removeValue(forKey: id) }
            throw error
        }
        return question
    }

    func open(_ wish: LinkView, _ files: [PassedFile], as view: ContentView) async -> Bool {
        await onWriter { try self.openNow(wish, files, view) }.isSuccess
    }

    private func openNow(_ wish: LinkView, _ files: [PassedFile], _ view: ContentView) throws {
        guard let id = end.withLock({ $0.nextViewID }) else { throw LinkViolation.tooManyOpen(.viewOpen) }
        // One that nobody wants any more is not even opened.
        guard view.opened(by: self, as: id) else { throw LinkViolation.unknownID(.viewOpen, id) }
        views.withLock { $0[id] = view }
        do { try say(.viewOpen(id: id, wish), files) } catch {
            heard(.gone, of: id)
            throw error
        }
    }

    func tell(
        _ id: UInt64,
        _ files: [PassedFile],
        _ event: @escaping @Sendable () -> JSONObject?
    ) async -> Bool {
        await onWriter {
            guard let event = event() else { throw LinkViolation.unknownID(.viewEvent, id) }
            try self.say(.viewEvent(id: id, event), files)
        }.isSuccess
    }
}

/// The host ended while something was to be said to it.
struct HostGone: Error, CustomStringConvertible {
    let description = "the host is gone"
}

extension Result {
    fileprivate var isSuccess: Bool {
        guard case .success = self else { return false }
        return true
    }
}
