// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A controller that others are made of: it has the frame, they have what is in it.
class BaseViewController: UIViewController, UNNotificationContentExtension {
    let stack = UIStackView()
    let heading = UILabel()

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
        heading.font = .preferredFont(forTextStyle: .title2)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        stack.axis = .vertical
        stack.spacing = spacing
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        view.pin(stack, insets: UIEdgeInsets(top: 8, left: 16, bottom: 8, right: 16))
        stack.addArrangedSubview(heading)
        for title in buttonTitles {
            let button = UIButton(type: .system)
            button.setTitle(title, for: .normal)
            button.contentHorizontalAlignment = .leading
            button.addTarget(self, action: #selector(buttonTapped(_:)), for: .touchUpInside)
            stack.addArrangedSubview(button)
        }
    }

    var spacing: CGFloat { 4 }
    var buttonTitles: [String] { [] }

    @objc func buttonTapped(_ sender: UIButton) {
        heading.text = "base: \(sender.currentTitle ?? "")"
    }

    @objc dynamic func reset() { heading.text = "base reset" }

    func didReceive(_ notification: UNNotification) {
        heading.text = notification.request.content.title
        show(notification.request.content.userInfo)
    }

    func show(_ userInfo: [AnyHashable: Any]) {}
}

extension UIView {
    /// Holds a view at the edges of this one.
    func pin(_ subview: UIView, insets: UIEdgeInsets) {
        NSLayoutConstraint.activate([
            subview.topAnchor.constraint(equalTo: topAnchor, constant: insets.top),
            subview.leftAnchor.constraint(equalTo: leftAnchor, constant: insets.left),
            subview.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -insets.bottom),
            subview.rightAnchor.constraint(equalTo: rightAnchor, constant: -insets.right),
        ])
    }
}
