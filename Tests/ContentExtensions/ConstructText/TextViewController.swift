// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Texts of every look: fonts, attributes, alignments, truncation, shrinking, and a view of long text.
class TextViewController: UIViewController, UNNotificationContentExtension {
    private let column = UIStackView()

    private func add(_ text: String? = nil, _ look: (UILabel) -> Void) {
        let label = UILabel()
        label.text = text
        look(label)
        column.addArrangedSubview(label)
    }

    private var price: NSAttributedString {
        let text = NSMutableAttributedString(string: "Now $40 ", attributes: [.font: UIFont.boldSystemFont(ofSize: 18)])
        text.append(
            NSAttributedString(
                string: "$60",
                attributes: [
                    .font: UIFont.systemFont(ofSize: 14), .foregroundColor: UIColor.systemGray,
                    .strikethroughStyle: NSUnderlineStyle.single.rawValue,
                ]
            )
        )
        text.addAttribute(.foregroundColor, value: UIColor.systemRed, range: NSRange(location: 4, length: 3))
        text.addAttributes(
            [.underlineStyle: NSUnderlineStyle.single.rawValue, .kern: 1.0],
            range: (text.string as NSString).range(of: "Now")
        )
        return text
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        column.axis = .vertical
        column.spacing = 4
        column.frame = view.bounds.insetBy(dx: 10, dy: 10)
        column.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(column)
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(equalTo: view.topAnchor, constant: 10),
            column.leftAnchor.constraint(equalTo: view.leftAnchor, constant: 10),
            column.rightAnchor.constraint(equalTo: view.rightAnchor, constant: -10),
            view.bottomAnchor.constraint(equalTo: column.bottomAnchor, constant: 10),
        ])
        add("Title 1") { $0.font = .preferredFont(forTextStyle: .title1) }
        add("Caption 2, light") { label in
            let descriptor = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .caption2)
            label.font = UIFont(descriptor: descriptor, size: 0)
            label.textColor = .lightText
            label.backgroundColor = .darkGray
        }
        add("Helvetica in italics") {
            $0.font = UIFont(name: "Helvetica-Oblique", size: 16) ?? .italicSystemFont(ofSize: 16)
        }
        add("0123456789") { $0.font = .monospacedDigitSystemFont(ofSize: 15, weight: .medium) }
        add { $0.attributedText = price }
        add("A line that is too long for the width it has, and loses its tail there") { _ in }
        add("A line that is too long for the width it has, and loses its head") { $0.lineBreakMode = .byTruncatingHead }
        add("A line that is too long, and loses something in its very middle") {
            $0.lineBreakMode = .byTruncatingMiddle
        }
        add("A line that becomes smaller so that all of it can be read") { label in
            label.adjustsFontSizeToFitWidth = true
            label.minimumScaleFactor = 0.5
        }
        add("Two lines\nand a third that is too much\nfor the label") { label in
            label.numberOfLines = 2
            label.textAlignment = .right
        }
        let style = NSMutableParagraphStyle()
        style.alignment = .center
        style.lineSpacing = 0
        add { label in
            label.numberOfLines = 0
            label.attributedText = NSAttributedString(
                string: "A paragraph in the middle\nof two lines",
                attributes: [.paragraphStyle: style, .backgroundColor: UIColor.yellow, .foregroundColor: UIColor.black]
            )
        }
        add("Grey") { $0.isEnabled = false }
        add("Highlighted") { label in
            label.highlightedTextColor = .magenta
            label.isHighlighted = true
        }
        let notes = UITextView()
        notes.isEditable = false
        notes.isScrollEnabled = false
        notes.textContainerInset = UIEdgeInsets(top: 4, left: 0, bottom: 4, right: 0)
        notes.font = .systemFont(ofSize: 13)
        notes.text = "A text view without scrolling is as high as its text, which goes on in as many lines as it needs."
        notes.dataDetectorTypes = .link
        column.addArrangedSubview(notes)
    }

    func didReceive(_ notification: UNNotification) {}
}
