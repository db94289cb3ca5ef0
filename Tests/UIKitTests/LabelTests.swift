// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// Labels and text views with values that code may give, and texts of any length.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct LabelTests {
    /// The nodes of a view, as a host takes them.
    private func nodes(_ view: UIView) throws -> [SceneNode] {
        var last: UInt32 = 0
        var drawing = SceneDrawing(ViewEnvironment(), number: { _ in nil }, media: { _ in nil }) { _ in
            last += 1
            return last
        }
        drawing.draw(view, strip: nil)
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: drawing.nodes))
        return drawing.nodes
    }

    private func text(_ label: UILabel) throws -> SceneText {
        let box = UIView.box(300, 10_000)
        label.frame = box.bounds
        box.addSubview(label)
        let found = try nodes(box).compactMap { node in if case .text(let text) = node.kind { text } else { nil } }
        return try #require(found.first)
    }

    @Test func `nil means the font and the colour that a new label has`() throws {
        let label = UILabel()
        label.text = "A"
        label.font = nil
        label.textColor = nil
        #expect(label.font == .systemFont(ofSize: 17))
        #expect(label.textColor == .label)
        #expect(try text(label).color == UIColor.label.sceneColor)
        let spinner = UIActivityIndicatorView(style: .medium)
        spinner.color = nil
        #expect(spinner.color == .secondaryLabel)
    }

    @Test func `a label of one line grows with its text`() {
        let label = UILabel()
        label.text = "A"
        label.sizeToFit()
        let narrow = label.bounds.width
        label.text = "A much longer text"
        label.sizeToFit()
        #expect(label.bounds.width > 4 * narrow)
        #expect(label.bounds.height == 21)
    }

    @Test(arguments: [
        "\u{645}\u{631}\u{62D}\u{628}\u{627} ", "\u{645}\r\n", "\u{645}\u{2028}\u{85}", "e\u{301}\n", "x",
    ])
    func `a long text is within the limits of a scene`(piece: String) throws {
        let label = UILabel()
        label.numberOfLines = 0
        label.text = String(repeating: piece, count: 20_000)
        label.accessibilityLabel = String(repeating: "l", count: 300)
        let shown = try text(label)
        #expect(shown.plain.utf8.count <= SceneLimits.nodeTextByteCount - 300)
        #expect(shown.lineCount <= SceneLimits.lineCount)
        #expect(!shown.plain.isEmpty)
    }

    @Test func `many long texts are within the limits together`() throws {
        let box = UIView.box(300, 300)
        for _ in 0..<40 {
            let label = UILabel(frame: box.bounds)
            label.numberOfLines = 0
            label.text = String(repeating: "\u{645}\r\n", count: 500)
            box.addSubview(label)
        }
        #expect(try nodes(box).count == 41)
    }

    @Test func `an editor with a name and a long text is within the limits, and cannot be written in`() throws {
        let view = UITextView(frame: rect(0, 0, 100, 100))
        view.accessibilityLabel = "A name"
        view.text = String(repeating: "word ", count: 4000)
        let found = try nodes(view).compactMap { node in if case .editor(let field) = node.kind { field } else { nil } }
        let field = try #require(found.first)
        #expect(field.isDisabled)
        #expect(field.value.utf8.count <= SceneLimits.nodeTextByteCount - 6)
    }

    // MARK: Breaking

    /// The texts that were broken meanwhile.
    private func breaks(_ body: () throws -> Void) rethrows -> Int {
        let before = TextCache.brokenCount
        try body()
        return TextCache.brokenCount - before
    }

    @Test func `a text is broken once for its width, whatever else is drawn`() throws {
        let label = UILabel()
        label.numberOfLines = 0
        label.text = String(repeating: "words ", count: 60)
        let shown = ShownView(label)
        label.frame = rect(0, 0, 200, 300)
        _ = try shown.drawn()
        #expect(
            try breaks {
                for step in 1...20 {
                    label.alpha = CGFloat(step) / 20
                    label.textColor = step % 2 == 0 ? .red : .blue
                    _ = try shown.drawn()
                }
            } == 0
        )
        #expect(
            try breaks {
                label.frame.size.width = 150
                _ = try shown.drawn()
            } == 1
        )
        label.frame.size.width = 200
        #expect(try breaks { _ = try shown.drawn() } == 0)
    }

    @Test func `another text, font or line mode is broken anew`() throws {
        let label = UILabel(frame: rect(0, 0, 40, 300))
        label.numberOfLines = 0
        let shown = ShownView(label)
        let changes: [() -> Void] = [
            { label.text = "one two three" }, { label.font = .systemFont(ofSize: 30) },
            { label.lineBreakMode = .byCharWrapping }, { label.numberOfLines = 2 },
            {
                label.attributedText = NSAttributedString(
                    string: "four five",
                    attributes: [.font: UIFont.systemFont(ofSize: 9)]
                )
            },
        ]
        var last: [SceneKind] = [try shown.kind()]
        for change in changes {
            change()
            let kind = try shown.kind()
            #expect(!last.contains(kind))
            last.append(kind)
        }
    }

    /// A label with room around its text, as classes of extensions are written.
    private final class PaddedLabel: UILabel {
        static let insets = UIEdgeInsets(top: 8, left: 12, bottom: 8, right: 12)
        /// True for one that breaks its lines by its own width.
        var followsBounds = false
        private(set) var drawnCount = 0

        override func drawText(in rect: CGRect) {
            drawnCount += 1
            super.drawText(in: rect.inset(by: Self.insets))
        }

        override var intrinsicContentSize: CGSize {
            let size = super.intrinsicContentSize
            return CGSize(width: size.width + 24, height: size.height + 16)
        }

        override var bounds: CGRect {
            didSet { if followsBounds { preferredMaxLayoutWidth = bounds.width - 24 } }
        }
    }

    /// A label that says the rectangle of its text.
    private final class InsetLabel: UILabel {
        override func textRect(forBounds bounds: CGRect, limitedToNumberOfLines numberOfLines: Int) -> CGRect {
            let inner = super.textRect(
                forBounds: bounds.inset(by: PaddedLabel.insets),
                limitedToNumberOfLines: numberOfLines
            )
            return CGRect(x: 0, y: 0, width: inner.width + 24, height: inner.height + 16)
        }
    }

    /// Places a label by constraints at the corner of a box, at most as wide as that.
    private func placed(_ label: UILabel, inWidth width: CGFloat) -> UIView {
        let box = UIView.box(width, 400)
        label.translatesAutoresizingMaskIntoConstraints = false
        box.addSubview(label)
        NSLayoutConstraint.activate([
            label.topAnchor.constraint(equalTo: box.topAnchor),
            label.leadingAnchor.constraint(equalTo: box.leadingAnchor),
            label.trailingAnchor.constraint(lessThanOrEqualTo: box.trailingAnchor),
        ])
        box.layoutIfNeeded()
        return box
    }

    @Test(arguments: [(false, 1), (false, 0), (true, 0)])
    func `a class that adds room to its size has it, and its text is in the middle`(
        followsBounds: Bool,
        lineCount: Int
    ) throws {
        let (label, plain) = (PaddedLabel(), UILabel())
        (label.text, plain.text) = ("Are you awake?", "Are you awake?")
        (label.numberOfLines, label.followsBounds) = (lineCount, followsBounds)
        let box = placed(label, inWidth: 300)
        let size = plain.intrinsicContentSize
        #expect(label.frame == rect(0, 0, size.width + 24, 37))
        let drawn = try nodes(box)
        #expect(drawn.map(\.kind.name) == [.view, .view, .text])
        #expect(drawn.last?.frame == SceneFrame(12, 8, Double(size.width), 21))
        #expect(drawn.last?.kind.texts == ["Are you awake?"])
    }

    @Test func `lines in a label with room are broken for what is left of its width`() throws {
        let label = PaddedLabel()
        (label.text, label.numberOfLines, label.followsBounds) = (String(repeating: "word ", count: 20), 0, true)
        let box = placed(label, inWidth: 200)
        let text = try #require(try nodes(box).last)
        let lineCount = text.kind.texts.joined().split(separator: "\n").count
        #expect(lineCount > 2)
        #expect(label.frame.height == CGFloat(21 * lineCount + 16))
        #expect(text.frame?.height == Double(21 * lineCount))
    }

    @Test func `a class that says the rectangle of its text has the size of that`() {
        let (label, plain) = (InsetLabel(), UILabel())
        (label.text, plain.text) = ("Two words", "Two words")
        let size = plain.intrinsicContentSize
        #expect(label.intrinsicContentSize == CGSize(width: size.width + 24, height: 37))
        label.numberOfLines = 0
        #expect(label.sizeThatFits(CGSize(width: 84, height: 0)).height == 58)
        _ = placed(label, inWidth: 300)
        #expect(label.frame == rect(0, 0, size.width + 24, 37))
    }

    @Test func `a label is asked for the place of its text once for a text and a size, and again for others`() throws {
        let label = PaddedLabel()
        label.text = "one"
        let shown = ShownView(label)
        label.frame = rect(0, 0, 100, 40)
        for step in 1...5 {
            label.alpha = CGFloat(step) / 10
            _ = try shown.drawn()
        }
        #expect(label.drawnCount == 1)
        label.text = "two"
        _ = try shown.drawn()
        label.frame.size.width = 120
        _ = try shown.drawn()
        #expect(label.drawnCount == 3)
    }

    @Test func `a text that its owner changes later stays as it was given`() throws {
        let text = NSMutableAttributedString(string: "before")
        let label = UILabel()
        label.attributedText = text
        text.mutableString.setString("behind")
        #expect(label.text == "before")
        #expect(try self.text(label).plain == "before")
    }
}
