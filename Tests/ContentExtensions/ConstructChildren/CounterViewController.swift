// SPDX-License-Identifier: Apache-2.0

import UIKit

/// A child that counts, and notes what it hears of its life.
final class CounterViewController: UIViewController {
    private var count: Int
    private let label = UILabel()
    var onChange: ((Int) -> Void)?
    var events: [String] = []

    init(start: Int) {
        count = start
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError() }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemIndigo
        label.textColor = .white
        label.text = "\(count)"
        let button = UIButton(type: .custom)
        button.setTitle("More", for: .normal)
        button.addTarget(self, action: #selector(more), for: .touchUpInside)
        let row = UIStackView(arrangedSubviews: [label, button])
        row.distribution = .equalSpacing
        row.frame = view.bounds.insetBy(dx: 10, dy: 0)
        row.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(row)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        events.append("will")
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        events.append("did")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        events.append("gone")
    }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        events.append(parent == nil ? "out" : "in")
    }

    @objc private func more() {
        count += 1
        label.text = "\(count)"
        onChange?(count)
    }
}
