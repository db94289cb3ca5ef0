// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Frames that code sets, from the bounds that the layout gave.
class FramesViewController: UIViewController, UNNotificationContentExtension {
    let header = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 44))
    let titleLabel = UILabel()
    let avatar = UIImageView(frame: CGRect(x: 0, y: 0, width: 64, height: 64))
    let message = UILabel()
    let ruler = UIView()
    var isPrepared = false

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor.white
        header.backgroundColor = UIColor(white: 0.9, alpha: 1.0)
        header.autoresizingMask = [.flexibleWidth, .flexibleBottomMargin]
        header.frame.size.width = view.bounds.width
        view.addSubview(header)

        titleLabel.frame = header.bounds.insetBy(dx: 12, dy: 10)
        titleLabel.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        titleLabel.font = UIFont.systemFont(ofSize: 17, weight: .semibold)
        header.addSubview(titleLabel)

        avatar.backgroundColor = .systemTeal
        avatar.layer.masksToBounds = true
        view.addSubview(avatar)

        message.numberOfLines = 0
        message.font = .systemFont(ofSize: 15)
        message.textColor = .darkGray
        view.addSubview(message)

        ruler.backgroundColor = .lightGray
        view.addSubview(ruler)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let bounds = view.bounds
        avatar.frame.origin = CGPoint(x: 12, y: header.frame.maxY + 12)
        avatar.layer.cornerRadius = avatar.bounds.width / 2
        let x = avatar.frame.maxX + 12
        let width = bounds.width - x - 12
        let wanted = message.sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude))
        message.frame = CGRect(x: x, y: avatar.frame.minY, width: width, height: wanted.height)
        let bottom = max(avatar.frame.maxY, message.frame.maxY) + 12
        ruler.frame = CGRect(x: 0, y: bottom, width: bounds.width, height: 1 / UIScreen.main.scale)
        preferredContentSize = CGSize(width: bounds.width, height: ruler.frame.maxY)
    }

    func didReceive(_ notification: UNNotification) {
        titleLabel.text = notification.request.content.title
        message.text = notification.request.content.body
        view.setNeedsLayout()
    }
}
