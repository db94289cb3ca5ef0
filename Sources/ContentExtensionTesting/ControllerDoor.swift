// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload
import NotificationServiceTesting
import SceneModel
import UIKit
import UserNotificationsUI
import ViewSession

/// A session of either kind of content.
@MainActor protocol OpenSession: AnyObject {
    func take(_ event: ViewEvent, numbered seq: UInt64)
    func take(_ notification: UNNotification, numbered seq: UInt64)
    func flush()
    func close()
}

extension ViewSession: OpenSession {}

/// A view of this process on a tester's stage: does to the session what a host would.
///
/// Each step returns once the main queue has done what the step put on it, and the view has said what follows from
/// that.
@MainActor final class ControllerDoor: ViewDoor {
    /// The time that a response waits for its decision, and in which the default action follows an act of a person.
    ///
    /// Source: PROTOCOL.md, "Views".
    private static let patience = 5.0

    private let tester: ContentExtensionTester
    private let state: ViewState
    private let stageBefore: Stage
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("view-\(UUID().uuidString)")
    private var session: (any OpenSession)?
    private var hasFinished = false
    private var lastEvent: UInt64 = 0
    /// The seconds of the stage's time at the last act of a person.
    private var touched: Double?
    /// The responses without a decision.
    private var undecided: Set<UInt64> = []

    init(_ tester: ContentExtensionTester, _ notification: UNNotification, _ state: ViewState) {
        self.tester = tester
        self.state = state
        stageBefore = Stage.ofProcess
        Stage.ofProcess = tester.stage
        state.change { $0.step = 0 }
        session = tester.open(
            notification,
            folder.path,
            { [weak self] update in self?.hear(update) },
            { [weak self] _ in self?.finishSoon("protocolViolation") }
        )
    }

    isolated deinit { finish("closed") }

    // MARK: Steps

    @MainActor func take(_ act: ViewAct, _ state: ViewState) async throws {
        guard let session, !hasFinished else {
            throw ViewProblem("the view ended as \(state.current.ended ?? "closed") before \(act.text)", hint: nil)
        }
        if case .show(let payload) = act {
            lastEvent += 1
            session.take(tester.notification(payload), numbered: lastEvent)
        } else {
            let event = try act.event(in: state.current.tree, response: lastEvent + 1)
            lastEvent += 1
            touched = tester.stage.timeline.seconds
            if case .response(let response) = event { wait(for: response.number) }
            session.take(event, numbered: lastEvent)
        }
        await settle()
    }

    @MainActor func close(_ state: ViewState) async { finish("closed") }

    /// Lets the main queue do what is in it, and what that puts on it, and has the view say what is new then.
    func settle() async {
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
        }
        session?.flush()
        await endingTurn()
    }

    /// Lets the view end that has asked for it.
    private func endingTurn() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    // MARK: What the view says

    private func hear(_ update: SceneUpdate) {
        guard !hasFinished else { return }
        var calls = update.calls
        // A view does not start its app by being looked at.
        let mayAct = touched.map { tester.stage.timeline.seconds - $0 <= Self.patience } ?? false
        if !mayAct { calls.removeAll { $0 == .defaultAction } }
        calls.removeAll { call in
            if case .option(_, let response) = call { undecided.remove(response) == nil } else { false }
        }
        let lastEvent = Int(lastEvent)
        state.change { moment in
            // The session has judged the update.
            try? moment.tree.apply(update)
            moment.calls += calls.map(\.name)
            moment.step = lastEvent
        }
        if calls.contains(where: \.closesView) { finishSoon("dismissed") }
    }

    private func wait(for response: UInt64) {
        undecided.insert(response)
        tester.stage.timeline.call(after: Self.patience) { [weak self] in
            guard let self, undecided.contains(response) else { return }
            hear(SceneUpdate(calls: [.option(.dismissAndForwardAction, response: response)]))
        }
    }

    /// Ends the view behind what runs now, which may be the controller's own code.
    private func finishSoon(_ reason: String) {
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.finish(reason) } }
    }

    private func finish(_ reason: String) {
        guard !hasFinished else { return }
        hasFinished = true
        session?.close()
        session = nil
        Stage.ofProcess = stageBefore
        try? FileManager.default.removeItem(at: folder)
        state.change { moment in
            moment.ended = reason
            moment.isOver = true
        }
        OpenViews.leave()
    }
}
