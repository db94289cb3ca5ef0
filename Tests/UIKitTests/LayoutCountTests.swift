// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// The equations that changes need: none where no other place depends on what has changed, one solution for many.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) struct LayoutCountTests {
    let window = UIWindow(frame: rect(0, 0, 360, 200))
    let root = UIView.box(360, 200)
    let placed = UIView()
    let free = UIView.box(10, 10)

    init() {
        let controller = UIViewController()
        controller.view = root
        window.rootViewController = controller
        root.with(placed)
        NSLayoutConstraint.activate([
            placed.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 5),
            placed.topAnchor.constraint(equalTo: root.topAnchor),
            placed.widthAnchor.constraint(equalToConstant: 50),
            placed.heightAnchor.constraint(equalToConstant: 50),
        ])
        root.addSubview(free)
        window.layoutIfNeeded()
    }

    /// The solutions that a layout needs after changes.
    private func count(_ changes: () -> Void) -> Int {
        let before = LayoutPass.solvedCount
        changes()
        window.layoutIfNeeded()
        return LayoutPass.solvedCount - before
    }

    @Test("A frame on which nothing depends needs no equations, nor does a text in it")
    func freeFrame() {
        let label = UILabel(frame: rect(0, 0, 40, 20))
        root.addSubview(label)
        window.layoutIfNeeded()
        #expect(
            count {
                for step in 1...100 {
                    free.frame = rect(CGFloat(step), 3, 20, 30)
                    label.frame.origin.y = CGFloat(step)
                    label.text = "\(step)"
                }
            } == 0
        )
        #expect(free.frame == rect(100, 3, 20, 30))
    }

    @Test("Frames that a view sets where it lays out need no second solution")
    func layingOut() {
        final class Laying: UIView {
            let inner = [UIView(), UIView(), UIView()]
            override func layoutSubviews() {
                for (index, view) in inner.enumerated() {
                    view.frame = rect(CGFloat(index) * bounds.width / 3, 0, bounds.width / 3, bounds.height)
                }
            }
        }
        let laying = Laying()
        for view in laying.inner { laying.addSubview(view) }
        root.with(laying)
        let width = laying.widthAnchor.constraint(equalToConstant: 90)
        NSLayoutConstraint.activate([
            laying.leadingAnchor.constraint(equalTo: placed.trailingAnchor),
            laying.topAnchor.constraint(equalTo: root.topAnchor), width,
            laying.heightAnchor.constraint(equalToConstant: 30),
        ])
        window.layoutIfNeeded()
        #expect(count { width.constant = 120 } == 1)
        #expect(laying.inner[2].frame == rect(80, 0, 40, 30))
    }

    @Test("A frame that a constraint names is solved once for all its changes")
    func namedFrame() {
        let beside = UIView.box(7, 7)
        root.with(beside)
        beside.translatesAutoresizingMaskIntoConstraints = true
        placed.bottomAnchor.constraint(lessThanOrEqualTo: beside.topAnchor, constant: 100).isActive = true
        let follower = UIView()
        root.with(follower)
        NSLayoutConstraint.activate([
            follower.leadingAnchor.constraint(equalTo: beside.trailingAnchor),
            follower.topAnchor.constraint(equalTo: beside.topAnchor),
            follower.widthAnchor.constraint(equalToConstant: 5), follower.heightAnchor.constraint(equalToConstant: 5),
        ])
        window.layoutIfNeeded()
        #expect(count { for step in 1...50 { beside.frame.origin.x = CGFloat(step) } } == 1)
        #expect(follower.frame == rect(57, 0, 5, 5))
    }

    @Test("A view of a frame with views of constraints in it is solved when it changes")
    func around() {
        let inner = UIView()
        free.with(inner)
        NSLayoutConstraint.activate([
            inner.leadingAnchor.constraint(equalTo: free.leadingAnchor),
            inner.trailingAnchor.constraint(equalTo: free.trailingAnchor),
            inner.topAnchor.constraint(equalTo: free.topAnchor),
            inner.bottomAnchor.constraint(equalTo: free.bottomAnchor),
        ])
        window.layoutIfNeeded()
        #expect(count { free.frame.size.width = 33 } == 1)
        #expect(inner.frame == rect(0, 0, 33, 10))
        inner.removeFromSuperview()
        window.layoutIfNeeded()
        #expect(count { free.frame.size.width = 44 } == 0)
    }

    @Test("A constraint that comes later counts the frame of its view")
    func later() {
        #expect(count { free.frame.origin.x = 3 } == 0)
        let follower = UIView()
        root.with(follower)
        follower.leadingAnchor.constraint(equalTo: free.trailingAnchor).isActive = true
        window.layoutIfNeeded()
        #expect(count { free.frame.origin.x = 40 } == 1)
        #expect(follower.frame.minX == 50)
    }

    @Test("The text of a frame's label counts where a line of it is named")
    func baseline() {
        let (label, follower) = (UILabel(frame: rect(0, 0, 100, 40)), UIView())
        label.text = "A"
        root.addSubview(label)
        root.with(follower)
        follower.topAnchor.constraint(equalTo: label.firstBaselineAnchor).isActive = true
        window.layoutIfNeeded()
        let before = follower.frame.minY
        #expect(count { label.font = .systemFont(ofSize: 30) } >= 1)
        #expect(follower.frame.minY > before)
    }
}
