// SPDX-License-Identifier: Apache-2.0

import UIKit

/// A list of which each entry is a view, for any type of entry.
class ListView<Entry>: UIStackView {
    private var makeText: (Entry) -> String = { "\($0)" }

    convenience init(_ makeText: @escaping (Entry) -> String) {
        self.init(frame: .zero)
        self.makeText = makeText
        axis = .vertical
        spacing = 2
    }

    func show(_ entries: [Entry]) {
        arrangedSubviews.forEach { $0.removeFromSuperview() }
        for entry in entries {
            let label = InsetLabel()
            label.text = makeText(entry)
            addArrangedSubview(label)
        }
    }
}

/// A label with room around its text.
class InsetLabel: UILabel {
    var insets = UIEdgeInsets(top: 4, left: 10, bottom: 4, right: 10)

    override func drawText(in rect: CGRect) {
        super.drawText(in: rect.inset(by: insets))
    }

    override var intrinsicContentSize: CGSize {
        let size = super.intrinsicContentSize
        return CGSize(width: size.width + insets.left + insets.right, height: size.height + insets.top + insets.bottom)
    }
}

class MiddleViewController: BaseViewController {
    override var spacing: CGFloat { super.spacing * 2 }

    @objc override func reset() {
        super.reset()
        // swift-format-ignore: NeverForceUnwrap
        heading.text! += ", middle reset"
    }
}

/// The last of three, which overrides some of what both others have.
final class OrderViewController: MiddleViewController {
    private let list = ListView<[String: Any]> { "\($0["count"] ?? 0) × \($0["name"] ?? "")" }

    override var buttonTitles: [String] { ["Repeat", "Reset"] }

    override func viewDidLoad() {
        super.viewDidLoad()
        stack.insertArrangedSubview(list, at: 1)
        (stack.arrangedSubviews.last as? UIButton)?.removeTarget(nil, action: nil, for: .touchUpInside)
        (stack.arrangedSubviews.last as? UIButton)?.addTarget(self, action: #selector(reset), for: .touchUpInside)
    }

    override func show(_ userInfo: [AnyHashable: Any]) {
        list.show(userInfo["items"] as? [[String: Any]] ?? [])
    }

    override func buttonTapped(_ sender: UIButton) {
        super.buttonTapped(sender)
        heading.text = heading.text.map { $0 + ", order" }
    }
}
