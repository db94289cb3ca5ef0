// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing

@testable import SceneModel

/// Updates and the scene that they make, and each way not to fit it.
struct SceneTreeTests {
    private func ids(_ tree: SceneTree) -> [UInt32] { tree.inOrder.map(\.id) }

    @Test
    func `children come in the order of their parent, the others behind them by id`() throws {
        let tree = try SceneTree(.view(1, in: 0, order: [4, 2]), .view(2), .view(3), .view(4), .view(5, in: 4))
        #expect(ids(tree) == [1, 4, 5, 2, 3])
        #expect(tree.root?.id == 1)
    }

    @Test
    func `a node that is told again replaces itself, and a repeated update changes nothing`() throws {
        var tree = try SceneTree(.root, .text(2, "Lunch?"))
        let update = SceneUpdate(set: [.text(2, "Dinner?")])
        try tree.apply(update)
        let once = tree.whole
        try tree.apply(update)
        #expect(tree.whole == once)
        #expect(tree[2]?.kind.texts == ["Dinner?"])
    }

    @Test
    func `a node goes with what hangs below it, and stays when it moved away in the same update`() throws {
        var tree = try SceneTree(.view(1, in: 0, order: [2, 5]), .view(2), .view(3, in: 2), .view(4, in: 3), .view(5))
        try tree.apply(SceneUpdate(set: [.view(4)], gone: [2]))
        #expect(ids(tree) == [1, 5, 4])
        #expect(tree[1]?.order == [5])
    }

    @Test
    func `the root is replaced in one update`() throws {
        var tree = try SceneTree(.root, .view(2))
        try tree.apply(SceneUpdate(set: [.view(3, in: 0), .view(4, in: 3)], gone: [1]))
        #expect(ids(tree) == [3, 4])
    }

    @Test
    func `what stands alone keeps its last value`() throws {
        var tree = try SceneTree(.root)
        let button = SceneMediaButton(kind: .overlay, frame: SceneFrame(0, 0, 44, 44))
        let action = CategoryAction(identifier: "like", title: "Like")
        try tree.apply(SceneUpdate(size: SceneSize(360, 200), title: "Photo", actions: [action], mediaButton: button))
        try tree.apply(SceneUpdate(set: [.root]))
        #expect(tree.size == SceneSize(360, 200))
        #expect(tree.title == "Photo")
        #expect(tree.actions == [action])
        #expect(tree.mediaButton == button)
        try tree.apply(SceneUpdate(title: "", mediaButton: SceneMediaButton(kind: .none, frame: button.frame)))
        #expect(tree.title == nil)
        #expect(tree.mediaButton == nil)
    }

    @Test(
        arguments: [
            (SceneUpdate(set: [.view(3, in: 9)]), .unknownNode(9)),
            (SceneUpdate(set: [.view(1, in: 0, order: [9])]), .notAChild(9, of: 1)),
            (SceneUpdate(set: [.view(1, in: 0, order: [3, 3])]), .notAChild(3, of: 1)),
            (SceneUpdate(set: [.view(1, in: 0, order: [4])]), .notAChild(4, of: 1)),
            (SceneUpdate(set: [.view(2)]), .usedID(2)),
            (SceneUpdate(files: [SceneFile(number: 2, path: "a"), SceneFile(number: 2, path: "b")]), .usedFile(2)),
            (SceneUpdate(set: [.view(9, in: 0)]), .rootCount(2)),
            (SceneUpdate(set: [SceneNode(id: 9, up: 0, .view, isStrip: true)]), nil),
            (SceneUpdate(set: [SceneNode(id: 9, up: 1, .view, isStrip: true)]), .strip(9)),
            (SceneUpdate(set: [9, 10].map { SceneNode(id: $0, up: 0, .view, isStrip: true) }), .rootCount(3)),
            (SceneUpdate(set: [SceneNode(id: 1, up: 0, .view, isStrip: true)]), .rootCount(1)),
            (SceneUpdate(gone: [1]), nil),
            (SceneUpdate(gone: [2]), .unknownNode(2)),
            (SceneUpdate(gone: [9]), .unknownNode(9)),
            (SceneUpdate(gone: [3, 3]), nil),
            (SceneUpdate(set: [.view(1, in: 4)]), .rootCount(0)),
            (SceneUpdate(set: [.view(3, in: 4)]), .circle(3)),
            (SceneUpdate(set: [.view(4, in: 4)]), .circle(4)),
        ] as [(SceneUpdate, SceneFault?)]
    )
    func `an update that does not fit`(update: SceneUpdate, fault: SceneFault?) throws {
        var tree = try SceneTree(.root, .view(2), .view(3), .view(4, in: 3))
        try tree.apply(SceneUpdate(gone: [2]))
        #expect(tree.fault(update) == fault)
    }

    @Test
    func `new ids are above all earlier ones, in any order inside an update`() throws {
        var tree = try SceneTree(.root, .view(7), .view(5))
        #expect(tree.fault(SceneUpdate(set: [.view(6)])) == .usedID(6))
    }

    @Test
    func `what moves leaves the order of a parent that is not told`() throws {
        var tree = try SceneTree(.view(1, in: 0, order: [3, 2]), .view(2), .view(3))
        try tree.apply(SceneUpdate(set: [.view(3, in: 4), .view(4)]))
        #expect(ids(tree) == [1, 2, 4, 3])
        #expect(tree[1]?.order == [2])
        let named = SceneUpdate(set: [.view(1, in: 0, order: [3])])
        #expect(tree.fault(named) == .notAChild(3, of: 1))
    }

    @Test
    func `a whole new scene takes the place of the old one in one update`() throws {
        func scene(from first: UInt32) -> [SceneNode] {
            [.view(first, in: 0)] + (1...250).map { .view(first + $0, in: first) }
                + (251...299).map { .view(first + $0, in: first + 1) }
        }
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: scene(from: 1)))
        try tree.apply(SceneUpdate(set: scene(from: 301), gone: [1]))
        #expect(tree.count == 300)
        #expect(tree.root?.id == 301)
    }

    @Test
    func `the strip hangs beside the root`() throws {
        let strip = SceneNode(id: 2, up: 0, .field(SceneField()), isStrip: true)
        let tree = try SceneTree(.root, strip)
        #expect(tree.root?.id == 1)
        #expect(tree.strip?.id == 2)
    }

    // MARK: Bounds, at the value and one beyond

    @Test
    func `512 nodes, and not one more`() throws {
        // Two levels, since a node has at most 256 children.
        let nodes = (2...511).map { SceneNode.view(UInt32($0), in: $0 <= 3 ? 1 : UInt32(2 + $0 % 2)) }
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: [.root] + nodes))
        #expect(tree.fault(SceneUpdate(set: [.view(512)])) == nil)
        #expect(tree.count == 512)
        #expect(tree.fault(SceneUpdate(set: [.view(513)])) == .tooManyNodes(513))
    }

    @Test
    func `32 levels, and not one more`() throws {
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: (1...32).map { .view($0, in: $0 - 1) }))
        #expect(tree.fault(SceneUpdate(set: [.view(33, in: 32)])) == .tooDeep(33))
    }

    @Test
    func `256 children, and not one more`() throws {
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: [.root] + (2...257).map { .view($0) }))
        #expect(tree.fault(SceneUpdate(set: [.view(258)])) == .tooManyChildren(257))
    }

    @Test
    func `8 KiB of text in a node, its label with it, and not a byte more`() throws {
        var node = SceneNode.text(2, String(repeating: "a", count: 8_191))
        node.label = "b"
        var tree = try SceneTree(.root, node)
        node.label = "bc"
        #expect(tree.fault(SceneUpdate(set: [node])) == .tooMuchTextOfNode(byteCount: 8_193))
    }

    @Test
    func `64 KiB of text in a scene, and not a byte more`() throws {
        let full = String(repeating: "a", count: 8_192)
        var tree = SceneTree()
        try tree.apply(SceneUpdate(set: [.root] + (2...9).map { .text($0, full) }))
        #expect(tree.fault(SceneUpdate(set: [.text(10, "a")])) == .tooMuchText(byteCount: 65_537))
        tree = SceneTree()
        try tree.apply(SceneUpdate(set: [.root] + (2...9).map { .text($0, full) }))
        try tree.apply(SceneUpdate(set: [.text(10, "a")], gone: [9]))
        #expect(tree.count == 9)
    }

    /// A text of so many runs, each with every member, of `byteCount` bytes as JSON.
    private func rich(_ id: UInt32, runs: Int) -> SceneNode {
        let font = SceneFont(size: 17.12345678901234, weight: 600, isItalic: true)
        let run = SceneText.Run("", font: font, color: SceneColor(.max, dark: 1), isUnderlined: true, isStruck: true)
        return SceneNode(id: id, up: 1, .text(SceneText(Array(repeating: run, count: runs))))
    }

    @Test
    func `240,000 bytes of nodes, and not a run more, and a full scene is told in eight packets`() throws {
        var tree = try SceneTree(.root)
        let each = rich(1000, runs: 64).byteCount
        let full = (240_000 - SceneNode.root.byteCount) / each
        for index in 0..<full { try tree.apply(SceneUpdate(set: [rich(UInt32(1000 + index), runs: 64)])) }
        #expect(tree.whole.pieces(ofAtMost: 65_527).count <= 8)
        var assembly = SceneAssembly()
        for piece in tree.whole.pieces(ofAtMost: 65_527) { _ = try assembly.take(piece) }
        #expect(!assembly.isWaiting)
        let total = SceneNode.root.byteCount + (full + 1) * each
        #expect(tree.fault(SceneUpdate(set: [rich(2000, runs: 64)])) == .sceneTooLong(byteCount: total))
    }

    @Test
    func `a node of more than 40,000 bytes is refused`() throws {
        let node = SceneNode.text(2, String(repeating: "\u{1}", count: 6_700))
        var tree = try SceneTree(.root)
        #expect(tree.fault(SceneUpdate(set: [node])) == .nodeTooLong(byteCount: node.byteCount))
    }

    @Test
    func `sums stay true over moves, orders and removals`() throws {
        var tree = try SceneTree(.view(1, in: 0, order: [2, 3]), .text(2, "a\nb"), .text(3, "c"))
        for round: UInt32 in 0..<400 {
            let id = 10 + round * 2
            let order = SceneNode.view(1, in: 0, order: [id, 2, 3])
            try tree.apply(SceneUpdate(set: [order, .text(id, String(repeating: "x\n", count: 100))]))
            try tree.apply(SceneUpdate(set: [.text(id, "moved", in: 2)]))
            try tree.apply(SceneUpdate(gone: [id]))
        }
        // As much as a scene may have beside the three nodes, by its lines.
        try tree.apply(SceneUpdate(set: [.text(5000, String(repeating: "\n", count: 396))]))
        #expect(tree.fault(SceneUpdate(set: [.text(5001, "")])) == .tooManyLines(401))
    }

    @Test(arguments: ["\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
    func `every line break of a browser counts`(lineBreak: String) throws {
        var tree = try SceneTree(.root)
        let node = SceneNode.text(2, String(repeating: lineBreak, count: 400))
        #expect(tree.fault(SceneUpdate(set: [node])) == .tooManyLines(401))
    }

    @Test
    func `400 lines in a scene, and not one more`() throws {
        let lines = String(repeating: "\n", count: 199)
        var tree = try SceneTree(.root, .text(2, lines), .text(3, lines))
        #expect(tree.fault(SceneUpdate(set: [.text(4, "")])) == .tooManyLines(401))
    }
}
