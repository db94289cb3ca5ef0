// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Fetches a picture and a text, neither of which can be reached, and shows what stands for them.
class NetworkViewController: UIViewController, UNNotificationContentExtension {
    let imageView = UIImageView()
    let caption = UILabel()
    let failure = UILabel()
    let spinner = UIActivityIndicatorView(style: .medium)

    override func viewDidLoad() {
        super.viewDidLoad()
        imageView.contentMode = .scaleAspectFit
        imageView.backgroundColor = .tertiarySystemFill
        spinner.hidesWhenStopped = true
        caption.textAlignment = .center
        failure.textAlignment = .center
        failure.textColor = .systemRed
        failure.font = .preferredFont(forTextStyle: .footnote)
        for subview in [imageView, spinner, caption, failure] {
            subview.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(subview)
        }
        NSLayoutConstraint.activate([
            imageView.topAnchor.constraint(equalTo: view.topAnchor),
            imageView.widthAnchor.constraint(equalTo: view.widthAnchor),
            imageView.heightAnchor.constraint(equalTo: imageView.widthAnchor, multiplier: 1 / 4),
            spinner.centerXAnchor.constraint(equalTo: imageView.centerXAnchor),
            spinner.centerYAnchor.constraint(equalTo: imageView.centerYAnchor),
            caption.topAnchor.constraint(equalTo: imageView.bottomAnchor, constant: 8),
            caption.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            failure.topAnchor.constraint(equalTo: caption.bottomAnchor, constant: 4),
            failure.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            failure.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -8),
        ])
    }

    private var url: URL?

    func didReceive(_ notification: UNNotification) {
        let info = notification.request.content.userInfo
        caption.text = notification.request.content.body
        guard let address = info["image"] as? String, let url = URL(string: address) else { return }
        self.url = url
        spinner.startAnimating()
        if let data = try? Data(contentsOf: url), let image = UIImage(data: data) {
            imageView.image = image
            spinner.stopAnimating()
        } else {
            caption.text = "No picture"
        }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        guard let url = url, response.actionIdentifier == "retry" else { return completion(.dismissAndForwardAction) }
        var request = URLRequest(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 3)
        request.setValue("image/png", forHTTPHeaderField: "Accept")
        let task = URLSession.shared.dataTask(with: request) { [weak self] data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode
            DispatchQueue.main.async { [weak self] in
                self?.spinner.stopAnimating()
                if let data = data, let image = UIImage(data: data) {
                    self?.imageView.image = image
                } else if let error = error as? URLError {
                    self?.failure.text = error.code == .cancelled ? "Cancelled" : "It could not be loaded."
                } else {
                    self?.failure.text = "Status \(status ?? 0)"
                }
                completion(.doNotDismiss)
            }
        }
        task.resume()
    }
}
