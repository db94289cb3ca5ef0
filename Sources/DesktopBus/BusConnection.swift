// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Dispatch
import Glibc
import Locking

/// A connection to a message bus: one descriptor, watched by whoever reads.
///
/// Any task may send, and one at a time reads. A message that is not read stays in the socket, so that whoever reads
/// slowly slows the bus down and costs no memory. Source: sd-bus(3).
package final class BusConnection: Sendable {
    // SAFETY: the pointer is used with the lock held alone, and any thread may cancel a dispatch source.
    private struct State: @unchecked Sendable {
        let bus: OpaquePointer
        /// The source that the reader waits for.
        var waiting: (any DispatchSourceProtocol)?
    }

    // SAFETY: any thread may activate or cancel a dispatch source.
    private struct Source: @unchecked Sendable {
        let events: any DispatchSourceProtocol
    }

    /// The two buses of a desktop.
    package enum Bus: Sendable, CaseIterable {
        /// The bus of the user's session, as `DBUS_SESSION_BUS_ADDRESS` or `$XDG_RUNTIME_DIR/bus` names it.
        case session
        /// The bus of the machine's services, as `DBUS_SYSTEM_BUS_ADDRESS` names it, else at its standard place.
        case system
    }

    private let state: Locked<State>
    private let queue = DispatchQueue(label: "message-bus")

    package init(to bus: Bus = .session) throws(BusFailure) {
        let kind = bus
        var bus: OpaquePointer?
        try BusFailure.check(kind == .session ? sd_bus_open_user(&bus) : sd_bus_open_system(&bus))
        guard let bus else { throw BusFailure(ENOTCONN) }
        state = Locked(State(bus: bus))
    }

    deinit { _ = state.withLock { sd_bus_flush_close_unref($0.bus) } }

    // MARK: Sending

    /// Calls a method; returns the number that its answer has.
    ///
    /// `starting` has the bus start the program of a name that nobody has.
    package func call(
        _ member: String,
        of interface: String,
        at path: String,
        on destination: String,
        starting: Bool = false,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) -> UInt64 {
        try state.withLock { state throws(BusFailure) in
            var pointer: OpaquePointer?
            try BusFailure.check(
                sd_bus_message_new_method_call(state.bus, &pointer, destination, path, interface, member)
            )
            guard let pointer else { throw BusFailure(ENOMEM) }
            let message = BusMessage(owning: pointer)
            // A program that nobody runs is started where that is asked for, and not by the way.
            try BusFailure.check(sd_bus_message_set_auto_start(pointer, starting ? 1 : 0))
            try write(message)
            return try Self.send(message, state)
        }
    }

    /// Sends a signal to whoever listens.
    package func signal(
        _ member: String,
        of interface: String,
        at path: String,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try state.withLock { state throws(BusFailure) in
            var pointer: OpaquePointer?
            try BusFailure.check(sd_bus_message_new_signal(state.bus, &pointer, path, interface, member))
            guard let pointer else { throw BusFailure(ENOMEM) }
            let message = BusMessage(owning: pointer)
            try write(message)
            _ = try Self.send(message, state)
        }
    }

    private static func send(_ message: borrowing BusMessage, _ state: State) throws(BusFailure) -> UInt64 {
        var cookie: UInt64 = 0
        try BusFailure.check(sd_bus_send(state.bus, message.pointer, &cookie))
        // What the socket had no room for is written when it has: the reader is to wait for that as well.
        if sd_bus_get_events(state.bus) & CInt(POLLOUT) != 0 { state.waiting?.cancel() }
        return cookie
    }

    // MARK: Reading

    /// Hands the next message to `read`, and waits until one comes; throws when the bus has ended or the task is
    /// cancelled.
    ///
    /// The connection is locked meanwhile: `read` may answer the message, and call nothing else of the connection.
    package func next<Value: Sendable>(
        _ read: (borrowing BusMessage) -> Value
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (value, isIdle) = try state.withLock { state throws(BusFailure) -> (Value?, Bool) in
                var pointer: OpaquePointer?
                let result = try BusFailure.check(sd_bus_process(state.bus, &pointer))
                guard let pointer else { return (nil, result == 0) }
                let message = BusMessage(owning: pointer)
                // sd-bus says so itself, once, when the other end is gone.
                guard message.interface != "org.freedesktop.DBus.Local" else { throw BusFailure(ENOTCONN) }
                return (read(message), false)
            }
            if let value { return value }
            if isIdle { await ready() }
        }
    }

    /// Waits until the descriptor has something to read, or room if something waits to be written.
    private func ready() async {
        let source = state.withLock { state -> Source? in
            let descriptor = sd_bus_get_fd(state.bus)
            guard descriptor >= 0 else { return nil }
            let isWriting = sd_bus_get_events(state.bus) & CInt(POLLOUT) != 0
            let events: any DispatchSourceProtocol =
                isWriting
                ? DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
                : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            state.waiting = events
            return Source(events: events)
        }
        guard let source else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                source.events.setEventHandler { source.events.cancel() }
                source.events.setCancelHandler { continuation.resume() }
                source.events.activate()
            }
        } onCancel: {
            source.events.cancel()
        }
        state.withLock { $0.waiting = nil }
    }
}
