// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing
import UIKit
import UserNotificationsUI

/// The height of the box for controllers that want it by what they hear of a layout.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct HeightTests {
    /// A list in a scroll view, whose height code takes from the size of its content.
    private final class ListController: UIViewController, UNNotificationContentExtension {
        private let scroll = UIScrollView()
        private let stack = UIStackView()
        private(set) lazy var height = scroll.heightAnchor.constraint(equalToConstant: 100)
        var rowCount = 5
        private(set) var layoutCount = 0
        var decide: (CGFloat) -> CGFloat = { min($0, 260) }

        override func viewDidLoad() {
            super.viewDidLoad()
            stack.axis = .vertical
            for view in [scroll, stack] { view.translatesAutoresizingMaskIntoConstraints = false }
            view.addSubview(scroll)
            scroll.addSubview(stack)
            NSLayoutConstraint.activate([
                scroll.topAnchor.constraint(equalTo: view.topAnchor),
                scroll.leadingAnchor.constraint(equalTo: view.leadingAnchor),
                scroll.trailingAnchor.constraint(equalTo: view.trailingAnchor),
                scroll.bottomAnchor.constraint(equalTo: view.bottomAnchor), height,
                stack.topAnchor.constraint(equalTo: scroll.contentLayoutGuide.topAnchor, constant: 8),
                stack.leadingAnchor.constraint(equalTo: scroll.contentLayoutGuide.leadingAnchor),
                stack.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor),
                stack.bottomAnchor.constraint(equalTo: scroll.contentLayoutGuide.bottomAnchor, constant: -8),
            ])
        }

        override func viewDidLayoutSubviews() {
            layoutCount += 1
            height.constant = decide(scroll.contentSize.height)
        }

        func didReceive(_ notification: UNNotification) {
            for _ in 0..<rowCount {
                let row = UIView()
                row.heightAnchor.constraint(equalToConstant: 40).isActive = true
                stack.addArrangedSubview(row)
            }
        }
    }

    @Test(arguments: [(5, 216.0), (10, 260), (1, 56)])
    func `the box has the height that a controller takes from its content when it is laid out`(
        rowCount: Int,
        height: Double
    ) throws {
        let controller = ListController()
        controller.rowCount = rowCount
        let bench = ControllerBench { controller }
        #expect(bench.updates.count == 1)
        #expect(bench.updates[0].size == SceneSize(360, height))
        #expect(try bench.node(.scroll).frame == SceneFrame(0, 0, 360, height))
        #expect(controller.height.constant == CGFloat(height))
    }

    @Test func `a controller that wants another height each time has one at last`() throws {
        let controller = ListController()
        var last: CGFloat = 100
        controller.decide = { _ in
            last += 10
            return last
        }
        let bench = ControllerBench { controller }
        #expect(bench.updates.count == 1)
        #expect(controller.layoutCount < 100)
    }
}
