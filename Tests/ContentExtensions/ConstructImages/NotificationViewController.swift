// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Pictures and colours by name, by literal, by file and by symbol.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet var storyboardImage: UIImageView!
    @IBOutlet var captionLabel: UILabel!

    private let pictures: [(String, UIImage?)] = [
        ("badge", UIImage(named: "Badge")),
        ("weather", #imageLiteral(resourceName: "Weather")),
        ("arrow", UIImage(named: "Icons/Arrow")),
        ("loose", UIImage(named: "loose.png")),
        ("bell", UIImage(systemName: "bell")),
        ("missing", UIImage(named: "Missing")),
    ]

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = #colorLiteral(red: 0.9, green: 0.95, blue: 1, alpha: 1)
        var x: CGFloat = 8
        for (name, picture) in pictures {
            let imageView = UIImageView(image: picture)
            imageView.accessibilityLabel = name
            imageView.frame.origin = CGPoint(x: x, y: 8)
            view.addSubview(imageView)
            x = imageView.frame.maxX + 8
        }
        if let url = Bundle.main.url(forResource: "loose@2x", withExtension: "png"),
            let data = try? Data(contentsOf: url), let image = UIImage(data: data, scale: 4)
        {
            let imageView = UIImageView(frame: CGRect(origin: CGPoint(x: x, y: 8), size: image.size))
            imageView.image = image
            imageView.accessibilityLabel = "data"
            imageView.contentMode = .center
            view.addSubview(imageView)
        }
        let path = Bundle.main.path(forResource: "loose", ofType: "png") ?? ""
        storyboardImage.highlightedImage = UIImage(contentsOfFile: path)
        captionLabel.textColor = UIColor(named: "Brand")
    }

    func didReceive(_ notification: UNNotification) {
        let sizes = pictures.map { name, picture in
            picture.map { "\(name) \(Int($0.size.width))×\(Int($0.size.height))" } ?? "no \(name)"
        }
        captionLabel.text = sizes.dropLast(2).joined(separator: ", ") + ", " + (sizes.last ?? "")
    }
}
