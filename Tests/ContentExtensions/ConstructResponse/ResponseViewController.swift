// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Answers each response: stays, goes, or goes with the response to the app.
class ResponseViewController: UIViewController, UNNotificationContentExtension {
    private enum Answer: String {
        case accept = "accept-action"
        case decline = "decline-action"
        case comment = "comment-action"
    }

    private let status = UILabel()
    private var count = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        status.frame = CGRect(x: 16, y: 16, width: view.bounds.width - 32, height: 44)
        status.autoresizingMask = .flexibleWidth
        status.numberOfLines = 2
        status.lineBreakMode = .byWordWrapping
        view.addSubview(status)
    }

    func didReceive(_ notification: UNNotification) {
        let formatter = NumberFormatter()
        formatter.numberStyle = .ordinal
        count += 1
        status.text = "\(notification.request.content.title) (\(notification.request.content.categoryIdentifier))"
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        switch Answer(rawValue: response.actionIdentifier) {
        case .accept?:
            status.text = "You accepted."
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { completion(.dismiss) }
        case .decline?:
            status.text = "You declined."
            completion(.dismissAndForwardAction)
        case .comment?:
            guard let response = response as? UNTextInputNotificationResponse else { return completion(.doNotDismiss) }
            count += 1
            status.text = "\(count): \(response.userText)"
            completion(.doNotDismiss)
        case nil:
            if response.actionIdentifier == UNNotificationDismissActionIdentifier {
                completion(.dismiss)
            } else {
                completion(.dismissAndForwardAction)
            }
        }
    }
}
