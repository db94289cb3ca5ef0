// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing
import UIKit
import UserNotificationsUI

/// The order in which a host sees what a response leads to, and hears what becomes of it.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ResponseStepTests {
    /// A controller that says what was answered, and moves to it.
    private final class AnsweringController: UIViewController, UNNotificationContentExtension {
        private let label = UILabel()

        override func viewDidLoad() {
            super.viewDidLoad()
            label.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(label)
            NSLayoutConstraint.activate([
                label.centerYAnchor.constraint(equalTo: view.centerYAnchor),
                label.leadingAnchor.constraint(equalTo: view.leadingAnchor),
                label.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            ])
        }

        func didReceive(_ notification: UNNotification) {}

        func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            (label.text, view.backgroundColor) = ("You are going", .green)
            UIView.animate(withDuration: 0.2) { self.view.layoutIfNeeded() }
            completion(.doNotDismiss)
        }
    }

    @Test func `the answer to a response comes with the last of the steps that it has led to`() async throws {
        let bench = ControllerBench { AnsweringController() }
        bench.take(.response(ViewResponse(number: 7, action: "accept")))
        let answer = SceneCall.option(.doNotDismiss, response: 7)
        while !bench.updates.contains(where: { $0.calls.contains(answer) }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bench.texts == ["You are going"])
        #expect(bench.updates.last?.calls == [answer])
        #expect(bench.updates.flatMap(\.calls) == [answer])
        #expect(bench.faults.isEmpty)
    }
}
