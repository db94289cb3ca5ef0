// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A controller that fills its view from xibs, in each of the ways in which code loads one.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet weak var container: UIStackView!
    @IBOutlet weak var ownedLabel: UILabel?

    override func viewDidLoad() {
        super.viewDidLoad()
        let card = CardView.fromNib()
        card.configure(name: "Bundle", price: 9.5)
        card.delegate = self
        container.addArrangedSubview(card)

        let nib = UINib(nibName: "CardView", bundle: Bundle(for: CardView.self))
        if let second = nib.instantiate(withOwner: nil, options: nil).first as? CardView {
            second.configure(name: "UINib", price: 12)
            second.delegate = self
            container.addArrangedSubview(second)
        }

        let objects = Bundle.main.loadNibNamed("Footer", owner: self, options: nil)
        if let footer = objects?.compactMap({ $0 as? UIView }).first {
            container.addArrangedSubview(footer)
        }
        container.addArrangedSubview(RatingView(frame: CGRect(x: 0, y: 0, width: 200, height: 24)))
    }

    func didReceive(_ notification: UNNotification) {
        ownedLabel?.text = "Footer of \(notification.request.content.title)"
    }

    @IBAction func footerTapped(_ sender: UIButton) {
        ownedLabel?.text = "\(sender.currentTitle ?? "") tapped"
    }
}

extension NotificationViewController: CardViewDelegate {
    func cardView(_ cardView: CardView, didChoose name: String) {
        ownedLabel?.text = "chose \(name)"
    }
}
