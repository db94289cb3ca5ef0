// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import Testing

@testable import UIKit

/// A bar of buttons above a keyboard, as most forms have it.
@MainActor @Suite(.serialized) struct BarTests {
    private let listener = Listener()

    private func bar(_ items: [UIBarButtonItem], width: CGFloat = 360) -> UIToolbar {
        let bar = UIToolbar(frame: rect(0, 0, width, 44))
        bar.items = items
        bar.layoutIfNeeded()
        return bar
    }

    private func buttons(_ bar: UIToolbar) -> [UIButton] { bar.subviews.compactMap { $0 as? UIButton } }

    @Test("a flexible space takes what the buttons leave, and a Done button is bold at the end")
    func form() throws {
        let done = UIBarButtonItem(barButtonSystemItem: .done, target: listener, action: "up:")
        let bar = bar([.flexibleSpace(), done])
        let button = try #require(buttons(bar).first)
        #expect(button.title(for: .normal) == "Done")
        #expect(button.titleLabel?.font == .systemFont(ofSize: 17, weight: .semibold))
        #expect(abs(button.frame.maxX - 344) < 1e-9)
        button.sendActions(for: .touchUpInside)
        #expect(listener.calls == ["up:"])
        #expect(listener.senders.count == 1 && listener.senders[0] === done)
    }

    @Test("buttons keep their order and their distances, and two flexible spaces share")
    func places() {
        let items = [
            UIBarButtonItem(title: "A", style: .plain, target: nil, action: nil),
            UIBarButtonItem(title: "B", style: .plain, target: nil, action: nil),
            .fixedSpace(40), UIBarButtonItem(customView: UIView(frame: rect(0, 0, 50, 20))), .flexibleSpace(),
        ]
        let bar = bar(items)
        let frames = bar.subviews.map(\.frame)
        #expect(frames.count == 3)
        #expect(frames[0].minX == 16)
        #expect(frames[1].minX == frames[0].maxX + 8)
        #expect(frames[2] == CGRect(x: frames[1].maxX + 40, y: 12, width: 50, height: 20))
    }

    @Test("an item that changes is drawn anew, one that goes is not, and none has two bars")
    func changes() {
        let item = UIBarButtonItem(title: "A", style: .plain, target: nil, action: nil)
        let first = bar([item])
        item.title = "B"
        item.isEnabled = false
        #expect(buttons(first).map { $0.title(for: .normal) } == ["B"])
        #expect(buttons(first).map(\.isEnabled) == [false])
        let second = bar([item])
        item.title = "C"
        #expect(buttons(second).map { $0.title(for: .normal) } == ["C"])
        second.items = nil
        #expect(second.subviews.isEmpty)
    }

    @Test("an action is called in the place of a target, with the item as its sender")
    func actions() {
        var senders: [String?] = []
        let item = UIBarButtonItem(
            primaryAction: UIAction(title: "Go") { senders.append(($0.sender as? UIBarButtonItem)?.title) }
        )
        let bar = bar([item])
        for button in buttons(bar) { button.sendActions(for: .touchUpInside) }
        #expect(senders == ["Go"])
    }

    @Test("a view that another bar has taken stays there, whatever becomes of the first bar")
    func sharedView() {
        let view = UIView(frame: rect(0, 0, 50, 20))
        let other = UIBarButtonItem(title: "A", style: .plain, target: nil, action: nil)
        let first = bar([.fixedSpace(100), UIBarButtonItem(customView: view), other])
        let second = bar([UIBarButtonItem(customView: view)])
        first.setNeedsLayout()
        first.layoutIfNeeded()
        #expect(view.frame.minX == 16)
        #expect(buttons(first).map(\.frame.minX) == [116])
        first.items = nil
        #expect(view.superview === second)
    }

    @Test("a bar that is the view of its own item, or in it, stays where it is")
    func circle() {
        let holder = UIView(frame: rect(5, 6, 300, 100))
        let bar = UIToolbar(frame: rect(1, 2, 300, 44))
        holder.addSubview(bar)
        bar.items = [UIBarButtonItem(customView: bar), UIBarButtonItem(customView: holder)]
        bar.layoutIfNeeded()
        #expect((bar.frame, holder.frame) == (rect(1, 2, 300, 44), rect(5, 6, 300, 100)))
        #expect(bar.subviews.isEmpty)
    }

    @Test("widths that are no numbers keep the scene in its bounds", arguments: [CGFloat.nan, .infinity, 1e308, -1])
    func hostileWidths(width: CGFloat) throws {
        let item = UIBarButtonItem(title: "A", style: .plain, target: nil, action: nil)
        item.width = width
        let bar = UIToolbar(frame: rect(0, 0, 300, 44))
        bar.items = [.flexibleSpace(), .fixedSpace(width), item, .flexibleSpace(), item]
        _ = try ShownView(bar).drawn()
        #expect(buttons(bar).count == 2)
    }

    @Test("an action that changes its own item, and the items of its bar, is called once")
    func changesInAction() {
        let bar = UIToolbar(frame: rect(0, 0, 300, 44))
        var calls = 0
        let item = UIBarButtonItem(
            primaryAction: UIAction(title: "Go") {
                calls += 1
                ($0.sender as? UIBarButtonItem)?.title = "Gone"
                bar.items = [.flexibleSpace()]
            }
        )
        bar.items = [item]
        buttons(bar).first?.sendActions(for: .touchUpInside)
        #expect(calls == 1)
        #expect(item.title == "Gone")
        #expect(bar.subviews.isEmpty)
    }

    @Test("a bar is 44 points high and as wide as what it is in, and shows 64 items at most")
    func sizes() {
        let holder = UIView(frame: rect(0, 0, 300, 100))
        let bar = UIToolbar()
        holder.addSubview(bar)
        bar.sizeToFit()
        #expect(bar.bounds.size == CGSize(width: 300, height: 44))
        #expect(bar.intrinsicContentSize.height == 44)
        bar.items = (0..<100).map { UIBarButtonItem(title: "\($0)", style: .plain, target: nil, action: nil) }
        #expect(bar.subviews.count == 64)
    }
}

/// The container of a text view's lines.
@MainActor @Suite struct TextContainerTests {
    @Test("a text without room at the ends of its lines stands at the edge, and has so many lines at most")
    func container() throws {
        let view = UITextView(frame: rect(0, 0, 100, 200))
        view.isEditable = false
        view.text = "one\ntwo\nthree"
        #expect(view.hasText)
        view.layoutIfNeeded()
        let lines = try #require(view.subviews.first)
        #expect(lines.frame.minX == 5)
        let whole = view.sizeThatFits(CGSize(width: 100, height: 0)).height
        view.textContainerInset = .zero
        view.textContainer.lineFragmentPadding = 0
        view.textContainer.maximumNumberOfLines = 2
        view.layoutIfNeeded()
        #expect(lines.frame.origin == .zero)
        #expect(view.sizeThatFits(CGSize(width: 100, height: 0)).height < whole - 16)
        view.text = nil
        #expect(!view.hasText)
    }

    @Test(
        "room that is no number keeps the size of a text, and the scene within its bounds",
        arguments: [CGFloat.nan, .infinity, -.infinity, 1e308, -1e308],
        [true, false]
    )
    func hostileRoom(room: CGFloat, isEditable: Bool) throws {
        let view = UITextView(frame: rect(0, 0, 100, 200))
        (view.isEditable, view.isScrollEnabled) = (isEditable, false)
        view.text = "one two three four"
        view.textContainer.lineFragmentPadding = room
        view.textContainerInset = UIEdgeInsets(top: room, left: 0, bottom: 0, right: room)
        view.textContainer.maximumNumberOfLines = -3
        let shown = ShownView(view)
        _ = try shown.drawn()
        let size = view.sizeThatFits(CGSize(width: 100, height: 0))
        #expect(size.width.isFinite && size.height.isFinite)
        view.translatesAutoresizingMaskIntoConstraints = false
        shown.root.topAnchor.constraint(equalTo: view.topAnchor).isActive = true
        shown.root.leadingAnchor.constraint(equalTo: view.leadingAnchor).isActive = true
        _ = try shown.drawn()
        #expect(view.frame.height.isFinite)
    }
}
