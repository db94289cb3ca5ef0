// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Locking
import SceneModel
import TestClock
import Testing

@testable import UIKit

/// Properties that code sets on another thread than the main one, as completion handlers of `URLSession` do.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnMainThreadTests {
    private func lines(_ body: () async -> Void) async -> [String] {
        let lines = Locked<[String]>([])
        HostLog.redirect { _, line in lines.withLock { $0.append(line) } }
        await body()
        HostLog.redirect(to: nil)
        return lines.withLock { $0 }
    }

    /// A class of its own, so that no other test has had its names in the log.
    private final class Caption: UILabel {
        private(set) var isDrawnOnMain: [Bool] = []

        override func invalidateIntrinsicContentSize() {
            isDrawnOnMain.append(Thread.isMainThread || !isSetUp)
            super.invalidateIntrinsicContentSize()
        }
        private var isSetUp = true
    }

    @Test func `a property set on another thread is set with a later turn of the main queue`() async throws {
        let label = UILabel()
        let shown = ShownView(label)
        _ = try shown.drawn()
        OtherThread.run {
            label.text = "Later"
            label.textColor = .red
            label.alpha = 0.5
            label.frame = rect(1, 2, 90, 40)
            label.layer.cornerRadius = 3
        }
        #expect(label.text == nil)
        #expect(label.textColor == .label)
        #expect(label.alpha == 1)
        #expect(label.layer.cornerRadius == 0)
        await OtherThread.turn()
        #expect(label.text == "Later")
        let node = try shown.drawn()
        #expect(node.kind.texts == ["Later"])
        #expect(node.style.opacity == 0.5)
        #expect(node.style.radius == 3)
        #expect(node.frame == SceneFrame(1, 2, 90, 40))
    }

    @Test func `the log names each property once`() async {
        let caption = Caption()
        let told = await lines {
            OtherThread.run {
                caption.text = "A"
                caption.textColor = .red
                caption.text = "B"
                caption.frame = rect(0, 0, 1, 1)
            }
            await OtherThread.turn()
            OtherThread.run { caption.text = "C" }
            await OtherThread.turn()
        }
        let rest = "is changed off the main thread: it changes with a later turn of the main queue"
        #expect(
            told.filter { $0.contains("Caption") } == ["text", "textColor", "frame"].map { "Caption.\($0) \(rest)" }
        )
        #expect(caption.text == "C")
    }

    @Test func `changes of one thread are made in their order, and before what it does on the main queue next`() async {
        let label = UILabel()
        var seen: [String?] = []
        OtherThread.run {
            for text in ["A", "B", "C"] { label.text = text }
            DispatchQueue.main.async { MainActor.assumeIsolated { seen.append(label.text) } }
        }
        await OtherThread.turn()
        #expect(seen == ["C"])
    }

    @Test func `views and constraints of another thread come with a later turn`() async throws {
        let box = UIView.box(100, 100)
        let view = UIView()
        OtherThread.run {
            view.translatesAutoresizingMaskIntoConstraints = false
            box.addSubview(view)
            view.widthAnchor.constraint(equalToConstant: 30).isActive = true
        }
        #expect(view.superview == nil)
        await OtherThread.turn()
        #expect(view.superview === box)
        #expect(view.placed.width == 30)
        OtherThread.run { view.removeFromSuperview() }
        #expect(view.superview === box)
        await OtherThread.turn()
        #expect(view.superview == nil)
    }

    @Test func `controls and pictures too`() async {
        let (button, slider, image, field) = (UIButton(), UISlider(), UIImageView(), UITextField())
        let picture = UIImage(systemName: "star")
        OtherThread.run {
            button.setTitle("Send", for: .normal)
            button.isEnabled = false
            slider.value = 0.5
            image.image = picture
            field.text = "Words"
        }
        #expect(button.title(for: .normal) == nil)
        #expect(button.isEnabled)
        #expect(image.image == nil)
        await OtherThread.turn()
        #expect(button.title(for: .normal) == "Send")
        #expect(!button.isEnabled)
        #expect(slider.value == 0.5)
        #expect(image.image === picture)
        #expect(field.text == "Words")
    }

    @Test func `a subclass that observes a property sees the change on the main thread`() async {
        final class Observing: UILabel {
            var seen: [String?] = []
            override var text: String? { didSet { if text != oldValue { seen.append(text) } } }
        }
        let label = Observing()
        OtherThread.run { label.text = "A" }
        #expect(label.seen == [])
        await OtherThread.turn()
        #expect(label.seen == ["A"])
    }
}
