// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Buttons of each kind: configurations, actions as closures, states, pictures, and attributed titles.
final class ConfigurationViewController: UIViewController, UNNotificationContentExtension {
    private let column = UIStackView()
    private let status = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        column.axis = .vertical
        column.alignment = .center
        column.spacing = 6
        column.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(column)
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(equalTo: view.topAnchor, constant: 8),
            column.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            column.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -8),
        ])
        column.addArrangedSubview(status)

        var filled = UIButton.Configuration.filled()
        filled.title = "Filled"
        filled.baseBackgroundColor = .systemGreen
        filled.cornerStyle = .capsule
        column.addArrangedSubview(
            UIButton(configuration: filled, primaryAction: UIAction { [weak self] _ in self?.status.text = "filled" })
        )
        var tinted = UIButton.Configuration.tinted()
        tinted.title = "Tinted"
        tinted.subtitle = "with a second line"
        tinted.buttonSize = .large
        column.addArrangedSubview(UIButton(configuration: tinted))
        var gray = UIButton.Configuration.gray()
        gray.image = UIImage(systemName: "heart")
        gray.imagePadding = 6
        gray.title = "Grey"
        column.addArrangedSubview(UIButton(configuration: gray))
        column.addArrangedSubview(
            UIButton(
                type: .system,
                primaryAction: UIAction(title: "Action") { action in self.status.text = action.title }
            )
        )

        let toggle = UIButton(type: .custom)
        toggle.setTitle("Off", for: .normal)
        toggle.setTitle("On", for: .selected)
        toggle.setTitleColor(.systemBlue, for: .normal)
        toggle.setTitleColor(.systemRed, for: .selected)
        toggle.addAction(
            UIAction { action in (action.sender as? UIButton)?.isSelected.toggle() },
            for: .touchUpInside
        )
        column.addArrangedSubview(toggle)

        let attributed = UIButton(type: .system)
        attributed.setAttributedTitle(
            NSAttributedString(string: "Attributed", attributes: [.font: UIFont.boldSystemFont(ofSize: 20)]),
            for: .normal
        )
        attributed.contentEdgeInsets = UIEdgeInsets(top: 4, left: 20, bottom: 4, right: 20)
        attributed.backgroundColor = .systemYellow
        attributed.layer.cornerRadius = 8
        column.addArrangedSubview(attributed)

        let picture = UIButton(type: .custom)
        picture.setImage(UIImage(systemName: "trash"), for: .normal)
        picture.accessibilityLabel = "Delete"
        picture.tintColor = .systemRed
        picture.addTarget(self, action: #selector(deleted), for: .primaryActionTriggered)
        column.addArrangedSubview(picture)
    }

    @objc private func deleted(_ sender: UIButton) { sender.isHidden = true }

    func didReceive(_ notification: UNNotification) { status.text = "Choose" }
}
