// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Asks whoever shows it for all that an extension may ask.
class ContextViewController: UIViewController, UNNotificationContentExtension {
    private let stack = UIStackView()
    private let status = UILabel()

    override func loadView() {
        stack.axis = .vertical
        stack.alignment = .leading
        stack.isLayoutMarginsRelativeArrangement = true
        stack.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 10, leading: 16, bottom: 10, trailing: 16)
        stack.spacing = 6
        view = stack
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let buttons: [(String, Selector)] = [
            ("Other buttons", #selector(otherButtons)),
            ("Rename", #selector(rename)), ("Start app", #selector(startApp)), ("Close", #selector(close)),
        ]
        stack.addArrangedSubview(status)
        for (title, action) in buttons {
            let button = UIButton(type: .system)
            button.setTitle(title, for: .normal)
            button.titleLabel?.font = UIFont.systemFont(ofSize: 16)
            button.addTarget(self, action: action, for: .touchUpInside)
            stack.addArrangedSubview(button)
        }
    }

    func didReceive(_ notification: UNNotification) {
        title = "From \(notification.request.content.title)"
        let names = extensionContext?.notificationActions.map(\.title) ?? ["none"]
        status.text = "\(names.count) actions, \(extensionContext == nil ? "alone" : "shown")"
    }

    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        guard let url = URL(string: "https://example.com/order/4711"), let context = extensionContext else {
            return .dismissAndForwardAction
        }
        let isOpen = await withCheckedContinuation { continuation in
            context.open(url) { continuation.resume(returning: $0) }
        }
        status.text = isOpen ? "opened" : "not opened"
        return .doNotDismiss
    }

    @objc private func otherButtons() {
        var options: UNNotificationActionOptions = []
        options.insert(.foreground)
        extensionContext?.notificationActions = [
            UNNotificationAction(identifier: "call", title: "Call", options: options),
            UNNotificationAction(identifier: "delete", title: "Delete", options: [.destructive]),
            UNTextInputNotificationAction(
                identifier: "reply",
                title: "Reply",
                options: [],
                textInputButtonTitle: "Send",
                textInputPlaceholder: "Message"
            ),
        ]
        status.text = extensionContext?.notificationActions.map { $0.identifier }.joined(separator: ", ")
    }

    @objc private func rename() { title = "Renamed" }
    @objc private func startApp() { extensionContext?.performNotificationDefaultAction() }
    @objc private func close() { extensionContext?.dismissNotificationContentExtension() }
}
