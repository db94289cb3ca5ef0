// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Locking
import SceneModel
import Testing

@testable import UIKit

/// The lines of the log on constraints that do not hold.
@MainActor @Suite(.serialized) struct ContradictionLogTests {
    private let window = UIWindow(frame: rect(0, 0, 360, 100))
    private let controller = UIViewController()

    init() { window.rootViewController = controller }

    private func lines(_ body: () -> Void) -> [String] {
        let lines = Locked<[String]>([])
        HostLog.redirect { _, line in lines.withLock { $0.append(line) } }
        body()
        HostLog.redirect(to: nil)
        return lines.withLock { $0.filter { $0.contains("does not hold") } }
    }

    private func draw() { _ = window.draw(in: ViewEnvironment(), number: { _ in nil }) }

    /// Two views of 100 points in a column that fills the box, which is too low for them at first.
    private func addColumn(named name: String) {
        let views = [UIView(), UIView()]
        let root: UIView = controller.view
        for view in views {
            root.with(view)
            let height = view.heightAnchor.constraint(equalToConstant: 100)
            height.identifier = name
            height.isActive = true
        }
        let bottom = views[1].bottomAnchor.constraint(equalTo: root.bottomAnchor)
        bottom.identifier = name
        NSLayoutConstraint.activate([
            views[0].topAnchor.constraint(equalTo: root.topAnchor),
            views[1].topAnchor.constraint(equalTo: views[0].bottomAnchor), bottom,
        ])
    }

    @Test("A layout in a height that the box does not keep names nothing")
    func oldHeight() {
        addColumn(named: "old height")
        let told = lines {
            window.layoutIfNeeded()
            window.resize(to: CGSize(width: 360, height: 200))
            draw()
        }
        #expect(told == [])
    }

    @Test("What does not hold in a layout that is drawn is named once")
    func drawn() {
        addColumn(named: "too low")
        let told = lines {
            draw()
            controller.view.setNeedsLayout()
            window.resize(to: CGSize(width: 300, height: 100))
            draw()
        }
        #expect(told == ["a constraint contradicts others and does not hold: \"too low\""])
    }

    @Test("The log keeps 64 lines at most of an author's words")
    func bounded() {
        let view = UIView()
        controller.view.with(view)
        view.widthAnchor.constraint(equalToConstant: 1).isActive = true
        let told = lines {
            for number in 0..<100 {
                let constraint = view.widthAnchor.constraint(equalToConstant: 2)
                constraint.identifier = "number \(number)"
                constraint.isActive = true
                draw()
                constraint.isActive = false
            }
        }
        #expect(told.count <= 64)
        #expect(told.count >= 60)
    }
}
