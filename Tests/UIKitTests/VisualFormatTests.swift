// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// A format that cannot be read, the place of the fault and the reason.
private let faults: [(String, Int, String)] = [
    ("", 0, "a view in brackets is expected"),
    ("|-", 2, "a view in brackets is expected"),
    ("V|[a]", 1, "\":\" is expected behind the letter of the direction"),
    ("[a", 2, "\"]\" is expected behind a view"),
    ("[]", 1, "the name of a view is expected"),
    ("[1a]", 1, "the name of a view is expected"),
    ("[a]-", 4, "a view in brackets is expected"),
    ("[a]-8[b]", 5, "\"-\" is expected behind a distance"),
    ("[a]-(8[b]", 6, "\")\" is expected behind a condition"),
    ("[a]-(8)[b]", 7, "\"-\" is expected behind a distance"),
    ("[a]-*-[b]", 4, "a distance, a view or an edge is expected"),
    ("[a]--8-[b]", 4, "a distance, a view or an edge is expected"),
    ("[a(]", 3, "a number or a name is expected"),
    ("[a(=8)]", 4, "\"=\" is expected behind \"=\""),
    ("[a(>8)]", 4, "\"=\" is expected behind \">\""),
    ("[a(8@)]", 5, "a priority is expected"),
    ("[a(8@1001)]", 5, "a priority is above 0 and at most 1000"),
    ("[a(8@0)]", 5, "a priority is above 0 and at most 1000"),
    ("[a(1.2.3)]", 3, "a number is expected"),
    ("[a]|[b]", 4, "nothing stands behind the edge \"|\""),
    ("[a]-[nobody]", 5, "\"nobody\" is no name of a view: give it in \"views\""),
    ("[a]-[text]", 5, "\"text\" is neither a view nor a guide"),
    ("[a]-gap-[b]", 4, "\"gap\" is no name of a number: give it in \"metrics\""),
    ("[a]-word-[b]", 4, "the metric \"word\" is no number"),
    ("[a(==nobody)]", 5, "\"nobody\" is no name of a view or of a number"),
    ("|[free]", 0, "\"|\" has no meaning, since \"free\" is in no view: add it to one first"),
]

@MainActor @Suite struct VisualFormatTests {
    let root = UIView.box(320, 200)
    let one = SizedView(50, 20)
    let two = SizedView(60, 30)
    let three = SizedView(70, 40)

    init() {
        root.with(one, two, three)
    }

    private var names: [String: Any] { ["a": one, "b": two, "c": three] }

    /// Activates the constraints of a format and returns them in words.
    @discardableResult
    private func use(
        _ format: String,
        _ options: NSLayoutConstraint.FormatOptions = [],
        metrics: [String: Any]? = nil
    ) -> [String] {
        let made = NSLayoutConstraint.constraints(
            withVisualFormat: format,
            options: options,
            metrics: metrics,
            views: names
        )
        NSLayoutConstraint.activate(made)
        root.layoutIfNeeded()
        return made.map { words(of: $0) }
    }

    private func words(of constraint: NSLayoutConstraint) -> String {
        func name(_ item: AnyObject?) -> String {
            item === root ? "root" : names.first { $0.value as AnyObject === item }?.key ?? "?"
        }
        let relation = [-1: "<=", 0: "==", 1: ">="][constraint.relation.rawValue] ?? "?"
        let second = constraint.secondItem.map { " \(name($0)).\(constraint.secondAttribute) +" } ?? ""
        let priority = constraint.priority == .required ? "" : " @\(constraint.priority.rawValue)"
        let first = "\(name(constraint.firstItem)).\(constraint.firstAttribute)"
        return "\(first) \(relation)\(second) \(constraint.constant)\(priority)"
    }

    // MARK: The grammar, by the examples of Apple's page

    @Test("A line alone is the standard distance between views, and the margin at an edge")
    func standard() {
        #expect(
            use("|-[a]-[b]-|") == [
                "a.leading == root.leadingMargin + 0.0", "b.leading == a.trailing + 8.0",
                "root.trailingMargin == b.trailing + 0.0",
            ]
        )
        #expect(one.frame.minX == 8)
        #expect(two.frame.minX == one.frame.maxX + 8)
        #expect(two.frame.maxX == 312)
    }

    @Test("Without a line edges touch")
    func flush() {
        #expect(
            use("V:|[a][b]|") == [
                "a.top == root.top + 0.0", "b.top == a.bottom + 0.0", "root.bottom == b.bottom + 0.0",
            ]
        )
        #expect(one.frame.minY == 0)
        #expect(two.frame == rect(0, one.frame.maxY, 60, 200 - one.frame.maxY))
    }

    @Test("Distances are numbers, names and conditions")
    func distances() {
        let made = use("H:|-10-[a]-gap-[b]-(>=5,<=30@200)-[c]-(-4)-|", metrics: ["gap": 12])
        #expect(
            made == [
                "a.leading == root.leading + 10.0", "b.leading == a.trailing + 12.0", "c.leading >= b.trailing + 5.0",
                "c.leading <= b.trailing + 30.0 @200.0", "root.trailing == c.trailing + -4.0",
            ]
        )
    }

    @Test("Sizes are numbers, names, and those of other views, with priorities")
    func sizes() {
        let made = use(
            "|[a(100)]-[b(==a,>=least@strong)]-[c(<=50.5@20)]",
            metrics: ["least": CGFloat(90), "strong": NSNumber(value: 900)]
        )
        #expect(
            made == [
                "a.leading == root.leading + 0.0", "a.width == 100.0", "b.leading == a.trailing + 8.0",
                "b.width == a.width + 0.0",
                "b.width >= 90.0 @900.0", "c.leading == b.trailing + 8.0", "c.width <= 50.5 @20.0",
            ]
        )
        #expect(two.frame == rect(108, 0, 100, 30))
        #expect(use("V:[c(a)]") == ["c.height == a.height + 0.0"])
    }

    @Test("White space stands between any two parts")
    func space() {
        #expect(
            use(" V : | - 5 - [ a ( >= 10 , == b @ 300 ) ] - [ b ] ") == [
                "a.top == root.top + 5.0", "a.height >= 10.0", "a.height == b.height + 0.0 @300.0",
                "b.top == a.bottom + 8.0",
            ]
        )
    }

    // MARK: Options

    @Test("Options align each view with the one before it")
    func alignment() {
        let made = use("|-[a]-[b]-[c]", [.alignAllTop, .alignAllBottom])
        #expect(
            made.suffix(4) == [
                "a.top == b.top + 0.0", "b.top == c.top + 0.0", "a.bottom == b.bottom + 0.0",
                "b.bottom == c.bottom + 0.0",
            ]
        )
        #expect(one.frame.height == three.frame.height)
    }

    @Test("Options say left and right, whatever the language")
    func directions() {
        #expect(
            use("|-5-[a]-[b]", .directionLeftToRight) == [
                "a.left == root.left + 5.0", "b.left == a.right + 8.0",
            ]
        )
        NSLayoutConstraint.deactivate(root.constraints)
        #expect(
            use("|-5-[a]-(>=6)-[b]-|", .directionRightToLeft) == [
                "a.right == root.right + -5.0", "b.right <= a.left + -6.0", "root.leftMargin == b.left + 0.0",
            ]
        )
        #expect(one.frame.maxX == 315)
        #expect(two.frame.minX == 8)
    }

    @Test("A row follows the language")
    func language() {
        root.semanticContentAttribute = .forceRightToLeft
        use("|-5-[a]-7-[b]")
        #expect(one.frame == rect(265, 0, 50, 20))
        #expect(two.frame == rect(198, 0, 60, 30))
    }

    @Test("An option measures the distances of a column between lines of text")
    func baselines() {
        (one.lines, two.lines) = ((15, 5), (20, 10))
        let made = use("V:|[a]-40-[b]", .spacingBaselineToBaseline)
        #expect(made == ["a.top == root.top + 0.0", "b.firstBaseline == a.lastBaseline + 40.0"])
        #expect(two.frame.minY == 35)
    }

    // MARK: Items

    @Test("Guides stand in formats as views do, and views in optionals too")
    func guides() {
        let controller = UIViewController()
        controller.view = root
        let guide = UILayoutGuide()
        root.addLayoutGuide(guide)
        let outlet: SizedView? = one
        let made = NSLayoutConstraint.constraints(
            withVisualFormat: "V:[top]-10-[guide(30)]-[a]",
            metrics: nil,
            views: ["top": controller.topLayoutGuide, "guide": guide, "a": outlet as Any]
        )
        NSLayoutConstraint.activate(made)
        #expect(one.placed.minY == 48)
        #expect(guide.layoutFrame == rect(0, 10, 0, 30))
    }

    // MARK: Faults

    @Test("A format that cannot be read says what is wrong and where", arguments: faults)
    func fault(format: String, place: Int, reason: String) {
        let expected = VisualFormatError(format: format, place: place, reason: reason)
        #expect(throws: expected) { try make(format) }
    }

    @Test("Views cannot be aligned along the direction in which they stand")
    func alignedAlong() {
        let expected = VisualFormatError(
            format: "V:[a][b]",
            place: 0,
            reason: "views that stand along a direction cannot be aligned along it too"
        )
        #expect(throws: expected) { try make("V:[a][b]", .alignAllTop) }
        #expect(throws: Never.self) { try make("V:[a][b]", .alignAllLeading) }
    }

    @Test("A message shows the format with a mark under the place")
    func message() {
        let error = VisualFormatError(format: "|-[a]-[nobody]", place: 7, reason: "no such view")
        #expect(
            error.description == """
                cannot make constraints of a visual format: no such view
                |-[a]-[nobody]
                       ^
                """
        )
    }

    @Test("A long format is read in one go")
    func long() throws {
        let format = "|" + String(repeating: "-(>=1@2,<=3)-[a(5)]", count: 20_000)
        var parser = VisualFormatParser(format)
        let parsed = try parser.parse()
        #expect(parsed.boxes.count == 20_000)
    }

    private func make(_ format: String, _ options: NSLayoutConstraint.FormatOptions = []) throws -> Int {
        var parser = VisualFormatParser(format)
        let parsed = try parser.parse()
        let views = names.merging(["text": "no view", "free": UIView()]) { first, _ in first }
        return try VisualFormatConstraints(parsed, format, options, metrics: ["word": "no number"], views: views).make()
            .count
    }
}

@Suite struct VisualFormatExitTests {
    @Test("A format that cannot be read ends the process, and the log shows the place")
    func ends() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            await MainActor.run {
                let views: [String: Any] = ["a": UIView()]
                _ = NSLayoutConstraint.constraints(withVisualFormat: "H:[a]-[b]", metrics: nil, views: views)
            }
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("\"b\" is no name of a view: give it in \"views\"\nH:[a]-[b]\n       ^\n"))
    }
}
