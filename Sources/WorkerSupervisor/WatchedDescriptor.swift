// SPDX-License-Identifier: Apache-2.0

/// A descriptor that the event loop watches from its making to its end.
///
/// Belongs to the supervisor's actor.
final class WatchedDescriptor {
    private let descriptor: Descriptor
    private let loop: EventLoop
    private let registration: UInt64
    private(set) var isWatched = true

    var raw: CInt { descriptor.raw }

    init(
        _ descriptor: consuming Descriptor,
        on loop: EventLoop,
        handler: @escaping EventLoop.Handler
    ) throws(SystemError) {
        registration = try loop.register(descriptor.raw, interest: .read, handler: handler)
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit {
        forget()
    }

    /// Stops watching; the descriptor stays open as long as this value.
    func forget() {
        guard isWatched else { return }
        isWatched = false
        loop.forget(raw, registration: registration)
    }

    func watch(_ interest: EventLoop.Readiness) {
        guard isWatched else { return }
        // A registered descriptor fails to change only for want of kernel memory; the deadline of the work that waits
        // for it ends the wait.
        try? loop.change(raw, registration: registration, interest: interest)
    }
}
