// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SceneModel

/// A scene as a terminal shows it.
struct SceneLinesTests {
    @Test
    func `each kind has its line, and each control a number`() throws {
        let kinds: [SceneKind] = [
            .text(SceneText([SceneText.Run("Alice sent\na photo")])), .image(SceneImage()),
            .slider(SceneRange(value: 0.4)), .stepper(SceneRange(value: 2, maximum: 9)),
            .switch(SceneSwitch(isOn: true)),
            .segments(SceneSegments(titles: ["Day", "Week"], chosen: 1)), .progress(SceneProgress(value: 0.5)),
            .spinner(SceneSpinner(isTurning: true)), .field(SceneField(placeholder: "Answer")),
            .editor(SceneField(value: "Yes")), .field(SceneField(isSecure: true)),
            .date(SceneDate(value: -147_312_000_000)), .media(SceneMedia(isPlaying: true)),
            .button(SceneButton(title: "Launch app")), .button(SceneButton(title: "Dead", isDisabled: true)),
        ]
        var nodes = kinds.enumerated().map { SceneNode(id: UInt32($0 + 2), up: 1, $1) }
        nodes[1].label = "Logo"
        nodes[2].label = "Opacity"
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: [.root] + nodes))
        let lines = SceneLines(tree)
        #expect(
            lines.lines == [
                "Alice sent", "a photo", "(picture: Logo)", "[1] Opacity [###-----] 0.4", "[2] - 2 +", "[3] on",
                "[4] Day | <Week>", "[####----]", "…", "[5] _Answer_", "[6] _Yes_",
                "(the app cannot ask for passwords here)", "[7] 1965-05-02T00:00:00.000Z", "(playing)",
                "[8] Launch app", "Dead",
            ]
        )
        #expect(lines.control(named: "Launch app") == 15)
        #expect(lines.control(named: "Opacity") == 4)
        #expect(lines.control(named: "8") == 15)
        #expect(lines.control(named: "9") == nil)
    }

    @Test
    func `views without a word, as the bars of a chart, change nothing in the order of what is written`() throws {
        var nodes = [SceneNode.root]
        for (index, name) in ["Mo", "Tu", "We"].enumerated() {
            let x = Double(index) * 40
            let id = UInt32(index) * 2 + 2
            // The bar of the middle is the highest one, and all of them reach below their words.
            let top = index == 1 ? 0 : 60.0
            nodes.append(SceneNode(id: id, up: 1, .view, frame: SceneFrame(x + 8, top, 24, 120 - top)))
            var word = SceneNode.text(id + 1, name)
            word.frame = SceneFrame(x, 100, 40, 14)
            nodes.append(word)
        }
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: nodes))
        #expect(SceneLines(tree).lines == ["Mo", "Tu", "We"])
    }

    @Test
    func `framed nodes are read from top to bottom, and a row on one line`() throws {
        var low = SceneNode.text(2, "below")
        low.frame = SceneFrame(0, 40, 100, 20)
        var right = SceneNode.text(3, "right")
        right.frame = SceneFrame(50, 0, 50, 20)
        var left = SceneNode.text(4, "left")
        left.frame = SceneFrame(0, 0, 50, 20)
        let row = SceneNode(id: 5, up: 1, .row(SceneFlow()), frame: SceneFrame(0, 80, 100, 20))
        var hidden = SceneNode.text(8, "hidden")
        hidden.style.isHidden = true
        let tree = try SceneTree(
            .root,
            low,
            right,
            left,
            row,
            SceneNode(id: 6, up: 5, .button(SceneButton(title: "Yes"))),
            SceneNode(id: 7, up: 5, .button(SceneButton(title: "No"))),
            hidden
        )
        #expect(SceneLines(tree).lines == ["left", "right", "below", "[1] Yes  [2] No"])
    }

    @Test
    func `no text of a worker moves or colours a terminal`() throws {
        let tree = try SceneTree(
            .root,
            .text(2, "\u{1B}[31mred\u{202E}"),
            SceneNode(id: 3, up: 1, .button(SceneButton(title: "\r\u{7}Go")))
        )
        #expect(SceneLines(tree).lines == [#"\u{1b}[31mred\u{202e}"#, #"[1] \u{d}\u{7}Go"#])
    }

    @Test
    func `a number is the title that reads so or the number of its line, and no text is taken for a control`() throws {
        let tree = try SceneTree(
            .root,
            .text(2, "[1] Pay\r\n[2]"),
            SceneNode(id: 3, up: 1, .button(SceneButton(title: "Cancel")), label: ""),
            SceneNode(id: 4, up: 1, .button(SceneButton(title: "Pay")), label: "1")
        )
        let lines = SceneLines(tree)
        #expect(lines.lines == [" [1] Pay", " [2]", "[1] Cancel", "[2] 1"])
        #expect(lines.control(named: "1") == 4)
        #expect(lines.control(named: "[1]") == 3)
        #expect(lines.control(named: "2") == 4)
        #expect(lines.control(named: "Cancel") == 3)
        #expect(lines.control(named: "Pay") == nil)
    }

    @Test
    func `a click turns a switch, chooses the segment of a title that is alone, and is a click on all else`() throws {
        var wifi = SceneNode(id: 2, up: 1, .switch(SceneSwitch(isOn: true)))
        wifi.label = "Wi-Fi"
        let tree = try SceneTree(
            .root,
            wifi,
            SceneNode(id: 3, up: 1, .segments(SceneSegments(titles: ["Good", "Great", "Go"]))),
            SceneNode(id: 4, up: 1, .segments(SceneSegments(titles: ["Good", "Bad"]))),
            SceneNode(id: 5, up: 1, .button(SceneButton(title: "Go")))
        )
        let clicks = ["Wi-Fi", "Great", "Bad", "Go", "Good", "None"].map { SceneLines(tree).click(on: $0) }
        #expect(clicks.map { $0?.id } == [2, 3, 4, 5, nil, nil])
        #expect(
            clicks.map { $0?.event } == [
                .value(.flag(false)), .value(.number(1)), .value(.number(1)), .tap(at: nil), nil, nil,
            ]
        )
    }

    @Test(arguments: ["+1", "-1", " 1", "1 ", "0", "[+1]", "[ 1]", "[", "[]", "]", "", "\(Int.min)", "\(Int.max)0"])
    func `a number with a sign, a blank or no control is none`(name: String) throws {
        let tree = try SceneTree(.root, SceneNode(id: 2, up: 1, .button(SceneButton(title: "Go"))))
        #expect(SceneLines(tree).control(named: name) == nil)
    }

    @Test
    func `what has no frame has the whole of its parent, and stands before what is lower`() throws {
        var low = SceneNode.text(2, "low")
        low.frame = SceneFrame(0, 10, 1, 1)
        var high = SceneNode.text(4, "high")
        high.frame = SceneFrame(0, 0, 1, 1)
        #expect(try SceneLines(SceneTree(.root, low, .text(3, "whole"), high)).lines == ["whole", "high", "low"])
    }

    @Test
    func `what stands on one line is read from left to right, whatever is a little higher`() throws {
        func text(_ id: UInt32, _ text: String, _ frame: SceneFrame) -> SceneNode {
            var node = SceneNode.text(id, text)
            node.frame = frame
            return node
        }
        let buy = SceneNode(
            id: 2,
            up: 1,
            .button(SceneButton(title: "Buy")),
            frame: SceneFrame(268, 7, 48, 31)
        )
        let price = text(3, "$9.50", SceneFrame(212.5, 12, 47.5, 21))
        let name = text(4, "Bundle", SceneFrame(12, 12, 192.5, 21))
        #expect(try SceneLines(SceneTree(.root, buy, price, name)).lines == ["Bundle", "$9.50", "[1] Buy"])
        // What stands beside a picture is read line by line, at its right behind it, at its left before it.
        let picture = SceneNode(id: 2, up: 1, .image(SceneImage()), frame: SceneFrame(0, 0, 100, 100))
        let upper = text(3, "upper", SceneFrame(180, 10, 40, 20))
        let lower = text(4, "lower", SceneFrame(110, 35, 40, 20))
        #expect(try SceneLines(SceneTree(.root, lower, upper, picture)).lines == ["(picture)", "upper", "lower"])
        let aside = SceneNode(id: 2, up: 1, .image(SceneImage()), frame: SceneFrame(230, 0, 100, 100))
        #expect(try SceneLines(SceneTree(.root, lower, upper, aside)).lines == ["upper", "lower", "(picture)"])
        // What covers another stands on no line with it.
        let below = text(2, "below", SceneFrame(10, 0, 100, 20))
        let above = text(3, "above", SceneFrame(0, 2, 100, 20))
        #expect(try SceneLines(SceneTree(.root, above, below)).lines == ["below", "above"])
    }
}
