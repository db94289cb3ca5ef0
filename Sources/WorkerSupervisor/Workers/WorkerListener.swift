// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime
import Keychain
import Logging
import WorkerProtocol

/// The part of a listener's owner that acts on what workers say.
protocol WorkerListenerDelegate: AnyObject {
    func becameReady(_ worker: WorkerProcess)
    func completed(_ requestID: UInt64, by worker: WorkerProcess, with content: WorkerMessage.Content, isLate: Bool)
    /// A request has left the worker: the turn of the next one has come.
    func advanced(_ worker: WorkerProcess)
    /// The worker has not begun the request and gives it back.
    func returned(_ requestID: UInt64, by worker: WorkerProcess)
    /// The worker broke the protocol: nothing more is read of it, and it is to be ended.
    func violated(_ worker: WorkerProcess)
    /// The worker closed its socket.
    func fellSilent(_ worker: WorkerProcess)
    /// `nil` means that the process is gone.
    func worker(_ serial: UInt64) -> WorkerProcess?
}

/// Reads what workers say, and answers what they ask of their keychains and notification centres.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone.
final class WorkerListener {
    private let staffing: Staffing
    private let keychain: KeychainCaller?
    private let center: CenterCaller?
    private let logger: Logger
    private let timetable: Timetable<WorkerListener>
    private weak var delegate: (any WorkerListenerDelegate)?
    /// The rate of each site's calls to the centre, however many workers it has one after the other.
    private var centerCalls: [Int: CallRate] = [:]
    private let files: RequestFiles
    /// The workers of whose requests files are being taken, by their serial numbers.
    private var lines: [UInt64: WordLine] = [:]
    /// The buffer of the last read, one byte longer than the longest packet.
    private var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount + 1)
    private let keychainQueue: DispatchQueue

    init(
        _ equipment: Equipment,
        staffing: Staffing,
        courier: ScratchCourier,
        timetable: Timetable<WorkerListener>
    ) {
        self.staffing = staffing
        keychain = equipment.configuration.keychain
        keychainQueue = equipment.keychainQueue
        center = equipment.configuration.center
        logger = equipment.logger
        files = RequestFiles(courier)
        self.timetable = timetable
    }

    /// Nothing may be read before this.
    func join(_ delegate: any WorkerListenerDelegate) { self.delegate = delegate }

    /// Takes at most sixteen packets, and no more after 64 KiB, so that no worker keeps the loop to itself; false when
    /// none is left.
    @discardableResult
    func read(_ worker: WorkerProcess) -> Bool {
        var byteCount = 0
        for _ in 0..<16 where byteCount < 64 << 10 {
            guard !worker.isSilent else { return false }
            let word = worker.hear(through: &buffer, byteCount: &byteCount, now: timetable.now)
            if case .nothing = word { return false }
            heard(word, from: worker)
        }
        return true
    }

    /// Takes what lies in the socket; it holds some hundred packets at most, and its worker may add to them meanwhile.
    ///
    /// Contents that wait for the files of a request count as well; the calls before them still come in their order.
    func drain(_ worker: WorkerProcess) {
        readAll(worker)
        releaseContents(of: worker)
    }

    /// Takes what lies in the socket now, and contents that wait for the files of a request.
    func readContents(of worker: WorkerProcess) {
        read(worker)
        releaseContents(of: worker)
    }

    /// Takes the last words of a worker that has ended, and calls `end` when all of them have taken effect.
    func hearLast(of worker: WorkerProcess, _ end: @escaping () -> Void) {
        readAll(worker)
        if lines[worker.serial] == nil { end() } else { lines[worker.serial]?.end = end }
    }

    private func readAll(_ worker: WorkerProcess) {
        for _ in 0..<32 where !read(worker) { break }
    }

    func logOutput(of worker: WorkerProcess) { worker.logOutput(through: &buffer, to: logger) }
    func logLastOutput(of worker: WorkerProcess) { worker.logLastOutput(through: &buffer, to: logger) }

    private func heard(_ word: WorkerProcess.Word, from worker: WorkerProcess) {
        let app = worker.site.index
        switch word {
        case .nothing: return
        case .closed:
            worker.channel.close()
            delegate?.fellSilent(worker)
        case .ready: delegate?.becameReady(worker)
        case .completed(let requestID, let content, let isLate):
            delegate?.advanced(worker)
            inOrder(.content(requestID: requestID, content, isLate: isLate), of: worker)
        case .returned(let requestID, let isOpen):
            if isOpen { delegate?.returned(requestID, by: worker) }
            delegate?.advanced(worker)
        case .repeatedCompletion: staffing.count(of: app) { $0.repeatedCompletions += 1 }
        case .overdueCompletion:
            delegate?.advanced(worker)
            staffing.count(of: app) { $0.overdueCompletions += 1 }
        case .keychain(let call): ask(call, of: worker)
        case .call(let id, let call): self.call(id, call, of: worker)
        case .log(let log):
            logger.log(
                level: log.level.loggerLevel,
                "extension",
                metadata: ["worker.pid": "\(worker.pid)", "worker.line": "\(log.message.asLogLine)"]
            )
        case .droppedLog: staffing.count(of: app) { $0.droppedLogLines += 1 }
        case .violation(let violation):
            // Contents that are released make room, for which nothing new may come.
            if worker.hasSaidReady { staffing.retire(worker) }
            releaseContents(of: worker)
            violated(worker, violation)
        }
    }

    private func violated(_ worker: WorkerProcess, _ violation: WorkerConversation.Violation) {
        staffing.count(of: worker.site.index) { $0.violations += 1 }
        logger.warning(
            "protocol violation",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)",
                "error": "\(violation)",
            ]
        )
        worker.channel.close()
        delegate?.violated(worker)
    }

    // MARK: Keychain

    /// Answers for the app and owner whose worker asks, whatever the worker says: no message names them.
    ///
    /// A call beyond the worker's allowance fails without a line in the log, which calls without end would fill.
    private func ask(_ call: KeychainCall, of worker: WorkerProcess) {
        let serial = worker.serial
        guard worker.takeKeychainCall(now: timetable.now) else { return worker.send(.failed) }
        guard let keychain else { return answer(.failed, to: serial) }
        let site = worker.site
        keychainQueue.async { [timetable] in
            let answer = keychain(call, site.app, site.isFirst)
            timetable.perform { $0.answer(answer, to: serial) }
        }
    }

    private func answer(_ answer: KeychainAnswer, to serial: UInt64) {
        guard let worker = delegate?.worker(serial), !worker.isSilent else { return }
        if answer == .failed {
            logger.warning(
                "keychain failed",
                metadata: ["worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)"]
            )
        }
        worker.send(answer)
    }
}

// MARK: Notification centre

extension WorkerListener {
    /// Hands a call on for the app and owner whose worker makes it, or has it fail: beyond the site's rate, without a
    /// centre, and while the worker has no request.
    private func call(_ id: UInt64, _ call: CenterCall, of worker: WorkerProcess) {
        let site = worker.site
        guard centerCalls[site.index, default: .worker].take(at: timetable.now), center != nil, !worker.requests.isEmpty
        else { return worker.send(.failed(.notAllowed), to: id) }
        inOrder(.call(id: id, call), of: worker)
    }

    private func handOn(_ id: UInt64, _ call: CenterCall, of worker: WorkerProcess) {
        guard let center else { return }
        let serial = worker.serial
        let site = worker.site
        let answer: @Sendable (CallAnswer) -> Void = { [timetable] answer in
            timetable.perform { listener in
                guard let worker = listener.delegate?.worker(serial), !worker.isSilent else { return }
                worker.send(answer, to: id)
            }
        }
        guard case .add(let request) = call, !request.attachments.isEmpty else {
            return center(call, [], site.app, answer)
        }
        // Nothing is taken for a request that fails whatever its files are.
        if let failure = request.failure { return answer(.failed(failure)) }
        lines[serial, default: WordLine()].isTaking = true
        files.take(request, of: worker) { [weak self] taken in
            switch taken {
            case .success(let (request, files)): center(.add(request), files, site.app, answer)
            case .failure(let failure): answer(.failed(failure))
            }
            self?.lines[serial]?.isTaking = false
            self?.advance(worker)
        }
    }

    // MARK: Order

    /// Acts on a word, or has it wait behind a request whose files are being taken.
    private func inOrder(_ word: WordLine.Word, of worker: WorkerProcess) {
        if lines[worker.serial] == nil { act(on: word, of: worker) } else { lines[worker.serial]?.words.append(word) }
    }

    private func act(on word: WordLine.Word, of worker: WorkerProcess) {
        switch word {
        case .content(let requestID, let content, let isLate):
            delegate?.completed(requestID, by: worker, with: content, isLate: isLate)
        case .call(let id, let call): handOn(id, call, of: worker)
        }
    }

    /// Acts on what waits, up to the next request with files.
    private func advance(_ worker: WorkerProcess) {
        let serial = worker.serial
        while var line = lines[serial], !line.isTaking {
            // The launcher is lost, and the workers with it.
            guard delegate?.worker(serial) != nil else { return lines[serial] = nil }
            guard let word = line.words.popFirst() else {
                lines[serial] = nil
                line.end?()
                return
            }
            lines[serial] = line
            act(on: word, of: worker)
        }
    }

    private func releaseContents(of worker: WorkerProcess) {
        for word in lines[worker.serial]?.takeContents() ?? [] { act(on: word, of: worker) }
    }
}

extension WorkerMessage.Log.Level {
    var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .error: .error
        case .fault: .critical
        }
    }
}
