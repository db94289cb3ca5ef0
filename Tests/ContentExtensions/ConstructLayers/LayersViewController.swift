// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Looks that layers have, transforms, and views that move.
class LayersViewController: UIViewController, UNNotificationContentExtension {
    private let card = UIView(frame: CGRect(x: 10, y: 10, width: 100, height: 80))
    private let top = UIView(frame: CGRect(x: 120, y: 10, width: 100, height: 80))
    private let sky = UIView(frame: CGRect(x: 230, y: 10, width: 100, height: 80))
    private let ring = UIView(frame: CGRect(x: 10, y: 100, width: 80, height: 80))
    private let turned = UILabel(frame: CGRect(x: 120, y: 120, width: 100, height: 30))
    private let blur = UIVisualEffectView(effect: UIBlurEffect(style: .systemMaterial))
    private let moving = UIView(frame: CGRect(x: 10, y: 200, width: 40, height: 20))
    private let gradient = CAGradientLayer()
    private let circle = CAShapeLayer()
    private let status = UILabel(frame: CGRect(x: 10, y: 230, width: 200, height: 21))

    override func viewDidLoad() {
        super.viewDidLoad()
        card.backgroundColor = .white
        card.layer.cornerRadius = 12
        card.layer.shadowColor = UIColor.black.cgColor
        card.layer.shadowOpacity = 0.3
        card.layer.shadowOffset = CGSize(width: 0, height: 4)
        card.layer.shadowRadius = 6
        top.backgroundColor = .systemOrange
        top.layer.cornerRadius = 20
        top.layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMinYCorner]
        top.layer.borderColor = UIColor.brown.cgColor
        top.layer.borderWidth = 2
        top.layer.opacity = 0.5
        gradient.colors = [UIColor.cyan.cgColor, UIColor.blue.cgColor]
        gradient.startPoint = CGPoint(x: 0, y: 0.5)
        gradient.endPoint = CGPoint(x: 1, y: 0.5)
        gradient.frame = sky.bounds
        sky.layer.insertSublayer(gradient, at: 0)
        circle.path = UIBezierPath(ovalIn: ring.bounds.insetBy(dx: 5, dy: 5)).cgPath
        circle.fillColor = UIColor.clear.cgColor
        circle.strokeColor = UIColor.systemGreen.cgColor
        circle.lineWidth = 6
        circle.strokeEnd = 0.75
        ring.layer.addSublayer(circle)
        turned.text = "Turned"
        turned.textAlignment = .center
        turned.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2)
        blur.frame = CGRect(x: 230, y: 100, width: 100, height: 80)
        let label = UILabel(frame: blur.bounds)
        label.text = "Blur"
        blur.contentView.addSubview(label)
        moving.backgroundColor = .systemPink
        moving.alpha = 0.5
        [card, top, sky, ring, turned, blur, moving, status].forEach(view.addSubview)
        let tap = UITapGestureRecognizer(target: self, action: #selector(move))
        moving.addGestureRecognizer(tap)
        moving.accessibilityLabel = "Move"
        ring.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(spin)))
        ring.accessibilityLabel = "Spin"
    }

    @objc private func move() {
        UIView.animate(
            withDuration: 0.3,
            delay: 0,
            options: [.curveEaseInOut, .beginFromCurrentState],
            animations: {
                self.moving.frame.origin.x = 200
                self.moving.alpha = 1
                self.moving.backgroundColor = .systemIndigo
            },
            completion: { finished in self.status.text = finished ? "moved" : "stopped" }
        )
    }

    @objc private func spin() {
        let animation = CABasicAnimation(keyPath: "transform.rotation.z")
        animation.toValue = NSNumber(value: Double.pi * 2)
        animation.duration = 0.1
        animation.repeatCount = 1
        ring.layer.add(animation, forKey: "spin")
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        circle.strokeEnd = 1
        CATransaction.commit()
        UIView.transition(with: turned, duration: 0.2, options: .transitionCrossDissolve) {
            self.turned.text = "Round"
        }
        UIView.performWithoutAnimation { top.layer.opacity = 1 }
        status.text = ring.layer.animationKeys()?.joined()
    }

    func didReceive(_ notification: UNNotification) {}
}
