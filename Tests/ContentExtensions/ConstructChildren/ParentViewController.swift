// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

/// The parent of children that code adds, before the view is shown and afterwards.
class ParentViewController: UIViewController, UNNotificationContentExtension {
    private let status = UILabel()
    private let container = UIView()
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private var counter: CounterViewController!

    override func viewDidLoad() {
        super.viewDidLoad()
        status.frame = CGRect(x: 16, y: 8, width: view.bounds.width - 32, height: 22)
        container.frame = CGRect(x: 16, y: 40, width: view.bounds.width - 32, height: 50)
        let remove = UIButton(type: .system)
        remove.setTitle("Replace", for: .normal)
        remove.frame = CGRect(x: 16, y: 98, width: 100, height: 30)
        remove.addTarget(self, action: #selector(replace), for: .touchUpInside)
        [status, container, remove].forEach(view.addSubview)
        preferredContentSize = CGSize(width: 320, height: 136)
        counter = add(CounterViewController(start: 3))
    }

    @discardableResult
    private func add(_ child: CounterViewController) -> CounterViewController {
        child.onChange = { [weak self] in self?.status.text = "count \($0)" }
        addChild(child)
        child.view.frame = container.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        container.addSubview(child.view)
        child.didMove(toParent: self)
        return child
    }

    func didReceive(_ notification: UNNotification) {
        status.text = children.map { String(describing: type(of: $0)) }.joined(separator: ", ")
    }

    @objc private func replace() {
        counter.willMove(toParent: nil)
        counter.view.removeFromSuperview()
        counter.removeFromParent()
        let old = counter.events.joined(separator: " ")
        counter = add(CounterViewController(start: 10))
        status.text = "\(children.count) child, \(old)"
    }
}
