// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct ScrollTests {
    let root = UIView.box(300, 200)
    let scroll = UIScrollView()
    let content = SizedView(500, 900)

    init() {
        root.with(scroll)
        scroll.with(content)
        NSLayoutConstraint.activate([
            scroll.topAnchor.constraint(equalTo: root.topAnchor, constant: 20),
            scroll.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 10),
            scroll.trailingAnchor.constraint(equalTo: root.trailingAnchor, constant: -10),
            scroll.bottomAnchor.constraint(equalTo: root.bottomAnchor),
        ])
    }

    /// The size in the node that draws the scroll view.
    private var drawn: SceneSize? {
        root.layoutIfNeeded()
        var drawing = SceneDrawing(ViewEnvironment(), number: { _ in nil }, nextID: { $0 == 0 ? 1 : $0 })
        guard case .scroll(let scroll) = scroll.sceneKind(&drawing) else { return nil }
        return scroll.content
    }

    @Test("Constraints with the edges of a scroll view say the size of its content")
    func edges() {
        NSLayoutConstraint.activate([
            content.topAnchor.constraint(equalTo: scroll.topAnchor, constant: 5),
            content.leadingAnchor.constraint(equalTo: scroll.leadingAnchor, constant: 6),
            content.trailingAnchor.constraint(equalTo: scroll.trailingAnchor, constant: -7),
            content.bottomAnchor.constraint(equalTo: scroll.bottomAnchor, constant: -8),
        ])
        #expect(scroll.placed == rect(10, 20, 280, 180))
        #expect(content.frame == rect(6, 5, 500, 900))
        #expect(scroll.contentSize == CGSize(width: 513, height: 913))
        #expect(drawn == SceneSize(513, 913))
        content.size.height = 100
        #expect(drawn == SceneSize(513, 113))
    }

    @Test("Sizes and middles of a scroll view are its own, and the guides say which is meant")
    func guides() {
        let (inner, frame) = (scroll.contentLayoutGuide, scroll.frameLayoutGuide)
        let badge = SizedView(20, 20)
        scroll.with(badge)
        NSLayoutConstraint.activate([
            content.topAnchor.constraint(equalTo: inner.topAnchor),
            content.leadingAnchor.constraint(equalTo: inner.leadingAnchor),
            content.trailingAnchor.constraint(equalTo: inner.trailingAnchor),
            content.bottomAnchor.constraint(equalTo: inner.bottomAnchor),
            content.widthAnchor.constraint(equalTo: frame.widthAnchor),
            badge.centerXAnchor.constraint(equalTo: scroll.centerXAnchor),
            badge.bottomAnchor.constraint(equalTo: frame.bottomAnchor),
        ])
        #expect(content.placed == rect(0, 0, 280, 900))
        #expect(scroll.contentSize == CGSize(width: 280, height: 900))
        #expect(badge.frame == rect(130, 160, 20, 20))
        #expect(inner.layoutFrame == rect(0, 0, 280, 900))
        #expect(frame.layoutFrame == rect(0, 0, 280, 180))
    }

    @Test("The margins of a scroll view lie around its content")
    func margins() {
        let guide = scroll.layoutMarginsGuide
        NSLayoutConstraint.activate([
            content.topAnchor.constraint(equalTo: guide.topAnchor),
            content.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            content.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            content.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
        ])
        #expect(content.placed == rect(8, 8, 500, 900))
        #expect(scroll.contentSize == CGSize(width: 516, height: 916))
    }

    @Test("A stack view in a scroll view scrolls as far as its views reach")
    func stack() {
        content.removeFromSuperview()
        let stack = UIStackView(arrangedSubviews: (0..<5).map { _ in SizedView(100, 70) })
        stack.axis = .vertical
        stack.spacing = 10
        scroll.with(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: scroll.topAnchor),
            stack.leadingAnchor.constraint(equalTo: scroll.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: scroll.trailingAnchor),
            stack.bottomAnchor.constraint(equalTo: scroll.bottomAnchor),
            stack.widthAnchor.constraint(equalTo: scroll.widthAnchor),
        ])
        #expect(stack.placed == rect(0, 0, 280, 390))
        #expect(drawn == SceneSize(280, 390))
    }

    @Test("Without constraints the content has the size that code sets, and views the frames that code gives them")
    func frames() {
        content.removeFromSuperview()
        let view = UIView(frame: rect(0, 150, 50, 300))
        scroll.addSubview(view)
        scroll.contentSize = CGSize(width: 50, height: 450)
        #expect(drawn == SceneSize(50, 450))
        #expect(view.frame == rect(0, 150, 50, 300))
    }

    @Test("Room around the content is scrolled too, and the content begins behind it")
    func insets() {
        scroll.contentSize = CGSize(width: 100, height: 400)
        scroll.contentInset = UIEdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
        #expect(drawn == SceneSize(160, 440))
        #expect(scroll.layer.bounds.origin == CGPoint(x: -20, y: -10))
        #expect(scroll.contentOffset == CGPoint(x: -20, y: -10))
        #expect(scroll.adjustedContentInset == scroll.contentInset)
        #expect(scroll.placed == rect(10, 20, 280, 180))
    }

    @Test("Sizes beyond any scene are cut", arguments: [(CGFloat.nan, 0.0), (.infinity, 0), (1e9, 100_000), (-5, 0)])
    func numbers(number: CGFloat, expected: Double) {
        scroll.contentSize = CGSize(width: number, height: 10)
        #expect(drawn == SceneSize(expected, 10))
    }

    @Test("A scroll view that may not scroll is drawn as a view")
    func disabled() {
        #expect(scroll.clipsToBounds)
        #expect(!root.clipsToBounds)
        scroll.isScrollEnabled = false
        #expect(drawn == nil)
    }

    @Test("An offset that code sets is kept and told, and moves nothing that is drawn")
    func offset() {
        final class Listener: NSObject, UIScrollViewDelegate {
            var told: [String] = []
            func scrollViewDidScroll(_ scrollView: UIScrollView) { told.append("scroll \(scrollView.contentOffset.y)") }
            func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) { told.append("end") }
        }
        let listener = Listener()
        scroll.delegate = listener
        scroll.contentOffset = CGPoint(x: 0, y: 40)
        scroll.setContentOffset(CGPoint(x: 0, y: 40), animated: true)
        scroll.setContentOffset(CGPoint(x: 0, y: 50), animated: true)
        scroll.scrollRectToVisible(rect(0, 500, 10, 10), animated: true)
        #expect(listener.told == ["scroll 40.0", "scroll 50.0", "end"])
        #expect(scroll.contentOffset == CGPoint(x: 0, y: 50))
        #expect(scroll.layer.bounds.origin == .zero)
        #expect(listener.scrollViewShouldScrollToTop(scroll))
        #expect(listener.viewForZooming(in: scroll) == nil)
    }
}
