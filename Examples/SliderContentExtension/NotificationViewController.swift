// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet private weak var headline: UILabel!
    @IBOutlet private weak var logo: UIImageView!
    @IBOutlet private weak var slider: UISlider!

    private var notification: UNNotification?

    override func viewDidLoad() {
        super.viewDidLoad()
        logo.layer.cornerRadius = 12
        logo.clipsToBounds = true
        slider.addTarget(self, action: #selector(sliderMoved(_:)), for: .valueChanged)
    }

    func didReceive(_ notification: UNNotification) {
        self.notification = notification
        headline.text = notification.request.content.title
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        guard response.actionIdentifier == "like" else {
            completion(.dismissAndForwardAction)
            return
        }
        headline.text = "You like it."
        completion(.doNotDismiss)
    }

    @objc private func sliderMoved(_ sender: UISlider) {
        logo.alpha = CGFloat(sender.value)
    }

    @IBAction private func launch(_ sender: UIButton) {
        extensionContext?.performNotificationDefaultAction()
    }

    @IBAction private func dismissView(_ sender: Any) {
        extensionContext?.dismissNotificationContentExtension()
    }

    @IBAction private func remove() {
        guard let notification else { return }
        UNUserNotificationCenter.current()
            .removeDeliveredNotifications(withIdentifiers: [notification.request.identifier])
        extensionContext?.dismissNotificationContentExtension()
    }
}
