// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The part of an opener's owner that acts on what the process does.
protocol OpenerProcessDelegate: AnyObject {
    /// The process holds its keys; `nextRow` is a number above all that it remembers.
    func becameReady(nextRow: Int64)
    /// Takes an answer; false for anything the opener may not say now.
    func received(_ packet: Packet) -> Bool
    /// Takes a part of an opened file; false for anything the opener may not say now.
    func received(_ bytes: Span<UInt8>, ofFile file: UInt64) -> Bool
    /// Tells the owner that the socket was read, or has room again.
    func socketWasServed()
    /// The process is gone or as good as gone, and let go.
    func ended(_ error: OpenerError)
    /// No process could be ordered.
    func notOrdered(_ error: SystemError)
}

/// The opener's process, one after the other: from the order to the launcher until the exit.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone.
final class OpenerProcess {
    private let configuration: SupervisedOpener?
    private let equipment: Equipment
    private let timetable: Timetable<OpenerProcess>
    private weak var delegate: (any OpenerProcessDelegate)?
    private var process: SandboxedProcess?
    private var isReady = false
    /// The buffer of the last read, one byte longer than the longest packet.
    private var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount + 1)

    init(_ equipment: Equipment, timetable: Timetable<OpenerProcess>) {
        configuration = equipment.configuration.opener
        self.equipment = equipment
        self.timetable = timetable
    }

    /// Nothing may be started before this.
    func join(_ delegate: any OpenerProcessDelegate) { self.delegate = delegate }

    /// The process's number; `nil` means that there is none.
    var serial: UInt64? { process?.serial }

    /// Nobody has killed the process yet.
    var isAlive: Bool { process.map { $0.killCause == nil } ?? false }

    /// True if the process is ready and not being killed, since what it is sent then would be in hand at its end.
    var takesOpenings: Bool { isReady && isAlive }

    func send(_ packet: [UInt8]) { process?.channel.send(packet) }

    // MARK: Start

    /// Orders a process unless there is one; nothing happens once the host ends or has lost the launcher.
    func start() {
        guard let configuration, process == nil, equipment.gate.isOpen else { return }
        let serial = equipment.serials.next()
        do {
            let order = ProcessOrder(
                serial: serial,
                kind: LAUNCHER_OPENER,
                slot: 0,
                user: 0,
                folder: configuration.folder,
                executable: configuration.executable,
                memoryLimitByteCount: 64 << 20,
                replayFiles: configuration.replayFiles,
                timeZone: equipment.configuration.timeZone
            )
            let ends = try equipment.launcher.start(order, on: timetable.loop) { [timetable] readiness in
                timetable.performNow { $0.socketReady(serial, readiness) }
            } outputReady: { [timetable] _ in
                timetable.performNow { $0.outputReady(serial) }
            }
            let process = SandboxedProcess(serial: serial, channel: ends.channel, output: ends.output)
            self.process = process
            for packet in configuration.hello { process.channel.send(packet) }
            _ = timetable.schedule(at: timetable.now + configuration.startLimit) { $0.startLimitPassed(serial) }
        } catch {
            delegate?.notOrdered(error)
        }
    }

    /// An opener that was ready in time is not drained here: its answers would be taken, and nothing handed after them.
    private func startLimitPassed(_ serial: UInt64) {
        guard process?.serial == serial, !isReady else { return }
        drain()
        guard process?.serial == serial, !isReady else { return }
        end(.notReady)
    }

    private func socketReady(_ serial: UInt64, _ readiness: EventLoop.Readiness) {
        guard let process, process.serial == serial else { return }
        if readiness.contains(.write) { process.channel.flush() }
        readPackets()
        delegate?.socketWasServed()
    }

    private func outputReady(_ serial: UInt64) {
        guard let process, process.serial == serial else { return }
        process.logOutput(through: &buffer, to: equipment.logger)
    }

    // MARK: What the opener says

    /// Takes at most 64 packets, so that not even an opener that was taken over keeps the loop to itself.
    private func readPackets() {
        for _ in 0..<64 {
            guard let process else { return }
            switch process.channel.receive(into: &buffer) {
            case .nothing: return
            case .closed:
                // Usually it is dying; one that lives on without its socket is of no use.
                process.channel.close()
                return process.kill(.hang, through: equipment.launcher)
            case .violation: return end(.protocolViolation)
            case .packet(let count):
                guard received(count) else { return end(.protocolViolation) }
            }
        }
    }

    /// Takes what was said in time and is still in the socket, which holds some hundred packets at most.
    ///
    /// Nothing may be handed meanwhile: the process may be dead.
    func drain() {
        for _ in 0..<8 { readPackets() }
    }

    /// False for anything the opener may not say now.
    private func received(_ count: Int) -> Bool {
        guard let delegate else { return true }
        let buffer = buffer
        if let file = BytesPacket.id(of: buffer.span.extracting(0..<count), .fileBytes) {
            return delegate.received(buffer.span.extracting(Packet.headerByteCount..<count), ofFile: file)
        }
        guard let packet = try? Packet(decoding: buffer.span.extracting(0..<count)) else { return false }
        switch packet.type {
        case .ready where !isReady && packet.body["protocol"]?.integer == workerProtocolVersion:
            // Numbers have 38 bits; the bound leaves room to count on.
            guard let row = packet.body["nextRow"]?.integer, (0...1 << 38).contains(row) else { return false }
            isReady = true
            process?.shortenTurns()
            delegate.becameReady(nextRow: row)
            return true
        case .rejected where !isReady:
            end(.rejected(packet.body))
            return true
        case .ready, .rejected:
            return false
        case .fileState where !isReady:
            return false
        default:
            return delegate.received(packet)
        }
    }

    // MARK: End

    /// The host ends, and the opener with it: what it answered for is on the disk.
    func dismiss() {
        process?.kill(.retired, through: equipment.launcher)
    }

    /// Kills the process and lets it go, and says why; nothing happens when there is none.
    func end(_ error: OpenerError) {
        guard let process else { return }
        process.kill(.hang, through: equipment.launcher)
        letGo()
        delegate?.ended(error)
        equipment.processEnded()
    }

    /// Forgets the process, which is dying with the launcher.
    func letGo() {
        process?.close()
        process = nil
        isReady = false
    }
}

// MARK: The launcher's reports

extension OpenerProcess {
    func started(_ launched: consuming LaunchedProcess) {
        process?.started(launched)
    }

    /// The process has no descriptor of the host's left for it: it ends before it serves.
    func cannotBeHeld() {
        process?.kill(.start, through: equipment.launcher)
    }

    /// True when the process was killed on its way, as was asked for.
    var isDismissed: Bool { process?.killCause == .retired }

    func exited(_ exit: ProcessExit) {
        guard let process else { return }
        // What it said before its end still counts; a socket holds some hundred packets.
        drain()
        process.logLastOutput(through: &buffer, to: equipment.logger)
        end(.exited(exit))
    }
}

// MARK: Tests

extension OpenerProcess {
    var pid: Int32? { process?.pid }

    /// The host's end of the process's socket.
    var socket: CInt? { process?.channel.socket.raw }
}
