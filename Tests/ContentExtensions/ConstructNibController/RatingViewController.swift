// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A main class whose view is that of the xib of its name.
class RatingViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet private weak var questionLabel: UILabel!
    @IBOutlet private weak var placeholderView: UIView!
    @IBOutlet private var scoreButtons: [UIButton]!
    private var padView: PadView?

    override func viewDidLoad() {
        super.viewDidLoad()
        scoreButtons.forEach { $0.layer.cornerRadius = 6 }
        let details = DetailViewController(nibName: "DetailViewController", bundle: nil)
        addChild(details)
        details.view.frame = placeholderView.bounds
        details.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        placeholderView.addSubview(details.view)
        details.didMove(toParent: self)
        details.text = "From \(details.nibName ?? "no xib")"
    }

    func didReceive(_ notification: UNNotification) {
        questionLabel.text = notification.request.content.body
    }

    @IBAction private func scored(_ sender: UIButton) {
        questionLabel.text = "Score \(scoreButtons.firstIndex(of: sender).map { $0 + 1 } ?? 0)"
    }

    // MARK: A keyboard of its own

    override var canBecomeFirstResponder: Bool { true }

    override var inputView: UIView? {
        if padView == nil {
            let pad = PadView(frame: CGRect(x: 0, y: 0, width: 320, height: 60))
            pad.onKey = { [weak self] key in self?.questionLabel.text = "Key \(key)" }
            padView = pad
        }
        return padView
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        if response.actionIdentifier == "keys" { becomeFirstResponder() } else { resignFirstResponder() }
        completion(.doNotDismiss)
    }
}

/// The keys in the place of a keyboard.
final class PadView: UIView {
    var onKey: ((Int) -> Void)?

    override init(frame: CGRect) {
        super.init(frame: frame)
        let keys = UIStackView()
        keys.distribution = .fillEqually
        keys.frame = bounds
        keys.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        for number in 1...3 {
            let key = UIButton(type: .system)
            key.setTitle("Key \(number)", for: .normal)
            key.tag = number
            key.addTarget(self, action: #selector(pressed), for: .touchUpInside)
            keys.addArrangedSubview(key)
        }
        addSubview(keys)
    }

    required init?(coder: NSCoder) { nil }

    @objc private func pressed(_ sender: UIButton) { onKey?(sender.tag) }
}
