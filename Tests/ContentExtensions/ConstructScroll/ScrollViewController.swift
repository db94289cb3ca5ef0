// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Scroll views: one by constraints with its guides, one by frames that pages through cards, and one around a text.
class ScrollViewController: UIViewController, UNNotificationContentExtension, UIScrollViewDelegate {
    private let strip = UIScrollView()
    private let content = UIStackView()
    private let pager = UIScrollView(frame: CGRect(x: 0, y: 0, width: 360, height: 80))
    private let pages = UIPageControl()
    private let notes = UITextView()
    private var colors: [UIColor] = [.red, .green, .blue]

    override func viewDidLoad() {
        super.viewDidLoad()
        pager.frame.size.width = view.bounds.width
        pager.autoresizingMask = .flexibleWidth
        pager.isPagingEnabled = true
        pager.showsHorizontalScrollIndicator = false
        pager.delegate = self
        view.addSubview(pager)
        for (index, color) in colors.enumerated() {
            let card = UIView(frame: pager.bounds)
            card.frame.origin.x = CGFloat(index) * pager.bounds.width
            card.backgroundColor = color
            let number = UILabel(frame: card.bounds)
            number.text = "Card \(index + 1)"
            number.textAlignment = .center
            card.addSubview(number)
            pager.addSubview(card)
        }
        pager.contentSize = CGSize(width: pager.bounds.width * CGFloat(colors.count), height: pager.bounds.height)
        pages.numberOfPages = colors.count
        pages.isUserInteractionEnabled = false
        pages.sizeToFit()
        pages.center = CGPoint(x: view.bounds.midX, y: 70)
        view.addSubview(pages)

        strip.translatesAutoresizingMaskIntoConstraints = false
        strip.contentInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 16)
        strip.alwaysBounceHorizontal = true
        view.addSubview(strip)
        content.spacing = 12
        content.translatesAutoresizingMaskIntoConstraints = false
        strip.addSubview(content)
        notes.text = (1...12).map { "Line \($0)" }.joined(separator: "\n")
        notes.font = .systemFont(ofSize: 14)
        notes.isEditable = false
        notes.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(notes)
        NSLayoutConstraint.activate([
            strip.topAnchor.constraint(equalTo: view.topAnchor, constant: 90),
            strip.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            strip.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            strip.heightAnchor.constraint(equalToConstant: 44),
            content.topAnchor.constraint(equalTo: strip.contentLayoutGuide.topAnchor),
            content.bottomAnchor.constraint(equalTo: strip.contentLayoutGuide.bottomAnchor),
            content.leadingAnchor.constraint(equalTo: strip.contentLayoutGuide.leadingAnchor),
            content.trailingAnchor.constraint(equalTo: strip.contentLayoutGuide.trailingAnchor),
            content.heightAnchor.constraint(equalTo: strip.frameLayoutGuide.heightAnchor),
            notes.topAnchor.constraint(equalTo: strip.bottomAnchor, constant: 8),
            notes.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            notes.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
            notes.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        ])
        view.layoutMargins = UIEdgeInsets(top: 0, left: 20, bottom: 0, right: 20)
    }

    func didReceive(_ notification: UNNotification) {
        let words = notification.request.content.userInfo["tags"] as? [String] ?? []
        for word in words {
            let label = UILabel()
            label.text = word
            label.font = .systemFont(ofSize: 20)
            content.addArrangedSubview(label)
        }
        pager.setContentOffset(CGPoint(x: pager.bounds.width, y: 0), animated: false)
        view.layoutIfNeeded()
        pages.currentPage = Int(pager.contentOffset.x / pager.bounds.width)
        strip.accessibilityLabel = "\(Int(strip.contentSize.width)) wide"
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        pages.currentPage = Int(round(scrollView.contentOffset.x / scrollView.bounds.width))
    }
}
