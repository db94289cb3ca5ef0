// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

extension Notification.Name {
    static let somethingHappened = Notification.Name("SomethingHappened")
}

/// Hears by every way that names a method by its selector.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet private var log: UILabel!
    @IBOutlet private var buttons: [UIButton]!
    private var lines: [String] = []
    private var timer: Timer?

    private func add(_ line: String) {
        lines.append(line)
        log.text = lines.suffix(4).joined(separator: "\n")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        addButton("Code", at: 100, target: self, action: #selector(tapped(_:forEvent:)))
        addButton("Nobody", at: 140, target: nil, action: #selector(upTheChain(_:)))
        addButton("Perform", at: 180, target: self, action: #selector(NotificationViewController.runPerform))
        addButton("Post", at: 220, target: self, action: #selector(post(sender:)))
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(heard(_:)),
            name: .somethingHappened,
            object: nil
        )
        timer = Timer.scheduledTimer(
            timeInterval: 60,
            target: self,
            selector: #selector(fired(timer:)),
            userInfo: ["name": "minute"],
            repeats: false
        )
    }

    private func addButton(_ title: String, at y: CGFloat, target: Any?, action: Selector) {
        let button = UIButton(type: .system)
        button.frame = CGRect(x: 180, y: y, width: 140, height: 30)
        button.setTitle(title, for: .normal)
        button.addTarget(target, action: action, for: .touchUpInside)
        view.addSubview(button)
    }

    func didReceive(_ notification: UNNotification) {
        lines = []
        add("\(notification.request.content.title): \(buttons.compactMap { $0.currentTitle }.joined(separator: "+"))")
        timer?.fire()
    }

    // MARK: Actions of the storyboard

    @IBAction func plain() { add("plain") }
    @IBAction func withSender(_ sender: UIButton) { add("sender \(sender.currentTitle ?? "")") }
    @IBAction func withSender(_ sender: Any, event: UIEvent) { add("event \((sender as? UIButton)?.tag ?? -1)") }
    @IBAction func upTheChain(_ sender: AnyObject?) { add("chain \((sender as? UIButton)?.title(for: .normal) ?? "")") }

    // MARK: Actions of the code

    @objc private func tapped(_ sender: UIButton, forEvent event: UIEvent) {
        add("code \(sender.actions(forTarget: self, forControlEvent: .touchUpInside) ?? [])")
        sender.removeTarget(self, action: nil, for: .allEvents)
        sender.addTarget(self, action: #selector(plain), for: .touchUpInside)
    }

    @objc fileprivate func runPerform() {
        perform(#selector(later(_:)), with: "now")
        if responds(to: Selector(("answer"))), let answer = perform(Selector(("answer")))?.takeUnretainedValue() {
            add("answer \(answer)")
        }
    }

    @objc private func later(_ text: NSString) { add("perform \(text)") }

    @objc func answer() -> NSString { "42" }

    @objc(post:) func post(sender: Any) {
        NotificationCenter.default.post(name: .somethingHappened, object: self, userInfo: ["count": 2])
    }

    @objc private func heard(_ notification: Notification) {
        add("heard \(notification.userInfo?["count"] as? Int ?? 0) of \(notification.name.rawValue)")
        NotificationCenter.default.removeObserver(self, name: .somethingHappened, object: nil)
    }

    @objc private func fired(timer: Timer) {
        add("timer \((timer.userInfo as? [String: String])?["name"] ?? "") \(timer.isValid)")
    }

    deinit {
        timer?.invalidate()
    }
}
