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
    /// Answered by nobody yet, by their packet's id; bounded by the pushes the host has accepted.
    var openings: [UInt64: Opening] = [:]
    /// Packets for a process that is not ready yet, in order.
    var waiting: [(id: UInt64, bytes: [UInt8])] = []
    /// Sent, and given up by their push before the answer; bounded by what is sent within one answer's limit.
    var abandoned: Set<UInt64> = []
    var starting: CheckedContinuation<OpenerError?, Never>?
    /// Ends in a row without an answer between them.
    var failedStarts = 0

    struct Opening {
        let continuation: CheckedContinuation<OpenResult, Never>
        let deadline: DeadlineQueue.ID
        let since: Duration
        /// The process has it; one that waits is not its fault.
        var isSent: Bool
    }
}

/// Why the opener could not take its keys.
package enum OpenerError: Error, Equatable {
    /// It refuses a key file or a sender's key; `descriptor` tells which file, nil when the policy is at fault.
    case rejected(descriptor: Int?, line: Int?, reason: String, hint: String?)
    case notStarted(SystemError)
    case exited(ProcessExit)
    case protocolViolation
    /// It neither became ready nor ended within its time.
    case notReady
    /// The apps do not fit one packet.
    case helloTooLong
    case launcherLost
}

extension WorkerSupervisor: PayloadOpening {
    package func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult {
        guard let limit = configuration.opener?.answerLimit, !isLauncherLost else { return .unavailable }
        let id = nextSerial()
        let push = request.push
        var body: JSONObject = [
            "app": .string(request.app), "topic": .string(push.topic), "requestID": .string(push.id),
            "row": .integer(Int64(bitPattern: id)),
        ]
        body["collapseID"] = push.collapseID.map(JSON.string)
        body["payload"] = .object(push.payload.object)
        guard let bytes = try? Packet(.open, id: id, body: body).encoded() else { return .refused(.tooLarge) }
        return await withCheckedContinuation { continuation in
            opener.openings[id] = OpenerState.Opening(
                continuation: continuation,
                deadline: schedule(at: min(deadline, clock.now + limit)) { $0.openingTimedOut(id) },
                since: clock.now,
                isSent: opener.isReady
            )
            if opener.isReady {
                opener.process?.channel.send(bytes)
            } else {
                opener.waiting.append((id, bytes))
            }
        }
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

    private func spawnOpener() {
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
                memoryLimitByteCount: 64 << 20
            )
            let process = SandboxedProcess(serial: serial, channel: ends.channel, output: ends.output)
            opener.process = process
            process.channel.send(try Packet(.hello, body: configuration.hello).encoded())
            _ = schedule(at: clock.now + configuration.startLimit) { $0.openerStartLimitPassed(serial) }
        } catch let error as SystemError {
            restartOpener(after: .notStarted(error))
        } catch {
            openerEnded(.helloTooLong)
        }
    }

    private func openerStartLimitPassed(_ serial: UInt64) {
        guard opener.process?.serial == serial, !opener.isReady else { return }
        openerEnded(.notReady)
    }

    // MARK: What the opener says

    func readOpenerPackets() {
        while let process = opener.process {
            switch process.channel.receive(into: &buffer) {
            case .nothing: return
            case .closed:
                // Usually it is dying; one that lives on without its socket is of no use.
                process.channel.close()
                return process.kill(.hang, through: launcher)
            case .violation: return openerEnded(.protocolViolation)
            case .packet(let count):
                guard let packet = try? Packet(decoding: buffer.span.extracting(0..<count)), handle(packet) else {
                    return openerEnded(.protocolViolation)
                }
            }
        }
    }

    /// False for anything the opener may not say now.
    private func handle(_ packet: Packet) -> Bool {
        switch packet.type {
        case .opened where opener.abandoned.contains(packet.id), .refused where opener.abandoned.contains(packet.id):
            opener.abandoned.remove(packet.id)
            return true
        case .ready where !opener.isReady && packet.body["protocol"]?.integer == workerProtocolVersion:
            opener.isReady = true
            sendWaiting()
            opener.starting?.resume(returning: nil)
            opener.starting = nil
            return true
        case .rejected where !opener.isReady:
            openerEnded(.rejected(packet.body))
            return true
        case .opened:
            guard opener.openings[packet.id]?.isSent == true, let payload = packet.body["payload"]?.object else {
                return false
            }
            finishOpening(packet.id, .opened(Payload(payload)))
            return true
        case .refused:
            guard opener.openings[packet.id]?.isSent == true,
                let refusal = packet.body["error"]?.string.flatMap(OpenRefusal.init(rawValue:))
            else { return false }
            finishOpening(packet.id, .refused(refusal))
            return true
        default:
            return false
        }
    }

    private func sendWaiting() {
        for (id, bytes) in opener.waiting where opener.openings[id] != nil {
            opener.openings[id]?.isSent = true
            opener.process?.channel.send(bytes)
        }
        opener.waiting = []
    }

    private func finishOpening(_ id: UInt64, _ result: OpenResult) {
        guard let opening = opener.openings.removeValue(forKey: id) else { return }
        if !opening.isSent { opener.waiting.removeAll { $0.id == id } }
        deadlines.cancel(opening.deadline)
        opening.continuation.resume(returning: result)
        if result != .unavailable { opener.failedStarts = 0 }
    }

    // MARK: Its end

    private func openingTimedOut(_ id: UInt64) {
        guard let opening = opener.openings[id] else { return }
        finishOpening(id, .unavailable)
        guard opening.isSent, let limit = configuration.opener?.answerLimit else { return }
        // The push's own budget may be shorter than what the opener may take.
        opener.abandoned.insert(id)
        _ = schedule(at: opening.since + limit) { $0.answerLimitPassed(id) }
    }

    /// Answers take microseconds; a process that had the packet for so long does not answer at all.
    private func answerLimitPassed(_ id: UInt64) {
        guard opener.abandoned.contains(id) else { return }
        opener.process?.kill(.hang, through: launcher)
    }

    /// The process is gone or as good as gone: what it had is unavailable, and another one starts.
    func openerEnded(_ error: OpenerError) {
        guard let process = opener.process else { return }
        process.kill(.hang, through: launcher)
        process.close()
        opener.process = nil
        opener.isReady = false
        opener.abandoned = []
        for (id, opening) in opener.openings where opening.isSent { finishOpening(id, .unavailable) }
        restartOpener(after: error)
    }

    /// At once after one that had worked; then after 100 ms; from the third on after 1, 2, 4 … 60 seconds.
    private func restartOpener(after error: OpenerError) {
        if let starting = opener.starting {
            opener.starting = nil
            return starting.resume(returning: error)
        }
        guard !isEnding, !isLauncherLost else { return }
        opener.failedStarts += 1
        logger.error("opener ended", metadata: ["error": "\(error)", "opener.failedStarts": "\(opener.failedStarts)"])
        let pause: Duration =
            switch opener.failedStarts {
            case 1: .zero
            case 2: .milliseconds(100)
            default: .seconds(min(60, 1 << min(6, opener.failedStarts - 3)))
            }
        _ = schedule(at: clock.now + pause) { $0.spawnOpener() }
    }

    /// Nothing can be opened any more.
    func loseOpener() {
        opener.process?.close()
        opener.process = nil
        opener.isReady = false
        for id in opener.openings.keys { finishOpening(id, .unavailable) }
        opener.starting?.resume(returning: .launcherLost)
        opener.starting = nil
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
}
