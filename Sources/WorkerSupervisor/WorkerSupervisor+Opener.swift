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
    var starting: CheckedContinuation<OpenerError?, Never>?
    /// Ends in a row before `ready`.
    var failedStarts = 0

    struct Opening {
        let continuation: CheckedContinuation<OpenResult, Never>
        let deadline: DeadlineQueue.ID
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
        } catch let error as SystemError {
            openerEnded(.notStarted(error))
        } catch {
            openerEnded(.protocolViolation)
        }
    }

    // MARK: What the opener says

    func readOpenerPackets() {
        while let process = opener.process {
            switch process.channel.receive(into: &buffer) {
            case .nothing: return
            case .closed: return process.channel.close()
            case .violation: return openerViolated()
            case .packet(let count):
                guard let packet = try? Packet(decoding: buffer.span.extracting(0..<count)), handle(packet) else {
                    return openerViolated()
                }
            }
        }
    }

    /// False for anything the opener may not say now.
    private func handle(_ packet: Packet) -> Bool {
        switch packet.type {
        case .ready where !opener.isReady && packet.body["protocol"]?.integer == workerProtocolVersion:
            opener.isReady = true
            opener.failedStarts = 0
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
        deadlines.cancel(opening.deadline)
        opening.continuation.resume(returning: result)
    }

    // MARK: Its end

    private func openingTimedOut(_ id: UInt64) {
        guard let opening = opener.openings[id] else { return }
        finishOpening(id, .unavailable)
        // Answers take microseconds; a process that had the packet for so long does not answer at all.
        if opening.isSent { opener.process?.kill(.hang, through: launcher) }
    }

    private func openerViolated() {
        logger.error("opener violated its protocol")
        opener.process?.kill(.violation, through: launcher)
        opener.process?.channel.close()
    }

    /// The process is gone or as good as gone: what it had is unavailable, and another one starts.
    func openerEnded(_ error: OpenerError) {
        guard opener.process != nil || opener.starting != nil else { return }
        opener.process?.kill(.hang, through: launcher)
        opener.process?.close()
        opener.process = nil
        if !opener.isReady { opener.failedStarts += 1 }
        opener.isReady = false
        for (id, opening) in opener.openings where opening.isSent || isLauncherLost {
            finishOpening(id, .unavailable)
        }
        if let starting = opener.starting {
            opener.starting = nil
            return starting.resume(returning: error)
        }
        guard !isEnding, !isLauncherLost else { return }
        logger.error("opener ended", metadata: ["error": "\(error)", "opener.failedStarts": "\(opener.failedStarts)"])
        guard opener.failedStarts >= 3 else { return spawnOpener() }
        let pause = Duration.seconds(min(60, 1 << min(6, opener.failedStarts - 3)))
        _ = schedule(at: clock.now + pause) { $0.spawnOpener() }
    }
}

extension OpenerError {
    fileprivate static func rejected(_ body: JSONObject) -> OpenerError {
        .rejected(
            descriptor: body["descriptor"]?.integer.flatMap(Int.init(exactly:)),
            line: body["line"]?.integer.flatMap(Int.init(exactly:)),
            reason: body["reason"]?.string?.escapingControlCharacters ?? "no reason given",
            hint: body["hint"]?.string?.escapingControlCharacters
        )
    }
}

extension OpenerError {
    /// The descriptor of the first registered key file in the opener.
    package static let firstKeyDescriptor = Int(OPENER_FIRST_KEY_DESCRIPTOR)
}
