// SPDX-License-Identifier: Apache-2.0

import Foundation
import UIKit
import UserNotificationsUI

/// A controller of a photo that a person likes: buttons, a slider, a heart that fades in.
final class LikeController: UIViewController, UNNotificationContentExtension {
    let caption = UILabel()
    let heart = UIView()
    let opacity = UISlider()
    let wifi = UISwitch()
    let sizes = UISegmentedControl(items: ["Small", "Large"])
    private(set) var life: [String] = []
    var endsAtOnce = false
    /// Texts that come from elsewhere, such as a network.
    let texts: AsyncStream<String>
    var buttons: [(String, @MainActor (LikeController) -> Void)]
    var decide:
        (
            LikeController, UNNotificationResponse,
            @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
        )
            -> Void = { $2(.dismissAndForwardAction) }
    var mediaPlayPauseButtonType = UNNotificationContentExtensionMediaPlayPauseButtonType.none

    init(
        texts: AsyncStream<String> = AsyncStream { $0.finish() },
        _ buttons: [(String, @MainActor (LikeController) -> Void)] = []
    ) {
        self.texts = texts
        self.buttons = buttons
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        heart.accessibilityLabel = "heart"
        heart.backgroundColor = .red
        heart.alpha = 0.1
        opacity.accessibilityLabel = "Opacity"
        opacity.addAction(
            UIAction { [weak self] _ in self?.heart.alpha = CGFloat(self?.opacity.value ?? 0) },
            for: .valueChanged
        )
        var place = 0.0
        let made = buttons.map { title, act in
            let button = UIButton(type: .system)
            button.setTitle(title, for: .normal)
            button.addAction(
                UIAction { [weak self] _ in if let self { act(self) } },
                for: .touchUpInside
            )
            return button
        }
        for shown in [caption, heart, opacity, wifi, sizes] + made {
            shown.frame = CGRect(x: 0, y: place, width: 200, height: 30)
            place += 30
            view.addSubview(shown)
        }
        preferredContentSize = CGSize(width: 0, height: place)
    }

    override func viewDidAppear(_ animated: Bool) { life.append("didAppear") }
    override func viewDidDisappear(_ animated: Bool) { life.append("didDisappear") }

    func didReceive(_ notification: UNNotification) {
        life.append("receive")
        if endsAtOnce { extensionContext?.dismissNotificationContentExtension() }
        caption.text = notification.request.content.title
        Task { for await text in texts { caption.text = text } }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        decide(self, response, completion)
    }

    func mediaPlay() { extensionContext?.mediaPlayingStarted() }
    func mediaPause() { extensionContext?.mediaPlayingPaused() }

    /// Fades the heart in, in 0.3 s, and says so then.
    func fadeIn() {
        UIView.animate(withDuration: 0.3) {
            self.heart.alpha = 1
        } completion: { _ in
            self.caption.text = "liked"
        }
    }
}
