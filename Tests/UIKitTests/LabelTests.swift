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

    @Test func `a text that its owner changes later stays as it was given`() throws {
        let text = NSMutableAttributedString(string: "before")
        let label = UILabel()
        label.attributedText = text
        text.mutableString.setString("behind")
        #expect(label.text == "before")
        #expect(try self.text(label).plain == "before")
    }
}
