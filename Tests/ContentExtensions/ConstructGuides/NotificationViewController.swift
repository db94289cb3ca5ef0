// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

@IBDesignable class BorderedLabel: UILabel {
    @IBInspectable var borderWidth: CGFloat {
        get { layer.borderWidth }
        set { layer.borderWidth = newValue }
    }
    @IBInspectable var borderColor: UIColor? {
        didSet { layer.borderColor = borderColor?.cgColor }
    }
    @IBInspectable var prefix: String = ""
    @IBInspectable var isLoud: Bool = false

    override var text: String? {
        didSet { accessibilityLabel = prefix + (isLoud ? (text ?? "").uppercased() : text ?? "") }
    }
}

/// A controller of an older project: its storyboard has the top and bottom guides and attributes that are set by name.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet var label: UILabel?
    @IBOutlet var subtitle: BorderedLabel?

    override func viewDidLoad() {
        super.viewDidLoad()
        // Do any required interface initialization here.
        let size = view.bounds.size
        preferredContentSize = CGSize(width: size.width, height: size.width / 3)
        let bar = UIView()
        bar.translatesAutoresizingMaskIntoConstraints = false
        bar.backgroundColor = .red
        view.addSubview(bar)
        let views: [String: Any] = ["bar": bar, "bottom": bottomLayoutGuide]
        view.addConstraints(
            NSLayoutConstraint.constraints(withVisualFormat: "H:|[bar]|", options: [], metrics: nil, views: views)
        )
        view.addConstraints(
            NSLayoutConstraint.constraints(
                withVisualFormat: "V:[bar(2)][bottom]",
                options: [],
                metrics: nil,
                views: views
            )
        )
    }

    func didReceive(_ notification: UNNotification) {
        self.label?.text = notification.request.content.body
        self.subtitle?.text = notification.request.content.subtitle
    }
}
