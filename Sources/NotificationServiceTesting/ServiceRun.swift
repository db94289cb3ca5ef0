// SPDX-License-Identifier: Apache-2.0

import ExtensionWorker
import Foundation
import Locking
import NotificationPayload
import UserNotifications

/// One notification in an extension, and its time.
public final class ServiceRun: Sendable {
    private struct State {
        var elapsed = Duration.zero
        var wasWarned = false
        var completionCount = 0
        var result: ServiceResult?
        /// The number of calls that have returned, of two: `didReceive` and the last call.
        var returnedCount = 0
        var waiters: [UUID: Waiter] = [:]
    }

    private struct Waiter {
        let isMet: @Sendable (borrowing State) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    // SAFETY: Apple's contract calls one instance from two threads; keeping its own state in order is the extension's.
    private struct Instance: @unchecked Sendable {
        let service: UNNotificationServiceExtension
    }

    private let test: ServiceTest
    private let given: UNNotificationContent
    private let state = Locked(State())
    private let instance = Locked<Instance?>(nil)

    init(_ test: ServiceTest, payload: Payload) {
        self.test = test
        given = UNNotificationContent(payload: payload)
        guard payload.isMutable, payload.hasDisplayableAlert else {
            conclude(.original, reason: "notMutable", content: given)
            return
        }
        let request = UNNotificationRequest(
            identifier: UUID().uuidString,
            content: given,
            trigger: UNPushNotificationTrigger()
        )
        onThread { run in
            let service = run.test.makeExtension()
            run.instance.withLock { $0 = Instance(service: service) }
            service.didReceive(request) { content in run.complete(content) }
        }
    }

    /// The result, once there is one: the extension completed, or the budget ended.
    ///
    /// Throws `CancellationError` when the task is cancelled meanwhile.
    public var result: ServiceResult {
        get async throws {
            try await wait { $0.result != nil }
            guard let result = state.withLock({ $0.result }) else { preconditionFailure("waited for it") }
            return result
        }
    }

    /// True once there is a result.
    public var isConcluded: Bool { state.withLock { $0.result != nil } }

    /// Waits until `didReceive` has returned; an extension that goes on in a task or a download returns early.
    ///
    /// Throws `CancellationError`.
    public func didReceiveReturned() async throws {
        try await wait { $0.returnedCount > 0 || $0.result != nil }
    }

    /// Moves the time, and makes what it passes happen: the last call at `budget - grace`, the end at `budget`.
    ///
    /// `didReceive` has returned before the last call comes, and that has returned before the end does, unless
    /// `whileRunning`: then they come at once, as they do to an extension that blocks.
    ///
    /// Throws `CancellationError`.
    public func advance(by duration: Duration, whileRunning: Bool = false) async throws {
        let elapsed = state.withLock { state in
            state.elapsed += duration
            return state.elapsed
        }
        guard elapsed >= test.budget - test.grace else { return }
        if !whileRunning { try await didReceiveReturned() }
        if warn(), !whileRunning { try await wait { $0.returnedCount > 1 || $0.result != nil } }
        guard elapsed >= test.budget else { return }
        conclude(.original, reason: "budgetExceeded", content: given)
    }

    /// True when this was the last call.
    private func warn() -> Bool {
        let isFirst = state.withLock { state in
            guard !state.wasWarned, state.result == nil else { return false }
            state.wasWarned = true
            return true
        }
        guard isFirst else { return false }
        onThread { run in
            run.instance.withLock { $0 }?.service.serviceExtensionTimeWillExpire()
        }
        return true
    }

    private func onThread(_ body: @escaping @Sendable (ServiceRun) -> Void) {
        let started = WorkerThreads.startThread {
            body(self)
            self.change { $0.returnedCount += 1 }
        }
        precondition(started, "the system gives no thread")
    }

    private func complete(_ content: UNNotificationContent) {
        let isFirst = state.withLock { state in
            state.completionCount += 1
            return state.completionCount == 1
        }
        guard isFirst else { return }
        // As it is at this moment: what the extension does with the object afterwards has no effect.
        guard let copy = content.copy() as? UNNotificationContent else { return }
        if case .failure = OutgoingContent(copy, scratch: nil).encoded(id: 1) {
            conclude(.original, reason: "exitedEarly", content: given)
        } else if !copy.hasText {
            if test.filtersNotifications {
                conclude(.suppressed, reason: "filtered", content: copy)
            } else {
                conclude(.original, reason: "emptyContent", content: given)
            }
        } else {
            conclude(.modified, reason: nil, content: copy)
        }
    }

    /// The first conclusion counts.
    private func conclude(_ outcome: ServiceResult.Outcome, reason: String?, content: UNNotificationContent) {
        change { state in
            guard state.result == nil else { return }
            state.result = ServiceResult(
                outcome: outcome,
                reason: reason,
                isLate: outcome == .modified && state.wasWarned,
                content: content,
                attachments: content.attachments.map(\.identifier),
                completionCount: state.completionCount
            )
        }
        // Held by the run until here, as a worker holds it.
        let last = instance.withLock { instance in
            defer { instance = nil }
            return instance
        }
        _ = last
    }

    // MARK: Waiting

    private func change(_ body: (inout State) -> Void) {
        let met = state.withLock { state in
            body(&state)
            let met = state.waiters.filter { $0.value.isMet(state) }
            for id in met.keys { state.waiters[id] = nil }
            return met.values.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    private func wait(_ isMet: @escaping @Sendable (borrowing State) -> Bool) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = Task.isCancelled
                let answer: Result<Void, any Error>? = state.withLock { state in
                    if isMet(state) { return .success(()) }
                    if isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}

extension UNNotificationContent {
    fileprivate var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}
