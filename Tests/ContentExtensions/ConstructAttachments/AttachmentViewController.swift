// SPDX-License-Identifier: Apache-2.0

import UIKit
import UniformTypeIdentifiers
import UserNotifications
import UserNotificationsUI

/// Shows the first picture that came with the notification, or a placeholder of its bundle.
class AttachmentViewController: UIViewController, UNNotificationContentExtension {
    private let imageView = UIImageView()
    private let names = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        imageView.contentMode = .scaleAspectFill
        imageView.clipsToBounds = true
        names.numberOfLines = 0
        names.textAlignment = .center
        [imageView, names].forEach {
            $0.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview($0)
        }
        NSLayoutConstraint.activate([
            imageView.topAnchor.constraint(equalTo: view.topAnchor),
            imageView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            imageView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            imageView.heightAnchor.constraint(equalTo: view.widthAnchor, multiplier: 9 / 16),
            names.topAnchor.constraint(equalTo: imageView.bottomAnchor, constant: 8),
            names.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            names.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -16),
            names.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -8),
        ])
    }

    func didReceive(_ notification: UNNotification) {
        let attachments = notification.request.content.attachments
        names.text =
            attachments.isEmpty
            ? "No attachments" : attachments.map { "\($0.identifier) \(type(of: $0.type))" }.joined(separator: "\n")
        guard let attachment = attachments.first(where: { $0.type == UTType.png.identifier }) ?? own else { return }
        if attachment.url.startAccessingSecurityScopedResource() {
            defer { attachment.url.stopAccessingSecurityScopedResource() }
            if let data = try? Data(contentsOf: attachment.url) {
                imageView.image = UIImage(data: data)
            }
        } else if let image = UIImage(contentsOfFile: attachment.url.path) {
            imageView.image = image
            names.text? += " in scope"
        }
    }

    /// An attachment that the extension makes of a picture in its bundle.
    private var own: UNNotificationAttachment? {
        guard let url = Bundle.main.url(forResource: "placeholder", withExtension: "png") else { return nil }
        let copy = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("placeholder.png")
        do {
            try FileManager.default.copyItem(at: url, to: copy)
            return try UNNotificationAttachment(identifier: "own", url: copy, options: nil)
        } catch {
            names.text = error.localizedDescription
            return nil
        }
    }
}
