// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import Logging
import NotificationPayload
import UserNotificationCenter

/// The notifications of one app that wait for its answers, asked about and shown in the order in which they came.
///
/// Sixteen questions are open at a time. One that is answered early waits for those before it, so that a list never
/// shows the second before the first.
final class ForegroundLine: Sendable {
    private static let windowSize = 16
    /// Notifications that are shown in one transaction.
    private static let pieceLimit = 256
    /// The time that an app has for its answer.
    static let answerLimit = Duration.seconds(5)
    /// Milliseconds after which a notification is no longer asked about, so that an app which answers nothing makes the
    /// last of many no later than this and one question more.
    private static let askingLimit: WallTime = 30_000
    private static let retryPause = Duration.seconds(1)

    private struct State {
        var rows: [Int64] = []
        /// Raised for a row that comes during a run; `nil` between runs.
        var run: Signal?
    }

    private let center: Center
    private let key: InstallationKey
    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(_ center: Center, _ key: InstallationKey, clock: any Clock<Duration>) {
        self.center = center
        self.key = key
        self.clock = clock
    }

    /// Takes a row of `waiting`; true means that `run` must be called.
    func add(_ row: Int64) -> Bool {
        state.withLock { state in
            state.rows.append(row)
            guard let run = state.run else {
                state.run = Signal()
                return true
            }
            run.raise()
            return false
        }
    }

    /// `nil` ends the run: whoever adds the next row begins another one.
    private func next(isLast: Bool) -> Int64? {
        state.withLock { state in
            guard !state.rows.isEmpty else {
                if isLast { state.run = nil }
                return nil
            }
            return state.rows.removeFirst()
        }
    }

    /// Asks and shows until nothing waits.
    func run() async {
        guard let hasMore = state.withLock(\.run) else { return }
        await withTaskGroup(of: Answered?.self) { group in
            func watch() {
                group.addTask {
                    await hasMore.wait()
                    return nil
                }
            }
            var order: [Int64] = []
            var answers: [Int64: Answered] = [:]
            var openCount = 0
            func take() async {
                while order.count < Self.pieceLimit, openCount < Self.windowSize, let row = next(isLast: order.isEmpty)
                {
                    order.append(row)
                    let found = await read(row)
                    guard let question = found.flatMap({ self.ask($0) }) else {
                        // The app is not in front any more, or was not when the centre started.
                        let standing = center.foreground.standing(of: key) ?? .background
                        answers[row] = Answered(row: row, notification: found, answer: standing)
                        continue
                    }
                    openCount += 1
                    group.addTask { [center, clock] in
                        let start = center.clock.measure()
                        let answer = await question.wait(Self.answerLimit, clock)
                        let time = center.clock.measure() - start
                        center.metrics.apps.asked(isAnswered: answer != nil, after: time)
                        return Answered(row: row, notification: found, answer: .answer(answer))
                    }
                }
            }
            watch()
            await take()
            while !order.isEmpty {
                let ready = order.prefix { answers[$0] != nil }.compactMap { answers.removeValue(forKey: $0) }
                if ready.isEmpty {
                    if let answered = await group.next() ?? nil {
                        answers[answered.row] = answered
                        openCount -= 1
                    } else {
                        watch()
                    }
                } else {
                    order.removeFirst(ready.count)
                    await show(ready)
                }
                await take()
            }
            group.cancelAll()
        }
    }

    /// A notification with what its app said of it.
    private struct Answered: Sendable {
        let row: Int64
        /// `nil` means that the row is gone, or that the task was cancelled while the disk failed.
        let notification: WaitingNotification?
        let answer: ForegroundAnswer
    }

    /// `nil` means that the app cannot be asked, or not any more.
    private func ask(_ found: WaitingNotification) -> Question<PresentationOptions>? {
        guard let content = found.content, content.course?.isSuppressed != true,
            center.clock.wall() - found.stored < Self.askingLimit
        else { return nil }
        let notification = ToldNotification(
            number: found.id,
            date: Moment(milliseconds: found.stored),
            request: StoredRequest(content, of: center.store)
        )
        return center.foreground.asker(of: key)?.ask(notification)
    }

    private func read(_ row: Int64) async -> WaitingNotification? {
        while !Task.isCancelled {
            if let rows = try? center.store.waiting(after: row - 1, limit: 1) { return rows.first { $0.id == row } }
            try? await clock.sleep(for: Self.retryPause)
        }
        return nil
    }

    private func show(_ answers: [Answered]) async {
        while !Task.isCancelled {
            do {
                let work = try answers.compactMap { answered in
                    try answered.notification.map { .arrive(try arrival(of: $0, answered.answer)) } as CenterWork?
                }
                _ = try await center.perform(work)
                break
            } catch {
                center.logger.error("nothing can be stored", metadata: ["error": "\(error)"])
                try? await clock.sleep(for: Self.retryPause)
            }
        }
        center.foreground.settle(key, count: answers.count)
    }

    private func arrival(
        of found: WaitingNotification,
        _ answer: ForegroundAnswer
    ) throws -> NotificationArrival {
        var arrival = NotificationArrival(
            installation: key,
            source: .waiting(found.id),
            fate: .unlisted,
            date: found.stored
        )
        guard let content = found.content else { return arrival }
        var rule = try center.deliveryRule(for: key)
        // What an extension took away is no matter of the app's: it sets its badge, and is not shown.
        let isSuppressed = content.course?.isSuppressed == true
        rule.foreground = isSuppressed ? .background : answer
        let (fate, badge) = rule.fate(of: DeliveryRule.Delivery(content, ready: found.stored))
        arrival.badge = badge
        if !isSuppressed { arrival.fate = fate }
        return arrival
    }
}

extension DeliveryRule.Delivery {
    /// A notification that was kept before it was decided about.
    fileprivate init(_ content: NotificationContent, ready: WallTime) {
        self.init(
            identifier: content.identifier,
            payload: Payload(content.payload),
            trigger: content.trigger,
            attachments: content.attachments,
            isRemote: content.trigger?["type"] == "push",
            course: content.course,
            ready: ready
        )
    }
}
