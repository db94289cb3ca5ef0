// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
package import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The opener's process and the openings that wait for it.
struct OpenerState {
    var process: SandboxedProcess?
    var isReady = false
    /// Answered by nobody yet, by their packet's id.
    var openings: [UInt64: Opening] = [:]
    /// Which of them the process has, and which it gets next.
    var desk = OpeningDesk()
    /// When it is looked at whether the process is silent.
    var silenceLook: DeadlineQueue.ID?
    /// The number of the next push that is sent, above all that an opener remembers.
    var nextRow: Int64 = 0
    /// It could not remember the last payload that it had opened.
    var cannotRemember = false
    var starting: CheckedContinuation<OpenerError?, Never>?

    /// What is sent to one that is being killed would be in hand at its end.
    var takesOpenings: Bool { isReady && process?.killCause == nil }

    struct Opening {
        let continuation: CheckedContinuation<OpenResult, Never>
        let request: OpenRequest
        /// When its push gives up, whoever has it.
        let end: Duration
        var deadline: DeadlineQueue.ID
        /// Its push's number with every opener, given when it was first sent.
        var row: Int64?
    }
}

/// Why the opener could not take its keys.
package enum OpenerError: Error, Equatable {
    /// It refuses a key file or a sender's key; `descriptor` tells which file, nil when the policy is at fault.
    case rejected(descriptor: Int?, line: Int?, reason: String, hint: String?)
    case notStarted(SystemError)
    case exited(ProcessExit)
    case protocolViolation
    /// It had something for the answer limit and did not answer.
    case silent
    /// It neither became ready nor ended within its time.
    case notReady
    case launcherLost
}

extension WorkerSupervisor: PayloadOpening {
    package func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult {
        guard configuration.opener != nil, !isLauncherLost, !isEnding else { return .unavailable }
        let id = nextSerial()
        let limit = min(deadline, clock.now + openerPatience)
        return await withCheckedContinuation { continuation in
            // Here and not before, where another push may come between.
            guard opener.desk.take(id, of: request.app) else { return continuation.resume(returning: .unavailable) }
            opener.openings[id] = OpenerState.Opening(
                continuation: continuation,
                request: request,
                end: deadline,
                deadline: schedule(at: limit) { $0.openingTimedOut(id) }
            )
            handOpenings()
        }
    }

    /// How long a push waits for its turn with an opener that may be starting, and not for one that keeps failing.
    var openerPatience: Duration {
        guard let configuration = configuration.opener else { return .zero }
        return configuration.answerLimit + (opener.desk.failedStarts < 3 ? configuration.startLimit : .zero)
    }

    /// A number that no opening of before has, in this run or a former one that the opener remembers.
    package var nextOpening: Int64 { opener.nextRow }

    /// Hands the opener what the desk gives it now.
    func handOpenings() {
        guard opener.takesOpenings else { return }
        handPiece()
        while let id = opener.desk.next(now: clock.now) {
            sendOpening(id)
        }
        watchSilence()
    }

    private func sendOpening(_ id: UInt64) {
        guard let opening = opener.openings[id] else { return opener.desk.notHanded(id) }
        let row = opening.row ?? opening.request.push.number ?? opener.nextRow
        guard let bytes = try? opening.request.packet(id: id, row: row).encoded() else {
            opener.desk.notHanded(id)
            return finishOpening(id, .refused(.tooLarge))
        }
        opener.nextRow = max(opener.nextRow, row + 1)
        opener.openings[id]?.row = row
        opener.process?.channel.send(bytes)
    }

    /// Returns when the opener is ready; throws why it will never be.
    func startOpener() async throws(OpenerError) {
        guard configuration.opener != nil else { return }
        let failure = await withCheckedContinuation { continuation in
            opener.starting = continuation
            spawnOpener()
        }
        if let failure { throw failure }
    }

    func spawnOpener() {
        guard let configuration = configuration.opener, opener.process == nil, !isLauncherLost, !isEnding else {
            return
        }
        let serial = nextSerial()
        do {
            let ends = try spawn(
                serial: serial,
                kind: LAUNCHER_OPENER,
                slot: 0,
                folder: configuration.folder,
                executable: configuration.executable,
                memoryLimitByteCount: 64 << 20,
                replayFiles: configuration.replayFiles
            )
            let process = SandboxedProcess(serial: serial, channel: ends.channel, output: ends.output)
            opener.process = process
            for packet in configuration.hello { process.channel.send(packet) }
            _ = schedule(at: clock.now + configuration.startLimit) { $0.openerStartLimitPassed(serial) }
        } catch {
            restartOpener(after: .notStarted(error))
        }
    }

    private func openerStartLimitPassed(_ serial: UInt64) {
        drainOpenerPackets()
        guard opener.process?.serial == serial, !opener.isReady else { return }
        openerEnded(.notReady)
    }

    // MARK: What the opener says

    /// Takes at most 64 packets, so that not even an opener that was taken over keeps the loop to itself.
    func readOpenerPackets() {
        for _ in 0..<64 {
            guard let process = opener.process else { return }
            switch process.channel.receive(into: &buffer) {
            case .nothing: return
            case .closed:
                // Usually it is dying; one that lives on without its socket is of no use.
                process.channel.close()
                return process.kill(.hang, through: launcher)
            case .violation: return openerEnded(.protocolViolation)
            case .packet(let count):
                if let file = BytesPacket.id(of: buffer.span.extracting(0..<count), .fileBytes) {
                    let bytes = buffer.span.extracting(Packet.headerByteCount..<count)
                    guard openerOpened(bytes, of: file) else { return openerEnded(.protocolViolation) }
                    continue
                }
                guard let packet = try? Packet(decoding: buffer.span.extracting(0..<count)), handle(packet) else {
                    return openerEnded(.protocolViolation)
                }
            }
        }
    }

    /// Takes what was said in time and is still in the socket, which holds some hundred packets at most.
    ///
    /// Nothing is handed meanwhile: the process may be dead.
    func drainOpenerPackets() {
        for _ in 0..<8 { readOpenerPackets() }
    }

    /// False for anything the opener may not say now.
    private func handle(_ packet: Packet) -> Bool {
        switch packet.type {
        case .opened, .refused, .unavailable:
            guard opener.desk.hasInHand(packet.id), let result = result(packet) else { return false }
            _ = opener.desk.answered(packet.id)
            finishOpening(packet.id, result)
            return true
        case .fileState where opener.isReady:
            return openerSaid(packet)
        case .ready where !opener.isReady && packet.body["protocol"]?.integer == workerProtocolVersion:
            // Numbers have 38 bits; the bound leaves room to count on.
            guard let row = packet.body["nextRow"]?.integer, (0...1 << 38).contains(row) else { return false }
            opener.nextRow = max(opener.nextRow, row)
            opener.isReady = true
            opener.process?.shortenTurns()
            handOpenings()
            opener.starting?.resume(returning: nil)
            opener.starting = nil
            return true
        case .rejected where !opener.isReady:
            openerEnded(.rejected(packet.body))
            return true
        default:
            return false
        }
    }

    /// Nil for an answer without what belongs to it.
    private func result(_ packet: Packet) -> OpenResult? {
        switch packet.type {
        case .opened:
            guard let payload = packet.body["payload"]?.object else { return nil }
            if opener.cannotRemember { logger.notice("opener remembers what it opens again") }
            opener.cannotRemember = false
            let named = packet.body["files"]?.array ?? []
            let files = named.compactMap { NamedFile($0, ofPayload: packet.id) }
            guard files.count == named.count else { return nil }
            return .opened(
                Payload(payload),
                usesRetiredKey: packet.body["retiredKey"]?.bool == true,
                files: files
            )
        case .refused:
            return packet.body["error"]?.string.flatMap(OpenRefusal.init(rawValue:)).map(OpenResult.refused)
        default:
            guard let reason = packet.body["reason"]?.string else { return nil }
            if !opener.cannotRemember {
                logger.error("opener opens nothing", metadata: ["error": "\(reason.asLogLine)"])
            }
            opener.cannotRemember = true
            return .unavailable
        }
    }

    /// Nothing happens for one whose push has given up.
    func finishOpening(_ id: UInt64, _ result: OpenResult) {
        guard let opening = opener.openings.removeValue(forKey: id) else { return }
        deadlines.cancel(opening.deadline)
        opening.continuation.resume(returning: result)
    }
}

extension OpenRequest {
    fileprivate func packet(id: UInt64, row: Int64) -> Packet {
        var body: JSONObject = [
            "app": .string(app), "topic": .string(push.topic), "requestID": .string(push.id),
            "device": .string(push.deviceToken), "row": .integer(row),
        ]
        body["collapseID"] = push.collapseID.map(JSON.string)
        body["payload"] = .object(push.payload.object)
        return Packet(.open, id: id, body: body)
    }
}

extension OpenerError {
    fileprivate static func rejected(_ body: JSONObject) -> OpenerError {
        .rejected(
            descriptor: body["descriptor"]?.integer.flatMap(Int.init(exactly:)),
            line: body["line"]?.integer.flatMap(Int.init(exactly:)),
            reason: body["reason"]?.string?.asLogLine ?? "no reason given",
            hint: body["hint"]?.string?.asLogLine
        )
    }
}

extension OpenerError {
    /// The descriptor of the first registered key file in the opener.
    package static let firstKeyDescriptor = Int(OPENER_FIRST_KEY_DESCRIPTOR)
    /// The descriptor of the first of its two replay files.
    package static let firstReplayDescriptor = Int(OPENER_FIRST_REPLAY_DESCRIPTOR)
}
