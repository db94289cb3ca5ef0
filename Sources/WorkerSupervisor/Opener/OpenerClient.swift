// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The openings and the pieces of files that wait for the opener.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. Each opening and each piece is answered
/// exactly once, whatever the process does; which of them the process has, and who pays for its death, the
/// `OpeningDesk` decides.
final class OpenerClient {
    /// An opening that nobody has answered yet.
    private struct Opening {
        let continuation: CheckedContinuation<OpenResult, Never>
        let request: OpenRequest
        /// The instant at which its push gives up, whether it waits or the opener has it.
        let end: Duration
        var deadline: DeadlineQueue.ID
        /// The number of the push with every opener, given when the opening was first sent.
        var row: Int64?
    }

    private let configuration: SupervisedOpener?
    private let equipment: Equipment
    private let process: OpenerProcess
    private let timetable: Timetable<OpenerClient>
    /// The number in a packet is the key.
    private var openings: [UInt64: Opening] = [:]
    private var desk = OpeningDesk()
    private var pieces = FilePieces()
    /// The deadline of the next look for an opener that does not answer; `nil` while none is set.
    private var silenceLook: DeadlineQueue.ID?
    /// A number that no opening of before has, in this run or a former one that the opener remembers.
    private(set) var nextRow: Int64 = 0
    /// The process could not remember the last payload that it had opened.
    private var cannotRemember = false
    private var starting: CheckedContinuation<OpenerError?, Never>?

    init(_ equipment: Equipment, process: OpenerProcess, timetable: Timetable<OpenerClient>) {
        configuration = equipment.configuration.opener
        self.equipment = equipment
        self.process = process
        self.timetable = timetable
        process.join(self)
    }

    /// The process's number; `nil` means that there is none.
    var server: UInt64? { process.serial }

    // MARK: Openings

    /// Answers through the continuation, at the deadline at the latest.
    func open(_ request: OpenRequest, deadline: Duration, answer: CheckedContinuation<OpenResult, Never>) {
        guard configuration != nil, equipment.gate.isOpen else { return answer.resume(returning: .unavailable) }
        let id = equipment.serials.next()
        guard desk.take(id, of: request.app) else { return answer.resume(returning: .unavailable) }
        let limit = min(deadline, timetable.now + patience)
        openings[id] = Opening(
            continuation: answer,
            request: request,
            end: deadline,
            deadline: timetable.schedule(at: limit) { $0.timedOut(id) }
        )
        handNext()
    }

    /// The longest wait of a push for its turn, which allows for an opener's start, but not when starts keep failing.
    private var patience: Duration {
        guard let configuration else { return .zero }
        return configuration.answerLimit + (desk.failedStarts < 3 ? configuration.startLimit : .zero)
    }

    /// Hands the opener what the desk gives it now.
    private func handNext() {
        guard process.takesOpenings else { return }
        handPiece()
        while let id = desk.next(now: timetable.now) { send(id) }
        watchSilence()
    }

    private func send(_ id: UInt64) {
        guard let opening = openings[id] else { return desk.notHanded(id) }
        let row = opening.row ?? opening.request.push.number ?? nextRow
        guard let bytes = try? opening.request.packet(id: id, row: row).encoded() else {
            desk.notHanded(id)
            return finish(id, .refused(.tooLarge))
        }
        nextRow = max(nextRow, row &+ 1)
        openings[id]?.row = row
        process.send(bytes)
    }

    /// An opening's turn has not come, or its push gives up; what lies in the socket was said in time.
    func timedOut(_ id: UInt64) {
        let deadline = openings[id]?.deadline
        process.drain()
        defer { handNext() }
        guard let opening = openings[id], opening.deadline == deadline else { return }
        if desk.hasInHand(id), timetable.now < opening.end {
            openings[id]?.deadline = timetable.schedule(at: opening.end) { $0.timedOut(id) }
            return
        }
        desk.gaveUp(id, of: opening.request.app)
        finish(id, .unavailable)
    }

    /// Gives up every opening, whether it waits or the opener has it, and the file that the opener has.
    func cutOff() {
        loseFile()
        for (id, opening) in openings {
            desk.gaveUp(id, of: opening.request.app)
            finish(id, .unavailable)
        }
        handNext()
    }

    /// Nothing happens for an opening whose push has given up.
    private func finish(_ id: UInt64, _ result: OpenResult) {
        guard let opening = openings.removeValue(forKey: id) else { return }
        timetable.cancel(opening.deadline)
        opening.continuation.resume(returning: result)
    }

    // MARK: Pieces of files

    /// A new file; its number is above that of every file before it.
    func beginFile() -> UInt64 {
        let file = equipment.serials.next()
        pieces.begin(file)
        return file
    }

    /// Asks the process that has the file, and no other, to open a piece of it.
    func ask(
        _ piece: [UInt8],
        of file: UInt64,
        _ app: String,
        _ server: UInt64,
        _ deadline: Duration
    ) async throws(AttachmentRefusal) -> FileAnswer {
        let asked = timetable.now
        guard asked < deadline else { throw .outOfTime }
        guard desk.takesFiles(of: app, now: asked), let limit = configuration?.answerLimit else {
            throw .openerUnavailable
        }
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<FilePieces.Answer, Never>) in
            guard process.takesOpenings, process.serial == server else {
                return continuation.resume(returning: .failure(.openerUnavailable))
            }
            let timer = timetable.schedule(at: min(deadline, asked + limit + limit)) {
                $0.pieceTimedOut(file, deadline)
            }
            pieces.ask(
                .init(
                    file: file,
                    app: app,
                    server: server,
                    piece: piece,
                    continuation: continuation,
                    deadline: timer
                )
            )
            handNext()
        }
        timetable.preconditionIsolated()
        return try result.get()
    }

    /// Hands the piece that waits, if the desk lets it through.
    private func handPiece() {
        guard let server = process.serial, let piece = pieces.unsent(for: server),
            desk.handFile(piece.file, of: piece.app, now: timetable.now)
        else { return }
        pieces.handed()
        process.send(piece.bytes)
    }

    /// An opener that is silent with the piece is found out by the desk's first look; this ends the wait for a turn.
    private func pieceTimedOut(_ file: UInt64, _ deadline: Duration) {
        // What was drained has made room, and no event of the socket comes for it any more.
        defer { handNext() }
        process.drain()
        guard pieces.awaits(file) else { return }
        finishPiece(.failure(timetable.now >= deadline ? .outOfTime : .openerUnavailable))
    }

    private func finishPiece(_ answer: FilePieces.Answer) {
        guard let question = pieces.takeQuestion() else { return }
        timetable.cancel(question.deadline)
        question.continuation.resume(returning: answer)
    }

    // MARK: Start

    /// Returns when the opener is ready; throws why it will never be.
    func start() async throws(OpenerError) {
        guard configuration != nil else { return }
        let failure = await withCheckedContinuation { continuation in
            starting = continuation
            process.start()
        }
        timetable.preconditionIsolated()
        if let failure { throw failure }
    }

    // MARK: Answers

    private func answered(_ packet: Packet) -> Bool {
        _ = desk.answered(packet.id, isFile: true)
        switch pieces.meaning(of: packet) {
        case .answer(let answer): finishPiece(answer)
        case .tooLate: break
        case .violation: return false
        }
        return true
    }

    /// The log tells when the opener stops opening, and when it opens again.
    private func result(_ answer: OpenerAnswer) -> OpenResult {
        switch answer {
        case .opened(let payload, let usesRetiredKey, let files, let mark):
            if cannotRemember { equipment.logger.notice("opener remembers what it opens again") }
            cannotRemember = false
            return .opened(payload, usesRetiredKey: usesRetiredKey, files: files, mark: mark)
        case .refused(let refusal):
            return .refused(refusal)
        case .cannotRemember(let reason):
            if !cannotRemember { equipment.logger.error("opener opens nothing", metadata: ["error": "\(reason)"]) }
            cannotRemember = true
            return .unavailable
        }
    }

    // MARK: The end of a process

    /// Looks again when the opener has had the oldest of what it has for as long as an answer may take.
    private func watchSilence() {
        guard silenceLook == nil, let oldest = desk.oldestHandedAt, let limit = configuration?.answerLimit else {
            return
        }
        silenceLook = timetable.schedule(at: oldest + limit) { $0.lookForSilence() }
    }

    /// Answers take microseconds; a process that had a packet for so long does not answer at all.
    private func lookForSilence() {
        silenceLook = nil
        process.drain()
        guard process.serial != nil, let limit = configuration?.answerLimit else { return }
        if let oldest = desk.oldestHandedAt, timetable.now >= oldest + limit, process.isAlive {
            // Here and not when its end is reported, so that what follows waits for the next opener.
            return process.end(.silent)
        }
        handNext()
    }

    /// The desk says who pays for a death and who is tried again, and another process starts.
    private func restart(after error: OpenerError) {
        let inHand = desk.inHandCount
        let verdict = desk.openerDied(wasSilent: error == .silent, now: timetable.now)
        for id in verdict.concluded { finish(id, .unavailable) }
        if let starting = starting.take() { return starting.resume(returning: error) }
        guard equipment.gate.isOpen else { return }
        equipment.logger.error(
            "opener ended",
            metadata: [
                "error": "\(error)", "opener.inHand": "\(inHand)", "opener.failedStarts": "\(desk.failedStarts)",
            ]
        )
        if let culprit = verdict.culprit {
            equipment.logger.error(
                "opener ended over a message",
                metadata: [
                    "push.topic": "\(culprit.app)", "opener.culprits": "\(culprit.count)",
                    "opener.pause": "\(culprit.pausedUntil - timetable.now)",
                ]
            )
            _ = timetable.schedule(at: culprit.pausedUntil) { $0.handNext() }
        }
        _ = timetable.schedule(at: timetable.now + verdict.restartPause) { $0.process.start() }
    }
}

// MARK: What the process does

extension OpenerClient: OpenerProcessDelegate {
    func becameReady(nextRow row: Int64) {
        nextRow = max(nextRow, row)
        handNext()
        starting.take()?.resume(returning: nil)
    }

    func received(_ packet: Packet) -> Bool {
        if packet.type == .fileState { return answered(packet) }
        guard desk.hasInHand(packet.id), let answer = OpenerAnswer(packet) else { return false }
        _ = desk.answered(packet.id)
        finish(packet.id, result(answer))
        return true
    }

    func received(_ bytes: Span<UInt8>, ofFile file: UInt64) -> Bool { pieces.append(bytes, of: file) }

    func socketWasServed() { handNext() }

    func ended(_ error: OpenerError) {
        loseFile()
        restart(after: error)
    }

    func notOrdered(_ error: SystemError) {
        restart(after: .notStarted(error))
    }

    /// The file that a process was opening is gone with it.
    private func loseFile() {
        finishPiece(.failure(.openerUnavailable))
    }

    /// Nothing can be opened any more.
    func loseLauncher() {
        process.letGo()
        loseFile()
        for id in openings.keys { finish(id, .unavailable) }
        starting.take()?.resume(returning: .launcherLost)
    }
}

/// The state of an opener at one instant, for tests.
struct OpenerView {
    /// `nil` means that there is no process.
    let pid: Int32?
    /// The host's end of the process's socket.
    let socket: CInt?
    let openings: [UInt64]
    let failedStarts: Int
    /// The longest wait for its turn of a push that comes now.
    let patience: Duration
}

extension OpenerClient {
    var view: OpenerView {
        OpenerView(
            pid: process.pid,
            socket: process.socket,
            openings: Array(openings.keys),
            failedStarts: desk.failedStarts,
            patience: patience
        )
    }
}
