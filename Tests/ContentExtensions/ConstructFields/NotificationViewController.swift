// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// A bar above the keyboard, as an extension shows it by becoming the first responder.
final class ReplyBar: UIView {
    let field = UITextField()
    let button = UIButton(type: .system)

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        autoresizingMask = .flexibleHeight
        backgroundColor = .systemGroupedBackground
        field.placeholder = "Reply"
        field.borderStyle = .roundedRect
        field.returnKeyType = .send
        button.setTitle("Send", for: .normal)
        for subview in [field, button] as [UIView] {
            subview.translatesAutoresizingMaskIntoConstraints = false
            addSubview(subview)
        }
        button.setContentHuggingPriority(.required, for: .horizontal)
        NSLayoutConstraint.activate([
            field.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 12),
            field.centerYAnchor.constraint(equalTo: centerYAnchor),
            button.leadingAnchor.constraint(equalTo: field.trailingAnchor, constant: 12),
            button.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -12),
            button.firstBaselineAnchor.constraint(equalTo: field.firstBaselineAnchor),
        ])
    }

    override var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: 50) }
}

class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet weak var stack: UIStackView!
    @IBOutlet weak var nameField: UITextField!
    @IBOutlet weak var codeField: UITextField!
    @IBOutlet weak var result: UILabel!
    private lazy var bar = ReplyBar(frame: CGRect(x: 0, y: 0, width: 0, height: 50))

    override func viewDidLoad() {
        super.viewDidLoad()
        bar.field.delegate = self
        bar.button.addTarget(self, action: #selector(send), for: .touchUpInside)
    }

    override var canBecomeFirstResponder: Bool { true }
    override var inputAccessoryView: UIView? { bar }

    func didReceive(_ notification: UNNotification) {
        nameField.text = notification.request.content.title
        becomeFirstResponder()
    }

    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        if response.actionIdentifier == "reply" {
            becomeFirstResponder()
        } else {
            resignFirstResponder()
            result.text = isFirstResponder ? "still first" : "bar away"
        }
        return .doNotDismiss
    }

    @objc private func send() {
        result.text = "sent: \(bar.field.text ?? "")"
        bar.field.text = nil
        becomeFirstResponder()
    }

    @IBAction func editingBegan(_ sender: UITextField) { result.text = "began" }

    @IBAction func editingEnded(_ sender: UITextField) {
        result.text = "\(nameField.text ?? ""), \(codeField.text ?? "")"
    }
}

extension NotificationViewController: UITextFieldDelegate {
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool {
        guard textField === codeField else { return true }
        let length = (textField.text ?? "").utf16.count - range.length + string.utf16.count
        return length <= 4
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        textField.resignFirstResponder()
    }
}
