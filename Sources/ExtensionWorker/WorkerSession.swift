// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import HostLog
import Keychain
import Locking
import NotificationPayload
import SceneModel
import UserNotifications
import WorkerFolders
import WorkerProtocol

/// One conversation with the host: reads its packets, runs the extension, sends what it completes.
///
/// The extension's code is never called with a lock held, nor on the reading thread. A service has a thread for each
/// notification that it works on, and a view the main one. Requests that the host sends ahead wait in the conversation,
/// so that the reading thread always hears a last call.
final class WorkerSession: Sendable {
    private struct State: ~Copyable {
        var conversation: ServeConversation
        var requests: [UInt64: OpenRequest] = [:]
        var scratch: ScratchFolder?
        var repeatedCompletionCount = 0
        var logAllowance = LogAllowance(now: .now)
    }

    /// The code that the process serves.
    enum Work: Sendable {
        /// An extension for each notification.
        case service(@Sendable () -> UNNotificationServiceExtension)
        /// One view.
        case view(any ViewWork)
    }

    private let socket: PacketSocket
    private let work: Work
    private let exit: @Sendable (Int32) -> Void
    private let loadFilter: @Sendable (CallFilter) -> Int32
    private let takesHostLog: Bool
    private let threads = WorkerThreads()
    private let keychain = KeychainExchange()
    private let center = CenterExchange()
    private let state: Locked<State>

    /// Begins no conversation yet.
    ///
    /// `exit` ends the process; where it returns, in tests, the session reads on no more. `loadFilter` returns 0 or an
    /// errno; it is for good, and for the whole process. `takesHostLog` says that this is the process's only session:
    /// what the extension logs goes to its host.
    init(
        socket: PacketSocket,
        work: Work,
        loadFilter: @escaping @Sendable (CallFilter) -> Int32 = { $0.load() },
        takesHostLog: Bool = false,
        exit: @escaping @Sendable (Int32) -> Void
    ) {
        CenterReach.forbid()
        self.socket = socket
        self.work = work
        let role: ServeConversation.Role =
            switch work {
            case .service: .service
            case .view: .view
            }
        state = Locked(State(conversation: ServeConversation(role)))
        self.loadFilter = loadFilter
        self.takesHostLog = takesHostLog
        self.exit = exit
    }

    /// Completions that came after the first of their request.
    var repeatedCompletionCount: Int { state.withLock { $0.repeatedCompletionCount } }

    /// The folder that the host gave this worker; `nil` before its hello, and when it has none.
    var scratch: ScratchFolder? { state.withLock { $0.scratch } }

    /// Reads on a thread of its own; false when there is none to be had.
    func start() -> Bool {
        let started = WorkerThreads.startThread { self.exit(self.serve()) }
        if !started { StandardError.write("error: cannot start a thread") }
        return started
    }

    /// Serves until the host hangs up, shuts down or breaks the protocol; returns the exit status.
    func serve() -> Int32 {
        var buffer = PacketSocket.makeBuffer()
        while true {
            switch socket.receive(into: &buffer) {
            case .packet(let count):
                do {
                    let event = try state.withLock { state throws(ServeConversation.Violation) in
                        try state.conversation.receive(buffer.span.extracting(0..<count))
                    }
                    if let status = handle(event) { return status }
                } catch {
                    // The violation names message types and byte offsets, never a text of the host's.
                    StandardError.write("error: the host broke the protocol: \(error)")
                    return 1
                }
            case .endOfFile:
                return 0
            case .malformed:
                StandardError.write("error: the host broke the protocol: no packet")
                return 1
            }
        }
    }

    /// The exit status, if the event ends the conversation.
    private func handle(_ event: ServeConversation.Event) -> Int32? {
        switch event {
        case .hello(let hello):
            state.withLock { $0.scratch = hello.scratch.map(ScratchFolder.init(path:)) }
            if takesHostLog {
                WorkerFolders.set(scratch: hello.scratch)
                if let scratch = hello.scratch { HomeFolders.make(below: scratch) }
            }
            rehearse()
            // Before `ready`: what the host sends from then on is other people's text.
            if let filter = hello.filter, !load(filter) { return 1 }
            send(.ready(ahead: ahead))
            // Not sooner: before `ready` a line is a violation.
            if takesHostLog {
                HostLog.redirect { level, message in self.log(level, message) }
                HostKeychain.redirect { call in self.ask(call) }
                if hello.hasCenter { CenterReach.redirect(self) }
            }
            return nil
        case .request(let id, let request):
            return open(id: id, request) ? nil : 1
        case .requestBehind, .recallOfBegunRequest:
            return nil
        case .recalled(let id):
            send(.returned(id: id))
            return nil
        case .willExpire(let id):
            guard let instance = state.withLock({ $0.requests[id] })?.expire() else { return nil }
            return expire(instance) ? nil : 1
        case .expiryOfClosedRequest:
            return nil
        case .keychain(let answer):
            keychain.receive(answer)
            return nil
        case .answer(let id, let answer):
            center.receive(answer, to: id)
            return nil
        case .view(let opening):
            guard case .view(let view) = work else { return nil }
            view.open(notification(opening.notification), in: opening.environment) { update in self.send(update) }
            return nil
        case .viewEvent(let seq, let word):
            guard case .view(let view) = work else { return nil }
            switch word {
            case .event(let event): view.take(event, numbered: seq)
            case .notification(let shown): view.take(notification(shown), numbered: seq)
            }
            return nil
        case .shutdown:
            guard case .view(let view) = work else { return 0 }
            // What a person did last is done before; the host waits for two seconds.
            view.end { self.exit(0) }
            return nil
        }
    }

    /// Requests that the host may send beyond those that are worked on: they wait here, out of the way of last calls.
    private var ahead: Int {
        switch work {
        case .service: ServeConversation.ahead
        case .view: 0
        }
    }

    /// Rehearses a request while the thread of the first one comes up; if there can be no thread, that request finds
    /// out why.
    private func rehearse() {
        guard case .service = work else { return }
        _ = threads.run {}
        Rehearsal.run()
    }

    private func load(_ text: String) -> Bool {
        guard let filter = CallFilter(base64: text) else {
            StandardError.write("error: the host broke the protocol: its filter is no base64 of instructions")
            return false
        }
        let error = loadFilter(filter)
        guard error == 0 else {
            StandardError.write("error: the system-call filter cannot be loaded: errno \(error)")
            return false
        }
        return true
    }

    // MARK: One request

    private func open(id: UInt64, _ message: HostMessage.Request) -> Bool {
        let request = OpenRequest(id: id, hasAttachments: !message.attachments.isEmpty)
        state.withLock { $0.requests[id] = request }
        return run { self.work(on: request, message) }
    }

    private func work(on request: OpenRequest, _ message: HostMessage.Request) {
        guard case .service(let makeExtension) = work else { return }
        let notification = UNNotificationRequest(
            identifier: message.identifier,
            content: UNNotificationContent(payload: message.payload, attachments: taken(message.attachments)),
            trigger: UNPushNotificationTrigger()
        )
        let instance = OpenRequest.Instance(service: makeExtension())
        if request.begin(instance), !expire(instance) { return exit(1) }
        instance.service.didReceive(notification) { content in
            self.complete(request.id, with: content)
        }
    }

    /// The notification that a view shows.
    private func notification(_ shown: ShownNotification) -> UNNotification {
        let request = UNNotificationRequest(
            identifier: shown.identifier,
            content: UNNotificationContent(payload: shown.payload, attachments: taken(shown.attachments)),
            trigger: UNPushNotificationTrigger()
        )
        let milliseconds = Moment(shown.date)?.milliseconds ?? 0
        return UNNotification(request: request, date: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    /// The files that the host has put into the scratch folder.
    private func taken(_ attachments: [ScratchAttachment]) -> [UNNotificationAttachment] {
        guard !attachments.isEmpty, let scratch else { return [] }
        return attachments.compactMap { given in
            let attachment = scratch.attachment(given)
            if attachment == nil {
                let notice = "attachment \"\(given.identifier)\" of the request is not there: left out"
                send(.log(.init(level: .notice, message: notice)))
            }
            return attachment
        }
    }

    /// Makes the last call, which may come while `didReceive` is running.
    private func expire(_ instance: OpenRequest.Instance) -> Bool {
        run { instance.service.serviceExtensionTimeWillExpire() }
    }

    private func run(_ job: @escaping @Sendable () -> Void) -> Bool {
        let runs = threads.run(job)
        if !runs { StandardError.write("error: cannot start a thread") }
        return runs
    }

    // MARK: Completion

    /// The first call sends the content before it returns; every later one is dropped, and the first of those logged.
    private func complete(_ id: UInt64, with content: UNNotificationContent) {
        let (request, scratch, repeatedCount) = state.withLock { state in
            guard state.conversation.complete(id: id) else {
                state.repeatedCompletionCount += 1
                return (OpenRequest?.none, ScratchFolder?.none, state.repeatedCompletionCount)
            }
            return (state.requests.removeValue(forKey: id), state.scratch, 0)
        }
        guard repeatedCount == 0 else {
            if repeatedCount == 1 {
                send(.log(.init(level: .notice, message: "the content handler was called again: no effect")))
            }
            return
        }
        let outgoing = OutgoingContent(
            content,
            scratch: scratch,
            wasGivenAttachments: request?.hasAttachments ?? false
        )
        for warning in outgoing.warnings {
            send(.log(.init(level: .notice, message: warning)))
        }
        switch outgoing.encoded(id: id) {
        case .success(let packet):
            socket.send(packet)
            beginNext(behind: id)
            request?.close()
        case .failure(let problem):
            StandardError.write("error: \(problem.message)")
            send(.log(.init(level: .error, message: problem.message)))
            exit(1)
        }
    }

    /// Works on the request that waited behind the one whose content was just sent.
    private func beginNext(behind sent: UInt64) {
        let next = state.withLock { state -> (OpenRequest, HostMessage.Request)? in
            guard let turn = state.conversation.leave(id: sent) else { return nil }
            let request = OpenRequest(id: turn.id, hasAttachments: !turn.request.attachments.isEmpty)
            if turn.isExpiring { _ = request.expire() }
            state.requests[turn.id] = request
            return (request, turn.request)
        }
        guard let (request, message) = next else { return }
        if !run({ self.work(on: request, message) }) { exit(1) }
    }

    /// A line of the extension's.
    private func log(_ level: HostLog.Level, _ message: String) {
        let lines = state.withLock { $0.logAllowance.lines(for: message, now: .now) }
        for line in lines {
            send(.log(.init(level: .init(level), message: line)))
        }
    }

    /// Asks for something of the app's keychain, and waits: others that ask meanwhile wait in line.
    func ask(_ call: KeychainCall) -> KeychainAnswer {
        guard let packet = try? WorkerMessage.keychain(call).packet.encoded() else { return .failed }
        return keychain.exchange {
            self.state.withLock { $0.conversation.askKeychain() } && self.socket.send(packet)
        }
    }

    /// Calls the app's notification centre: the packet has left the process when this returns, before every completion
    /// that comes later.
    func call(_ call: CenterCall, _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void) {
        // Its length does not depend on the id.
        guard (try? WorkerMessage.call(id: 0, call).packet.encoded()) != nil else { return completion(.tooLarge) }
        center.call(completion) {
            state.withLock { $0.conversation.openCall(call.name) }
        } send: { id in
            (try? WorkerMessage.call(id: id, call).packet.encoded()).map { socket.send($0) } ?? false
        }
    }

    /// Sends an update of the view's scene, in as many packets as it needs.
    private func send(_ update: SceneUpdate) {
        for piece in update.pieces(ofAtMost: Packet.maximumByteCount - Packet.headerByteCount) {
            send(.viewScene(id: ViewConversation.viewID, piece))
        }
    }

    private func send(_ message: WorkerMessage) {
        // Only a content can outgrow a packet, and it does not come this way; an update of a scene was cut into pieces.
        guard let packet = try? message.packet.encoded() else { return }
        socket.send(packet)
    }
}

extension WorkerMessage.Log.Level {
    init(_ level: HostLog.Level) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .error: self = .error
        case .fault: self = .fault
        }
    }
}
