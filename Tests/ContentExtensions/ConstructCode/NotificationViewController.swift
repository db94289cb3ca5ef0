// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A controller without a storyboard, whose views are placed by constraints of every kind that code can write.
@objc(NotificationViewController)
final class NotificationViewController: UIViewController, UNNotificationContentExtension {
    private let card: UIView = {
        let view = UIView()
        view.translatesAutoresizingMaskIntoConstraints = false
        view.backgroundColor = .secondarySystemBackground
        view.layer.cornerRadius = 10
        view.layer.borderWidth = 1
        view.layer.borderColor = UIColor.systemGray4.cgColor
        return view
    }()

    private lazy var titleLabel = makeLabel(.preferredFont(forTextStyle: .headline))
    private lazy var bodyLabel = makeLabel(.systemFont(ofSize: 14, weight: .regular))
    private lazy var badge = makeLabel(UIFont.boldSystemFont(ofSize: 12))
    private let spacer = UILayoutGuide()
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private var collapsed: NSLayoutConstraint!
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private var expanded: NSLayoutConstraint!

    private func makeLabel(_ font: UIFont) -> UILabel {
        let label = UILabel()
        label.translatesAutoresizingMaskIntoConstraints = false
        label.font = font
        label.numberOfLines = 0
        return label
    }

    override func loadView() {
        view = UIView()
        view.backgroundColor = .systemBackground
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(card)
        [titleLabel, bodyLabel, badge].forEach(card.addSubview)
        view.addLayoutGuide(spacer)
        badge.textColor = .white
        badge.backgroundColor = UIColor(red: 0.8, green: 0.1, blue: 0.1, alpha: 1)
        badge.textAlignment = .center
        badge.setContentHuggingPriority(.defaultHigh, for: .horizontal)
        badge.setContentCompressionResistancePriority(.required, for: .horizontal)
        setUpConstraints()
    }

    private func setUpConstraints() {
        // Anchors and a guide.
        let guide = view.safeAreaLayoutGuide
        NSLayoutConstraint.activate([
            card.topAnchor.constraint(equalTo: guide.topAnchor, constant: 12),
            card.leadingAnchor.constraint(equalToSystemSpacingAfter: guide.leadingAnchor, multiplier: 2),
            guide.trailingAnchor.constraint(equalToSystemSpacingAfter: card.trailingAnchor, multiplier: 2),
            spacer.topAnchor.constraint(equalTo: card.bottomAnchor),
            spacer.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
            spacer.heightAnchor.constraint(equalToConstant: 12),
        ])
        // Visual formats with metrics, and an option.
        let views: [String: Any] = ["title": titleLabel, "body": bodyLabel, "badge": badge]
        let formats: [(String, NSLayoutConstraint.FormatOptions)] = [
            ("H:|-pad-[title]-8-[badge(>=24)]-pad-|", .alignAllFirstBaseline),
            ("H:|-pad-[body]-pad-|", []),
            ("V:|-pad-[title]-6-[body]", []),
        ]
        for (format, options) in formats {
            NSLayoutConstraint.activate(
                NSLayoutConstraint.constraints(
                    withVisualFormat: format,
                    options: options,
                    metrics: ["pad": 14],
                    views: views
                )
            )
        }
        // Items with attributes, and two of which the stronger one is chosen later.
        expanded = NSLayoutConstraint(
            item: card,
            attribute: .bottom,
            relatedBy: .equal,
            toItem: bodyLabel,
            attribute: .bottom,
            multiplier: 1,
            constant: 14
        )
        collapsed = card.heightAnchor.constraint(equalToConstant: 60)
        collapsed.priority = .defaultLow
        bodyLabel.setContentCompressionResistancePriority(.defaultHigh, for: .vertical)
        collapsed.isActive = true
        expanded.isActive = true
        expanded.identifier = "expanded"
    }

    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        titleLabel.text = content.title
        bodyLabel.text = content.body
        badge.text = content.badge?.stringValue ?? "!"
        badge.isHidden = content.badge == nil
    }
}
