// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Keychain
import NotificationPayload
import WorkerProtocol

/// A process that runs an app's extension for one owner in its life.
///
/// The roster holds whether the process starts, serves or retires. Here is what the roster cannot know: the
/// conversation, the requests in it, and what the process has used.
final class WorkerProcess: SandboxedProcess, ExtensionProcess {
    /// A request that the process has.
    struct Request {
        /// The notification's number.
        let run: UInt64
        /// The processor time that the process had used when it was first seen with the request, a busy worker's
        /// interval after it got it at the latest.
        fileprivate var processorTime: Duration?
        /// The instant at which the worker could begin with the request; `nil` while others are before it.
        fileprivate(set) var begun: Duration?
        /// The request was sent behind others.
        fileprivate let wasAhead: Bool
        /// The worker said something after it could begin with the request.
        fileprivate var wasHeard = false
        /// The worker said something after the last call: it lives, and ignores it.
        fileprivate(set) var wasHeardAfterLastCall = false
        /// An answer of the keychain or the notification centre was sent after the request.
        fileprivate var isFollowedByAnswer = false
        /// Nothing was unread when the next packet was sent after the request.
        fileprivate var wasRead = false

        fileprivate init(run: UInt64, begun: Duration?) {
            self.run = run
            self.begun = begun
            wasAhead = begun == nil
        }
    }

    let site: ExtensionSite
    private var conversation: WorkerConversation
    private var allowance = WorkerAllowance()
    /// Answers of the notification centre since the worker had read everything.
    private var centerAnswerCount = 0
    /// The requests that the process has, by their number in the conversation.
    private(set) var requests: [UInt64: Request] = [:]
    private(set) var hasSaidReady = false
    /// Requests that the process takes beyond those that it works on, by its own word.
    private(set) var announcedAhead = 0
    /// The instant at which the turn of a request came last.
    private var lastBegin = Duration.zero
    /// The instant at which requests were last asked back.
    private var lastRecall = Duration.zero
    /// The instant at which the process was seen to have closed its socket; `nil` before.
    var hungUp: Duration?
    /// The confinement of the process when it entered service, as in "C1 no-network"; `nil` before.
    private(set) var sandbox: String?
    var usage = WorkerUsage()
    /// True once the budget of a request has ended while the process had others; it is killed with the last of them.
    var isOverdue = false
    /// The end of the process's start, or of its farewell.
    var limit: DeadlineQueue.ID?

    init(serial: UInt64, ends: ProcessEnds, site: ExtensionSite) {
        self.site = site
        conversation = WorkerConversation(lanes: site.configuration.requestsPerWorker)
        super.init(serial: serial, channel: ends.channel, output: ends.output)
    }

    /// The socket of the process is closed; only its exit is still to come.
    var isSilent: Bool { !channel.isOpen }

    /// The process can be sent something.
    var isServiceable: Bool { !isSilent && killCause == nil }

    /// The process has said that it is ready and the launcher that it was started, and neither is over.
    ///
    /// Before the launcher's word it is not known who the process is, what confines it, what it was granted and what it
    /// uses.
    var canServe: Bool { hasSaidReady && pid > 0 && isServiceable }

    /// Reads what confines the process: the profile and the filters in force, and what the bundle was to have and has
    /// not, as in "C1 no-network".
    func noteSandbox(of launcher: Launcher) {
        sandbox =
            sandbox(of: launcher) + (site.configuration.grantsNetwork && !hasNetwork ? " no-network" : "")
    }

    func use(isFresh: Bool) -> WorkerUse {
        WorkerUse(pid: pid, fresh: isFresh, peakMemoryByteCount: peakMemoryByteCount, sandbox: sandbox)
    }

    // MARK: Requests

    /// The next request is begun at once.
    var hasFreeLane: Bool { conversation.hasFreeLane }

    /// The requests behind those that are begun, in their order.
    var waitingRequests: [UInt64] { conversation.waitingRequests }

    /// Opens a request in the conversation and returns its number and the packet to be sent; `nil` means that the
    /// worker takes none, or that the request fits no packet.
    func begin(
        _ request: HostMessage.Request,
        of run: UInt64,
        now: Duration
    ) -> (requestID: UInt64, packet: [UInt8])? {
        let isBegun = conversation.hasFreeLane
        guard let requestID = conversation.openRequest() else { return nil }
        guard let packet = try? HostMessage.request(id: requestID, request).packet.encoded() else {
            // A payload of 4 KB that cannot be said in 64: escapes make text at most six times longer.
            conversation.forget(id: requestID)
            return nil
        }
        noteRead()
        requests[requestID] = Request(run: run, begun: isBegun ? now : nil)
        if isBegun { lastBegin = now }
        return (requestID, packet)
    }

    /// Returns the next request whose turn has come, once each.
    func beginNext(now: Duration) -> (requestID: UInt64, run: UInt64)? {
        while let requestID = conversation.beginNext() {
            guard let run = requests[requestID]?.run else { continue }
            requests[requestID]?.begun = now
            lastBegin = now
            return (requestID, run)
        }
        return nil
    }

    /// True if requests wait for their turn that no completion has brought for so long.
    func keepsWaiting(for limit: Duration, now: Duration) -> Bool {
        now - lastBegin >= limit && !waitingRequests.isEmpty
    }

    /// True if a request that was asked back so long ago neither came nor was begun.
    func keepsRecalled(for limit: Duration, now: Duration) -> Bool {
        now - lastRecall >= limit && waitingRequests.contains { conversation.wasRecalled(id: $0) }
    }

    /// Asks for the requests back that are not begun, the last one first; each once.
    func recallWaiting(now: Duration) {
        noteRead()
        for requestID in waitingRequests.reversed() where conversation.recall(id: requestID) {
            lastRecall = now
            if let packet = try? HostMessage.recall(id: requestID).packet.encoded() { channel.send(packet) }
        }
    }

    /// The worker does not have the request any more; false when it did not have it.
    func end(_ requestID: UInt64) -> Bool {
        guard requests.removeValue(forKey: requestID) != nil else { return false }
        conversation.close(id: requestID)
        return true
    }

    /// Tells the worker that the time of a request will end, unless it has not read what came before.
    func sendLastCall(_ requestID: UInt64) {
        guard let packet = try? HostMessage.willExpire(id: requestID).packet.encoded(),
            channel.sendImmediately(packet)
        else { return }
        _ = conversation.warn(id: requestID)
    }

    /// True if the worker said anything after the last call for this notification, except its completion.
    func wasHeardAfterLastCall(of run: UInt64) -> Bool {
        requests.values.contains { $0.run == run && $0.wasHeardAfterLastCall }
    }

    /// The notification of the one begun request that the extension perhaps never had; `nil` means that there is none,
    /// or that nobody can tell.
    ///
    /// Either the worker left it unread, or it lay in the worker's hands when the end of the request before it came,
    /// and the worker hung up within `limit` of that without another word.
    func perhapsUnbegun(within limit: Duration, now: Duration) -> UInt64? {
        let begun = requests.filter { $0.value.begun != nil && conversation.isOpen(id: $0.key) }
        guard begun.count == 1, let (id, request) = begun.first, let instant = request.begun,
            !conversation.wasWarned(id: id)
        else { return nil }
        let mayBeUnbegun =
            if request.wasAhead {
                !request.wasHeard && (hungUp ?? now) - instant < limit
            } else {
                channel.wasLeftUnread && !request.wasRead && !request.isFollowedByAnswer
            }
        return mayBeUnbegun ? request.run : nil
    }

    /// Notes which requests are known to be read, before a packet is sent that the worker may leave unread.
    private func noteRead() {
        let unknown = requests.filter { $0.value.begun != nil && !$0.value.wasAhead && !$0.value.wasRead }
        guard !unknown.isEmpty, channel.isRead else { return }
        for id in unknown.keys { requests[id]?.wasRead = true }
    }

    /// Returns the processor time from which use counts: at the first look at the worker's oldest request, or at rest.
    func processorTimeAtFirstLook(_ used: Duration) -> Duration {
        guard !requests.isEmpty else { return usage.atFirstLookAtRest(used) }
        var oldest = used
        var isFirstLook = false
        for request in requests.values where request.begun != nil {
            oldest = min(oldest, request.processorTime ?? used)
            isFirstLook = isFirstLook || request.processorTime == nil
        }
        guard isFirstLook else { return oldest }
        for (id, request) in requests where request.begun != nil && request.processorTime == nil {
            requests[id]?.processorTime = used
        }
        return oldest
    }

    // MARK: Keychain

    /// False means that the worker asks too often, and the call fails.
    func takeKeychainCall(now: Duration) -> Bool { allowance.takeKeychainCall(now: now) }

    func send(_ answer: KeychainAnswer) {
        guard let bytes = try? HostMessage.packet(answer) else { return }
        conversation.answerKeychain()
        sendAnswer(bytes)
    }

    private func sendAnswer(_ bytes: [UInt8]) {
        for id in Array(requests.keys) { requests[id]?.isFollowedByAnswer = true }
        channel.send(bytes)
    }

    // MARK: Notification centre

    /// Answers a call, once; an answer that fits no packet is a failure.
    func send(_ answer: CallAnswer, to call: UInt64) {
        guard conversation.answer(id: call), let bytes = try? HostMessage.packet(answer, to: call) else { return }
        centerAnswerCount = channel.unreadCount == 0 ? 1 : centerAnswerCount + 1
        sendAnswer(bytes)
    }

    // MARK: What it says

    /// The outcome of one read from a worker's socket: a packet's meaning, or none.
    enum Word {
        case nothing
        case closed
        case ready
        case completed(requestID: UInt64, WorkerMessage.Content, isLate: Bool)
        /// A request comes back that the worker has not begun.
        case returned(requestID: UInt64, isOpen: Bool)
        /// A second completion; without effect.
        case repeatedCompletion
        /// The completion of a request that the host had closed; without effect.
        case overdueCompletion
        case log(WorkerMessage.Log)
        /// A log message beyond what the worker may say; nobody reads it.
        case droppedLog
        case keychain(KeychainCall)
        case call(id: UInt64, CenterCall)
        case violation(WorkerConversation.Violation)
    }

    var droppedLogCount: Int { allowance.droppedLogCount }

    /// Takes one packet out of the socket; its length is added to `byteCount`.
    func hear(through buffer: inout [UInt8], byteCount: inout Int, now: @autoclosure () -> Duration) -> Word {
        switch channel.receive(into: &buffer) {
        case .nothing: return .nothing
        case .closed: return .closed
        case .violation: return .violation(.transport)
        case .packet(let count):
            byteCount += count
            let bytes = buffer.span.extracting(0..<count)
            return rejection(of: bytes, now: now) ?? word(in: bytes)
        }
    }

    /// Judges a packet by its first bytes: the completion of an open request passes always, all else within bounds.
    ///
    /// Parsing costs the loop a hundred times what receiving does, so that a flood must not get that far.
    private func rejection(of bytes: Span<UInt8>, now: () -> Duration) -> Word? {
        guard hasSaidReady, !conversation.isOpenCompletion(bytes) else { return nil }
        guard allowance.takePacket(byteCount: bytes.count, now: now()) else { return .violation(.chatter) }
        guard WorkerConversation.isLog(bytes), !allowance.takeLog(now: now()) else { return nil }
        noteHeard(except: nil)
        return .droppedLog
    }

    private func word(in bytes: Span<UInt8>) -> Word {
        do {
            switch try conversation.receive(bytes) {
            case .becameReady(let ahead):
                hasSaidReady = true
                announcedAhead = ahead
                return .ready
            case .completed(let requestID, let content, let isLate):
                noteHeard(except: requestID)
                return .completed(requestID: requestID, content, isLate: isLate)
            case .repeatedCompletion: return .repeatedCompletion
            case .overdueCompletion: return .overdueCompletion
            case .returned(let requestID, let isOpen): return .returned(requestID: requestID, isOpen: isOpen)
            case .keychain(let call):
                noteWord(except: nil)
                return leavesAnswersUnread ? .violation(.chatter) : .keychain(call)
            case .call(let id, let call):
                noteWord(except: nil)
                return leavesAnswersUnread ? .violation(.chatter) : .call(id: id, call)
            case .log(let log):
                noteHeard(except: nil)
                return .log(log)
            }
        } catch {
            return .violation(error)
        }
    }

    /// True if so many packets wait for the worker that answers to its calls are among them.
    ///
    /// A worker has one call of the keychain open at a time, and a bounded number of calls to the centre, so it has
    /// read an answer, and all that was sent before, when it asks again.
    private var leavesAnswersUnread: Bool {
        let answers = 1 + min(centerAnswerCount, WorkerConversation.openCallLimit)
        let requests = site.configuration.requestsPerWorker + Roster.aheadLimit
        return channel.unreadCount > 2 * requests + answers
    }

    private func noteHeard(except requestID: UInt64?) {
        noteWord(except: requestID)
        for id in requests.keys where id != requestID && conversation.wasWarned(id: id) {
            requests[id]?.wasHeardAfterLastCall = true
        }
    }

    private func noteWord(except requestID: UInt64?) {
        for (id, request) in requests where id != requestID && request.begun != nil && !request.wasHeard {
            requests[id]?.wasHeard = true
        }
    }
}
