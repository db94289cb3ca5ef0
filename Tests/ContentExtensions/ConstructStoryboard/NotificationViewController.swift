// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A storyboard with every attribute of constraints, of which code changes two by their outlets.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet private weak var imageView: UIImageView!
    @IBOutlet private weak var titleLabel: UILabel!
    @IBOutlet private weak var dateLabel: UILabel!
    @IBOutlet private weak var bodyLabel: UILabel!
    @IBOutlet private weak var imageWidth: NSLayoutConstraint!
    @IBOutlet private weak var bodyTop: NSLayoutConstraint!
    @IBOutlet private var wide: [NSLayoutConstraint]!

    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        titleLabel.text = content.title
        bodyLabel.text = content.body
        dateLabel.text = content.userInfo["when"] as? String
        imageWidth.constant = 72
        bodyTop.constant = content.body.isEmpty ? 0 : 10
        view.setNeedsUpdateConstraints()
    }

    override func updateViewConstraints() {
        dateLabel.isHidden = (dateLabel.text ?? "").isEmpty
        super.updateViewConstraints()
    }

    @IBAction func narrow(_ sender: UIButton) {
        NSLayoutConstraint.deactivate(wide)
        sender.isEnabled = false
        UIView.animate(withDuration: 0.2) { self.view.layoutIfNeeded() }
    }
}
