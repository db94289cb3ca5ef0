// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// The owner of a storyboard with every element that Xcode's library has for the classes of UIKit here.
class NotificationViewController: ActionController, UNNotificationContentExtension {
    @IBOutlet private var badge: Badge?
    @IBOutlet weak var caption: UILabel!
    @IBOutlet weak var height: NSLayoutConstraint!
    @IBOutlet var buttons: [UIButton]!
    @IBInspectable var mode: String = ""

    func didReceive(_ notification: UNNotification) {
        caption.text = notification.request.content.title
        let card = CardController(nibName: "Card", bundle: nil)
        addChild(card)
        view.addSubview(card.view)
    }
}

/// The owner of a xib with the same elements.
class CardController: ActionController {}

/// The actions of both.
class ActionController: UIViewController {
    @IBOutlet var presser: UILongPressGestureRecognizer!

    @IBAction func tapped(_ sender: Any) {}
    @IBAction private func changed(_ sender: UIControl, event: UIEvent) {}
    @IBAction func recognized(_ sender: UIGestureRecognizer) {}
}

/// A label of the extension's own.
class Badge: UILabel {
    @IBInspectable var inset: CGFloat = 0
    @IBInspectable var count: Int = 0
    @IBInspectable var isRound: Bool = false
    @IBInspectable var note: String?
    @IBInspectable var stroke: UIColor = .clear
    @IBInspectable var mark: UIImage?
    @IBInspectable var place: CGPoint = .zero
    @IBInspectable var extent: CGSize = .zero
    @IBInspectable var box: CGRect = .zero
}

/// An object of a scene's dock.
class Keeper: NSObject {
    @IBOutlet var label: UILabel!
}

extension UIView {
    @IBInspectable var cornerRadius: CGFloat {
        get { layer.cornerRadius }
        set { layer.cornerRadius = newValue }
    }
}
