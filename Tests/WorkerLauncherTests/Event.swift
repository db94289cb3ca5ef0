// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Glibc

/// A message of the launcher, or the end of its socket.
enum Event: Equatable {
    case ready(namespaces: UInt32, profile: Character, landlock: UInt32, instructions: UInt32, filterCount: UInt32)
    case keyRegistered(index: UInt32, verdict: launcher_key_verdict, error: Int32)
    case viewRegistered(error: Int32)
    case started(serial: UInt64, pid: pid_t, pidfd: Descriptor, status: Descriptor, grants: Grants)
    case scratchFile(serial: UInt64, error: Int32, usedByteCount: UInt64, file: Descriptor?)
    case groupRegistered(error: Int32, limitsMemory: Bool)
    case failed(serial: UInt64, step: String, error: Int32)
    /// Code is `CLD_EXITED` (1) with an exit status, or `CLD_KILLED` (2) or `CLD_DUMPED` (3) with a signal.
    case exited(serial: UInt64, code: Int32, status: Int32, peakByteCount: UInt64)
    case endOfFile

    /// Waits for the next packet, at most 20 s.
    static func next(on socket: Descriptor) throws -> Event {
        var watched = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 20_000) == 1 else { throw Unexpected("the launcher is silent for 20 s") }
        var event = launcher_event()
        let result = launcher_receive_event(socket.number, &event)
        switch result {
        case 1: return try Event(event)
        case 0, -ECONNRESET: return .endOfFile
        default: throw SystemFailure(error: -result)
        }
    }

    private init(_ event: launcher_event) throws {
        switch launcher_message_type(rawValue: event.type) {
        case LAUNCHER_READY:
            self = .ready(
                namespaces: event.namespaces,
                profile: Character(Unicode.Scalar(UInt8(event.profile))),
                landlock: event.landlock,
                instructions: event.instructions,
                filterCount: event.filter_count
            )
        case LAUNCHER_VIEW_REGISTERED: self = .viewRegistered(error: event.error)
        case LAUNCHER_KEY_REGISTERED:
            self = .keyRegistered(
                index: event.index,
                verdict: launcher_key_verdict(rawValue: event.verdict),
                error: event.error
            )
        case LAUNCHER_STARTED:
            self = .started(
                serial: event.serial,
                pid: event.pid,
                pidfd: Descriptor(event.pidfd),
                status: Descriptor(event.status_descriptor),
                grants: Grants(
                    flags: event.flags,
                    sharesUser: event.shared_uid != 0,
                    listener: event.listener < 0 ? nil : Descriptor(event.listener)
                )
            )
        case LAUNCHER_SCRATCH_FILE:
            self = .scratchFile(
                serial: event.serial,
                error: event.error,
                usedByteCount: event.used_bytes,
                file: event.file < 0 ? nil : Descriptor(event.file)
            )
        case LAUNCHER_GROUP_REGISTERED:
            self = .groupRegistered(error: event.error, limitsMemory: event.limits_memory != 0)
        case LAUNCHER_FAILED:
            let step = withUnsafeBytes(of: event.step) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            self = .failed(serial: event.serial, step: step, error: event.error)
        case LAUNCHER_EXITED:
            self = .exited(
                serial: event.serial,
                code: event.code,
                status: event.status,
                peakByteCount: event.peak_resident_bytes
            )
        default:
            throw Unexpected("message type \(event.type)")
        }
    }

    /// Exit code and status without what differs from run to run.
    var end: End? {
        guard case .exited(let serial, let code, let status, _) = self else { return nil }
        return End(serial: serial, code: code, status: status)
    }
}

/// The grants that a process was given, of those that were ordered for it.
struct Grants: Equatable {
    let flags: UInt32
    let sharesUser: Bool
    let listener: Descriptor?
}

struct End: Equatable {
    let serial: UInt64
    let code: Int32
    let status: Int32

    static func exited(_ worker: Worker, _ status: Int32) -> End {
        End(serial: worker.order.serial, code: 1, status: status)
    }

    static func killed(_ worker: Worker, _ signal: Int32) -> End {
        End(serial: worker.order.serial, code: 2, status: signal)
    }
}

/// One form of the filter that a worker loads itself.
struct Stage2: Equatable {
    let flags: UInt32
    let traps: Bool
    /// 8 bytes an instruction.
    let code: [UInt8]

    static func next(on socket: Descriptor) throws -> Stage2 {
        var code = [UInt8](repeating: 0, count: Int(LAUNCHER_FILTER_BYTES))
        var filter = launcher_stage2()
        let error = code.withUnsafeMutableBufferPointer { buffer in
            filter.code = buffer.baseAddress
            return launcher_receive_filter(socket.number, &filter)
        }
        guard error == 0 else { throw SystemFailure(error: -error) }
        let count = Int(filter.length) * Int(LAUNCHER_INSTRUCTION_BYTES)
        return Stage2(flags: filter.flags, traps: filter.trap != 0, code: Array(code.prefix(count)))
    }
}
