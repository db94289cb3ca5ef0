// SPDX-License-Identifier: Apache-2.0

import AVKit
import CoreLocation
import CoreMotion
import MapKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// Uses what has no effect in a page, or little: maps, motion, haptics, the pasteboard, and facts of the device.
class StandinsViewController: UIViewController, UNNotificationContentExtension {
    private let map = MKMapView()
    private let motion = CMMotionManager()
    private let lines = UILabel()
    private let feedback = UIImpactFeedbackGenerator(style: .medium)
    private lazy var film = AVPlayerViewController()

    override func viewDidLoad() {
        super.viewDidLoad()
        map.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: 120)
        map.autoresizingMask = .flexibleWidth
        map.isZoomEnabled = false
        map.isUserInteractionEnabled = false
        map.mapType = .standard
        view.addSubview(map)
        lines.frame = CGRect(x: 12, y: 130, width: view.bounds.width - 24, height: 130)
        lines.numberOfLines = 0
        lines.autoresizingMask = [.flexibleWidth]
        view.addSubview(lines)
        motion.deviceMotionUpdateInterval = 1 / 30
        if motion.isDeviceMotionAvailable {
            motion.startDeviceMotionUpdates(to: .main) { data, _ in
                guard let attitude = data?.attitude else { return }
                self.lines.transform = CGAffineTransform(translationX: CGFloat(attitude.roll), y: 0)
            }
        }
        addChild(film)
        film.view.frame = CGRect(x: 260, y: 200, width: 90, height: 60)
        film.showsPlaybackControls = false
        view.addSubview(film.view)
        film.didMove(toParent: self)
    }

    func didReceive(_ notification: UNNotification) {
        let info = notification.request.content.userInfo
        guard let latitude = info["lat"] as? Double, let longitude = info["lon"] as? Double else { return }
        let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        map.setRegion(
            MKCoordinateRegion(center: place, latitudinalMeters: 500, longitudinalMeters: 500),
            animated: false
        )
        let pin = MKPointAnnotation()
        pin.coordinate = place
        pin.title = notification.request.content.title
        map.addAnnotation(pin)
        feedback.prepare()
        feedback.impactOccurred()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
        UISelectionFeedbackGenerator().selectionChanged()
        UIPasteboard.general.string = "copied"
        let style = traitCollection.userInterfaceStyle == .dark ? "dark" : "light"
        let idiom = UIDevice.current.userInterfaceIdiom == .phone ? "phone" : "other"
        let direction = view.effectiveUserInterfaceLayoutDirection == .rightToLeft ? "right to left" : "left to right"
        lines.text = """
            \(style), \(idiom), \(direction)
            \(traitCollection.preferredContentSizeCategory == .large ? "large" : "another size")
            \(traitCollection.horizontalSizeClass == .compact ? "compact" : "regular")
            scale \(Int(traitCollection.displayScale)), \(map.annotations.count) pin
            \(UIPasteboard.general.string ?? "nothing copied")
            """
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard previousTraitCollection?.hasDifferentColorAppearance(comparedTo: traitCollection) == true else { return }
        lines.text = "changed"
    }
}
