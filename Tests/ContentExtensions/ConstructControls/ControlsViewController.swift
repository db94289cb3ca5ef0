// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// Every control in its own size, each of which says what became of it.
class ControlsViewController: UIViewController, UNNotificationContentExtension, UITextFieldDelegate {
    private let report = UILabel()
    private let slider = UISlider()
    private let toggle = UISwitch()
    private let stepper = UIStepper()
    private let segments = UISegmentedControl(items: ["Small", "Medium", "Large"])
    private let pages = UIPageControl()
    private let progress = UIProgressView(progressViewStyle: .default)
    private let picker = UIDatePicker()
    private let field = UITextField()
    private let notes = UITextView()
    private let send = UIButton(type: .system)

    override func viewDidLoad() {
        super.viewDidLoad()
        slider.minimumValue = 0
        slider.maximumValue = 10
        slider.setValue(2.5, animated: false)
        slider.accessibilityLabel = "Volume"
        slider.minimumTrackTintColor = .systemOrange
        toggle.isOn = true
        toggle.onTintColor = .systemPurple
        toggle.accessibilityLabel = "Remind me"
        stepper.maximumValue = 5
        stepper.stepValue = 2
        stepper.accessibilityLabel = "Guests"
        segments.selectedSegmentIndex = 1
        segments.accessibilityLabel = "Size"
        pages.numberOfPages = 4
        pages.currentPage = 1
        progress.setProgress(0.25, animated: false)
        picker.datePickerMode = .dateAndTime
        picker.timeZone = TimeZone(secondsFromGMT: 0)
        picker.date = Date(timeIntervalSince1970: 1_700_000_000)
        picker.accessibilityLabel = "When"
        field.placeholder = "Your answer"
        field.borderStyle = .roundedRect
        field.delegate = self
        notes.text = "Some notes"
        notes.font = .systemFont(ofSize: 14)
        notes.accessibilityLabel = "Notes"
        send.setTitle("Send", for: .normal)
        send.setTitle("Sending…", for: .disabled)
        report.text = "Nothing yet"

        slider.addTarget(self, action: #selector(changed(_:)), for: .valueChanged)
        for control in [toggle, stepper, segments, pages, picker] as [UIControl] {
            control.addTarget(self, action: #selector(changed(_:)), for: .valueChanged)
        }
        field.addTarget(self, action: #selector(edited), for: .editingChanged)
        send.addTarget(self, action: #selector(sendTapped(_:)), for: .touchUpInside)

        var y: CGFloat = 8
        let rows: [UIView] = [slider, toggle, stepper, segments, pages, progress, picker, field]
        for control in rows {
            control.sizeToFit()
            control.frame.origin = CGPoint(x: 16, y: y)
            if control is UISlider || control is UIProgressView || control is UITextField {
                control.frame.size.width = 200
            }
            view.addSubview(control)
            y = control.frame.maxY + 8
        }
        notes.frame = CGRect(x: 16, y: y, width: 200, height: 60)
        send.frame = CGRect(x: 230, y: 8, width: 100, height: 44)
        report.frame = CGRect(x: 16, y: notes.frame.maxY + 8, width: 328, height: 22)
        [notes, send, report].forEach(view.addSubview(_:))
        preferredContentSize = CGSize(width: 0, height: report.frame.maxY + 8)
    }

    @objc private func changed(_ sender: UIControl) {
        switch sender {
        case let slider as UISlider:
            progress.progress = slider.value / slider.maximumValue
            report.text = String(format: "slider %.2f", slider.value)
        case let toggle as UISwitch: report.text = "switch \(toggle.isOn ? "on" : "off")"
        case let stepper as UIStepper: report.text = "stepper \(stepper.value)"
        case let segments as UISegmentedControl:
            report.text = segments.titleForSegment(at: segments.selectedSegmentIndex)
        case let pages as UIPageControl: report.text = "page \(pages.currentPage)"
        case let picker as UIDatePicker: report.text = "date \(Int(picker.date.timeIntervalSince1970))"
        default: break
        }
    }

    @objc private func edited() { report.text = "editing \(field.text ?? "")" }

    @objc private func sendTapped(_ sender: UIButton) {
        sender.isEnabled = false
        // swift-format-ignore: NeverForceUnwrap
        report.text = "sent \(field.text!) with \(notes.text!)"
    }

    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool {
        string.rangeOfCharacter(from: .decimalDigits) == nil
    }

    func didReceive(_ notification: UNNotification) {}
}
