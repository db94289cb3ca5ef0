// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Keychain
import SceneModel
import WorkerProtocol

/// The process of one view: the conversation with it, and what it has used.
final class ViewProcess: SandboxedProcess, ExtensionProcess {
    let site: ExtensionSite
    private let report: @Sendable (ViewReport) -> Void
    private var conversation = ViewConversation()
    /// The number of the last response that was given.
    private var lastResponse: UInt64 = 0
    private var allowance = WorkerAllowance()
    private var throttle = SceneThrottle()
    private var numbers = EventNumbers()
    var life: ViewLife
    /// The end of the time for the first scene, or of the farewell.
    var limit: DeadlineQueue.ID?
    /// True until the launcher has answered the order.
    var isOrdered = false
    /// True once the process has the weight of everybody; it started with less.
    var hasWeight = false
    /// True while a deadline releases what the throttle holds.
    var isReleasing = false
    /// True while files of a notification are put into its folder.
    var awaitsFiles = false
    /// The word that waits for those files and the words behind it, with files of their own, in their order.
    var heldWords: [(word: ViewWord, files: [ViewAttachment], number: UInt64)] = []
    private(set) var hasSaidReady = false
    private var use = ViewUse()
    /// The files that it has named, and the pictures that it has.
    var shelf = ViewShelf()
    /// True once the log has a file of it that was refused.
    var hasRefusedFile = false

    init(
        serial: UInt64,
        ends: ProcessEnds,
        site: ExtensionSite,
        life: ViewLife,
        report: @escaping @Sendable (ViewReport) -> Void
    ) {
        self.site = site
        self.life = life
        self.report = report
        super.init(serial: serial, channel: ends.channel, output: ends.output)
    }

    /// The process has said that it is ready and the launcher that it was started, and neither is over.
    var canServe: Bool { hasSaidReady && pid > 0 && channel.isOpen && killCause == nil }

    func tell(_ word: ViewReport) { report(word) }

    // MARK: What it is told

    func send(_ opening: ViewOpening) -> Bool {
        var opening = opening
        opening.notification.dropAttachments { notification in
            fits(
                .view(
                    id: ViewConversation.viewID,
                    ViewOpening(notification: notification, environment: opening.environment)
                )
            )
        }
        guard let message = conversation.open(opening), let bytes = try? message.packet.encoded() else { return false }
        channel.send(bytes)
        return true
    }

    /// The number that whoever opened the view gave the last event.
    var lastEvent: UInt64 { numbers.last }
    /// The number of the last event that the view has taken in; 0 for none.
    private(set) var lastAcknowledged: UInt64 = 0

    /// Sends an event under a number above those before it; false when the view does not read what came before.
    func send(_ word: ViewWord, numbered number: UInt64) throws(EventFault) -> Bool {
        // Judged before anything changes: what fits under the longest number fits under each.
        let fits = { (word: ViewWord) in
            self.fits(.viewEvent(id: ViewConversation.viewID, seq: UInt64(Int64.max), word))
        }
        var word = word
        if case .notification(var notification) = word {
            notification.dropAttachments { fits(.notification($0)) }
            word = .notification(notification)
        }
        guard fits(word) else { throw .badValue }
        guard channel.unreadCount < ViewRules.unreadEvents, let message = conversation.send(word),
            let bytes = try? message.packet.encoded()
        else { return false }
        channel.send(bytes)
        if case .event(.response(let response)) = word { lastResponse = response.number }
        numbers.sent(conversation.lastEvent, as: number)
        return true
    }

    private func fits(_ message: HostMessage) -> Bool { (try? message.packet.encoded()) != nil }

    /// Acknowledges an event that reaches no process, in its turn.
    func skip(_ number: UInt64) {
        if let acknowledged = numbers.skipped(number) { tell(.scene(SceneUpdate(acknowledged: acknowledged))) }
    }

    /// Tells the process that its view is to end, unless it does not read what came before.
    func sayFarewell() {
        if channel.unreadCount < ViewRules.unreadEvents, let message = conversation.send(.event(.close)),
            let bytes = try? message.packet.encoded()
        {
            channel.send(bytes)
        }
        if let bytes = try? HostMessage.shutdown.packet.encoded() { channel.send(bytes) }
    }

    /// Judges what a person, or the page for them, does with the view.
    func judge(_ event: ViewEvent) throws(EventFault) {
        switch event {
        case .node(let node, let event): try conversation.scene.judge(event, of: node)
        case .response(let response):
            guard CenterNames.identifierByteCounts.contains(response.action.utf8.count),
                (response.text?.utf8.count ?? 0) <= SceneLimits.responseTextByteCount,
                response.number > lastResponse
            else { throw .badValue }
        case .media:
            guard conversation.scene.mediaButton != nil else { throw .notOfKind }
        case .environment: break
        // The view is closed in another way.
        case .close: throw .notOfKind
        }
    }

    /// Nobody waits for the word on a response any more; true if it had not come.
    func giveUp(response number: UInt64) -> Bool { conversation.giveUp(response: number) }

    /// The whole scene as it stands.
    var wholeScene: SceneUpdate { conversation.scene.whole }

    /// False means that the view asks too often, and the call fails.
    func takeKeychainCall(now: Duration) -> Bool { allowance.takeKeychainCall(now: now) }

    func answer(_ answer: KeychainAnswer) {
        guard let bytes = try? HostMessage.packet(answer) else { return }
        conversation.answerKeychain()
        channel.send(bytes)
    }

    func answer(_ answer: CallAnswer, to call: UInt64) {
        guard conversation.answer(id: call), let bytes = try? HostMessage.packet(answer, to: call) else { return }
        channel.send(bytes)
    }

    // MARK: What it says

    /// The outcome of one read from the process's socket.
    enum Word {
        case nothing
        case closed
        case ready
        case scene(SceneUpdate)
        /// An update that is held, or a piece of one.
        case later
        case log(WorkerMessage.Log)
        case droppedLog
        case keychain(KeychainCall)
        case call(id: UInt64, CenterCall)
        case violation(ViewConversation.Violation)
    }

    /// Takes one packet out of the socket; its length is added to `byteCount`.
    func hear(through buffer: inout [UInt8], byteCount: inout Int, now: Duration) -> Word {
        switch channel.receive(into: &buffer) {
        case .nothing: return .nothing
        case .closed: return .closed
        case .violation: return .violation(.transport)
        case .packet(let count):
            byteCount += count
            let bytes = buffer.span.extracting(0..<count)
            if hasSaidReady, !allowance.takePacket(byteCount: count, now: now) { return .violation(.chatter) }
            if WorkerConversation.isLog(bytes), !allowance.takeLog(now: now) { return .droppedLog }
            return word(in: bytes, now: now)
        }
    }

    private func word(in bytes: Span<UInt8>, now: Duration) -> Word {
        do {
            switch try conversation.receive(bytes) {
            case .becameReady:
                hasSaidReady = true
                return .ready
            case .scene(var update):
                // Whoever opened it hears of a file once there is a copy.
                shelf.want(update.files)
                shelf.note { namedFiles }
                update.files = []
                update.acknowledged = update.acknowledged.flatMap { numbers.acknowledge($0) }
                lastAcknowledged = update.acknowledged ?? lastAcknowledged
                // A large scene costs the loop with each update, however small that is.
                let cost = conversation.scene.count * Self.costOfNode
                guard allowance.takePacket(byteCount: cost, now: now) else { return .violation(.chatter) }
                return passed(update, now: now)
            case .piece: return .later
            case .log(let log): return .log(log)
            case .keychain(let call): return leavesAnswersUnread ? .violation(.chatter) : .keychain(call)
            case .call(let id, let call): return leavesAnswersUnread ? .violation(.chatter) : .call(id: id, call)
            }
        } catch {
            return .violation(error)
        }
    }

    /// Bytes that a node of the scene counts for in the allowance, with each update.
    private static let costOfNode = 8

    private func passed(_ update: SceneUpdate, now: Duration) -> Word {
        do { return try throttle.take(update, of: conversation.scene, now: now).map(Word.scene) ?? .later } catch {
            return .violation(.chatter)
        }
    }

    /// True if so many packets wait for the view that answers to its questions are among them.
    private var leavesAnswersUnread: Bool {
        channel.unreadCount > ViewRules.unreadEvents + WorkerConversation.openCallLimit + 1
    }

    var isEmpty: Bool { conversation.scene.isEmpty }
    /// The numbers of the files that nodes name.
    var namedFiles: Set<UInt32> { conversation.scene.sources }
    var holdsScene: Bool { throttle.holds }
    func releaseScene(now: Duration) -> SceneUpdate? { throttle.release(of: conversation.scene, now: now) }
    /// Returns what is held, whatever the time; `nil` when nothing is.
    func releaseScene() -> SceneUpdate? { throttle.release(of: conversation.scene) }

    /// The reason that the end of the process gives to its view.
    func reason(after exit: ProcessExit) -> ViewEnd {
        let limit = site.configuration.memoryLimitByteCount
        return switch exit.failure(memoryLimitByteCount: limit, fileByteCount: fileByteCount) {
        case .memoryLimitExceeded: .memoryLimitExceeded
        case .exitedEarly: .gone
        default: .crashed
        }
    }

    // MARK: What it uses

    /// The reason for which the process may not go on; `nil` means that it may.
    func excess(now: Duration) -> ViewEnd? {
        guard let memory = readMemory(now: now) else { return nil }
        return use.excess(
            memoryByteCount: memory,
            limitByteCount: site.configuration.memoryLimitByteCount,
            used: processorTime,
            stirred: life.stirred,
            now: now
        )
    }

    var droppedLogCount: Int { allowance.droppedLogCount }
}

extension ShownNotification {
    /// Leaves files out, from the last on, until the notification fits a packet or has none.
    fileprivate mutating func dropAttachments(until fits: (ShownNotification) -> Bool) {
        while !attachments.isEmpty, !fits(self) { attachments.removeLast() }
    }
}
