// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Every element of Xcode's library that a notification's view can have, from the storyboard.
class NotificationViewController: UIViewController, UNNotificationContentExtension, UITextViewDelegate {
    @IBOutlet weak var segments: UISegmentedControl!
    @IBOutlet weak var slider: UISlider!
    @IBOutlet weak var progress: UIProgressView!
    @IBOutlet weak var spinner: UIActivityIndicatorView!
    @IBOutlet weak var pages: UIPageControl!
    @IBOutlet weak var stepper: UIStepper!
    @IBOutlet weak var toggle: UISwitch!
    @IBOutlet weak var notes: UITextView!
    @IBOutlet weak var picker: UIDatePicker!
    @IBOutlet weak var blur: UIVisualEffectView!
    @IBOutlet weak var scroll: UIScrollView!
    @IBOutlet weak var report: UILabel!
    @IBOutlet var holdRecognizer: UILongPressGestureRecognizer!

    func didReceive(_ notification: UNNotification) {
        report.text = "\(segments.numberOfSegments) segments, \(slider.maximumValue), \(stepper.stepValue)"
        spinner.startAnimating()
    }

    @IBAction func segmentChanged(_ sender: UISegmentedControl) {
        report.text = sender.titleForSegment(at: sender.selectedSegmentIndex)
        pages.currentPage = sender.selectedSegmentIndex
    }

    @IBAction func sliderChanged(_ sender: UISlider) { progress.setProgress(sender.value / 100, animated: true) }
    @IBAction func stepped(_ sender: UIStepper) { report.text = String(format: "%.1f", sender.value) }
    @IBAction func toggled(_ sender: UISwitch) { sender.isOn ? spinner.startAnimating() : spinner.stopAnimating() }
    @IBAction func picked(_ sender: UIDatePicker) { report.text = "picked" }
    @IBAction func held(_ sender: UILongPressGestureRecognizer) { report.text = "held \(sender.minimumPressDuration)" }

    func textViewDidChange(_ textView: UITextView) { report.text = "\(textView.text.count) letters" }
}
