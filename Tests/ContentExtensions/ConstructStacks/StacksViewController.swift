// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Stack views in stack views: every distribution and alignment, spacing of its own, margins, and a hidden view.
class StacksViewController: UIViewController, UNNotificationContentExtension {
    private let column = UIStackView()
    private let facts = UIStackView()
    private var details: [UIView] = []

    private func label(_ text: String, size: CGFloat = 15) -> UILabel {
        let label = UILabel()
        label.text = text
        label.font = .systemFont(ofSize: size)
        return label
    }

    private func box(_ color: UIColor, _ width: CGFloat, _ height: CGFloat) -> UIView {
        let view = UIView()
        view.backgroundColor = color
        let sides = [
            view.widthAnchor.constraint(equalToConstant: width), view.heightAnchor.constraint(equalToConstant: height),
        ]
        for side in sides {
            side.priority = .defaultLow
            side.isActive = true
        }
        return view
    }

    private func row(
        _ distribution: UIStackView.Distribution,
        _ alignment: UIStackView.Alignment = .center,
        spacing: CGFloat = 8
    ) -> UIStackView {
        let colors: [UIColor] = [.systemRed, .systemGreen, .systemBlue]
        let boxes = zip(colors, [40.0, 60, 20]).map { box($0, $1, 10 + $1 / 10) }
        let row = UIStackView(arrangedSubviews: boxes)
        row.axis = .horizontal
        row.distribution = distribution
        row.alignment = alignment
        row.spacing = spacing
        return row
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        column.axis = .vertical
        column.spacing = 10
        column.isLayoutMarginsRelativeArrangement = true
        column.layoutMargins = UIEdgeInsets(top: 8, left: 20, bottom: 8, right: 20)
        column.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(column)
        column.topAnchor.constraint(equalTo: view.topAnchor).isActive = true
        column.leadingAnchor.constraint(equalTo: view.leadingAnchor).isActive = true
        column.trailingAnchor.constraint(equalTo: view.trailingAnchor).isActive = true
        column.bottomAnchor.constraint(equalTo: view.bottomAnchor).isActive = true

        column.addArrangedSubview(row(.fillEqually, .fill))
        let words = UIStackView(arrangedSubviews: ["Proportional", "to", "content"].map { label($0) })
        words.distribution = .fillProportionally
        column.addArrangedSubview(words)
        column.addArrangedSubview(row(.equalSpacing, .bottom))
        column.addArrangedSubview(row(.equalSpacing, .top))
        column.addArrangedSubview(row(.equalCentering))

        let texts = UIStackView(arrangedSubviews: [label("Large", size: 28), label("small", size: 12)])
        texts.alignment = .firstBaseline
        texts.spacing = UIStackView.spacingUseSystem
        texts.addArrangedSubview(UIView())
        column.addArrangedSubview(texts)

        facts.axis = .vertical
        facts.alignment = .leading
        column.addArrangedSubview(facts)
        column.setCustomSpacing(24, after: texts)

        let button = UIButton(type: .system)
        button.setTitle("Details", for: .normal)
        button.addTarget(self, action: #selector(toggle), for: .touchUpInside)
        column.addArrangedSubview(button)
    }

    @objc private func toggle() {
        details.forEach { $0.isHidden.toggle() }
        UIView.animate(withDuration: 0.25) { self.view.layoutIfNeeded() }
    }

    func didReceive(_ notification: UNNotification) {
        facts.arrangedSubviews.forEach { $0.removeFromSuperview() }
        let info = notification.request.content.userInfo["facts"] as? [String] ?? []
        for text in info {
            facts.addArrangedSubview(label(text))
        }
        details = Array(facts.arrangedSubviews.dropFirst())
        details.forEach { $0.isHidden = true }
    }
}
