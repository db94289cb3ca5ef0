// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Taps and presses on views that are no controls.
class GesturesViewController: UIViewController, UNNotificationContentExtension, UIGestureRecognizerDelegate {
    private let card = UIView(frame: CGRect(x: 16, y: 16, width: 150, height: 100))
    private let picture = UIImageView(frame: CGRect(x: 190, y: 16, width: 150, height: 100))
    private let caption = UILabel(frame: CGRect(x: 16, y: 130, width: 328, height: 24))
    private let dead = UILabel(frame: CGRect(x: 16, y: 160, width: 328, height: 24))
    private var tapCount = 0
    private var swipes: [UISwipeGestureRecognizer] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        card.backgroundColor = .systemYellow
        card.accessibilityLabel = "Card"
        card.isAccessibilityElement = true
        picture.image = UIImage(systemName: "star.fill")
        picture.contentMode = .scaleAspectFit
        picture.tintColor = .systemYellow
        picture.isUserInteractionEnabled = true
        picture.accessibilityLabel = "Star"
        caption.text = "Tap something"
        dead.text = "Not this"
        [card, picture, caption, dead].forEach(view.addSubview)

        card.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(cardTapped(_:))))
        let hold = UILongPressGestureRecognizer(target: self, action: #selector(held))
        hold.minimumPressDuration = 0.8
        card.addGestureRecognizer(hold)

        let tap = UITapGestureRecognizer()
        tap.addTarget(self, action: #selector(starTapped))
        tap.numberOfTapsRequired = 1
        tap.delegate = self
        picture.addGestureRecognizer(tap)

        caption.isUserInteractionEnabled = true
        let captionTap = UITapGestureRecognizer(target: self, action: #selector(cardTapped(_:)))
        captionTap.isEnabled = false
        caption.addGestureRecognizer(captionTap)
        // A label takes no touches until code says so.
        dead.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(cardTapped(_:))))
    }

    @objc func cardTapped(_ recognizer: UITapGestureRecognizer) {
        tapCount += 1
        recognizer.view?.backgroundColor = tapCount % 2 == 1 ? .systemGreen : .systemYellow
        caption.text = "Card \(tapCount), \(recognizer.state == .ended ? "ended" : "other")"
    }

    @objc func held(_ recognizer: UILongPressGestureRecognizer) {
        if recognizer.state == .began { caption.text = "Held" }
    }

    @objc func starTapped() { caption.text = "Star" }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        gestureRecognizer.view === picture
    }

    func didReceive(_ notification: UNNotification) {}
}
