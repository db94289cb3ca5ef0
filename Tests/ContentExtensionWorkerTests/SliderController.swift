// SPDX-License-Identifier: Apache-2.0

import Foundation
import UIKit
import UserNotificationsUI

/// A controller as the design's sample has it, in code: a label, a picture's place, and a slider that sets its opacity.
final class SliderController: UIViewController, UNNotificationContentExtension {
    let label = UILabel()
    let picture = UIView()
    let slider = UISlider()
    private(set) var life: [String] = []
    var decide:
        (UNNotificationResponse, @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void)
            -> Void = { $1(.dismissAndForwardAction) }
    var mediaPlayPauseButtonType = UNNotificationContentExtensionMediaPlayPauseButtonType.none
    var mediaPlayPauseButtonFrame = CGRect(x: 10, y: 20, width: 44, height: 44)

    override func viewDidLoad() {
        super.viewDidLoad()
        life.append("load")
        picture.backgroundColor = .red
        slider.value = 1
        slider.addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                picture.alpha = CGFloat(slider.value)
            },
            for: .valueChanged
        )
        for view in [label, picture, slider] {
            view.translatesAutoresizingMaskIntoConstraints = false
            self.view.addSubview(view)
        }
        NSLayoutConstraint.activate([
            label.topAnchor.constraint(equalTo: view.topAnchor, constant: 10),
            label.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            picture.topAnchor.constraint(equalTo: label.bottomAnchor, constant: 10),
            picture.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            picture.widthAnchor.constraint(equalToConstant: 200),
            picture.heightAnchor.constraint(equalToConstant: 100),
            slider.topAnchor.constraint(equalTo: picture.bottomAnchor, constant: 10),
            slider.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            slider.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -16),
            slider.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -10),
        ])
    }

    override func viewWillAppear(_ animated: Bool) { life.append("willAppear") }
    override func viewDidAppear(_ animated: Bool) { life.append("didAppear") }
    override func viewWillDisappear(_ animated: Bool) { life.append("willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { life.append("didDisappear") }
    override func viewDidLayoutSubviews() { if life.last != "layout" { life.append("layout") } }

    func didReceive(_ notification: UNNotification) {
        life.append("receive")
        label.text = notification.request.content.title
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        decide(response, completion)
    }

    func mediaPlay() { extensionContext?.mediaPlayingStarted() }
    func mediaPause() { extensionContext?.mediaPlayingPaused() }
}
