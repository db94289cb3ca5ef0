// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
private import NotificationPayload
private import SceneModel

/// Feeds hostile updates to a view's scene, and holds what it becomes against PROTOCOL.md, "Scenes".
///
/// An input is a list of lines. One that begins with `e` is an event for the scene, any other the body of an update;
/// the first that is refused ends the view.
public enum SceneCheck {
    /// Plays one input, whatever it is.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            var (tree, assembly, taken) = (SceneTree(), SceneAssembly(), 0)
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                if line.first == UInt8(ascii: "e") {
                    taken += try event(Array(line.dropFirst()), of: tree) ? 1 : 0
                } else {
                    guard try update(Array(line), &tree, &assembly) else { break }
                    taken += 1
                }
            }
            return taken
        }
    }

    /// Bytes of a packet behind its header.
    private static let room = 65_527

    // MARK: Updates

    private static func update(
        _ bytes: [UInt8],
        _ tree: inout SceneTree,
        _ assembly: inout SceneAssembly
    ) throws(BrokenPromise) -> Bool {
        guard let body = try? JSONObject(parsing: bytes.span), let update = try? SceneUpdate(body) else { return false }
        guard let read = try? JSONObject(parsing: update.body.serialized.span) else {
            throw BrokenPromise("what an update is written as can be read")
        }
        try expect((try? SceneUpdate(read)) == update, "an update reads the same once written")
        let joined: SceneUpdate?
        do { joined = try assembly.take(update) } catch { return false }
        guard let joined else { return true }
        for piece in joined.pieces(ofAtMost: room) {
            let bytes = piece.body.serialized
            try expect(bytes.count <= room, "a piece keeps its bound, but for a node that is too long by itself")
            let read = (try? JSONObject(parsing: bytes.span)).flatMap { try? SceneUpdate($0) }
            try expect(read == piece, "a piece of joined pieces reads the same once written")
        }
        guard (try? tree.apply(joined)) != nil else { return false }
        try judge(tree)
        return true
    }

    /// Counts the scene anew, from its nodes alone.
    private static func judge(_ tree: SceneTree) throws(BrokenPromise) {
        let nodes = tree.inOrder
        try expect(nodes.count == tree.count, "every node is below the root")
        try expect(nodes.count <= SceneLimits.nodeCount, "a scene keeps its bound of nodes")
        var depths: [UInt32: Int] = [0: 0]
        var counts: [UInt32: Int] = [:]
        for node in nodes {
            guard depths[node.id] == nil, let above = depths[node.up] else {
                throw BrokenPromise("each node comes once, and behind its parent")
            }
            depths[node.id] = above + 1
            counts[node.up, default: 0] += 1
            try expect(node.order.allSatisfy { tree[$0]?.up == node.id }, "an order names children alone")
            let named = tree.children(of: node.id).prefix(node.order.count).map(\.id)
            try expect(named == node.order, "children are in the order of their parent")
        }
        try expect(depths.values.allSatisfy { $0 <= SceneLimits.depth }, "a scene keeps its bound of levels")
        try expect(counts.values.allSatisfy { $0 <= SceneLimits.childCount }, "a node keeps its bound of children")
        let roots = tree.children(of: 0)
        try expect(nodes.isEmpty || roots.count { !$0.isStrip } == 1, "the box has one child")
        try expect(roots.count(where: \.isStrip) <= 1, "the box has one strip")
        try expect(nodes.allSatisfy { !$0.isStrip || $0.up == 0 }, "a strip hangs at the box")
        let bytes = nodes.map(\.textByteCount)
        try expect(bytes.allSatisfy { $0 <= SceneLimits.nodeTextByteCount }, "a node keeps its bound of text")
        try expect(bytes.reduce(0, +) <= SceneLimits.textByteCount, "a scene keeps its bound of text")
        try expect(nodes.map(\.lineCount).reduce(0, +) <= SceneLimits.lineCount, "a scene keeps its bound of lines")
        try expect(nodes.map(\.byteCount).reduce(0, +) <= SceneLimits.byteCount, "a scene keeps its bound of bytes")
        try again(tree)
        let shown = SceneLines(tree).lines.joined()
        try expect(!shown.unicodeScalars.contains(where: isHostile), "lines are plain")
        let around = ([tree.title ?? ""] + (tree.actions ?? []).map(\.title))
        try expect(around.allSatisfy { $0.utf8.count <= SceneLimits.titleByteCount }, "titles are short")
        let turned = around.joined().unicodeScalars.contains { 0x202A...0x202E ~= $0.value || $0.value < 32 }
        try expect(!turned, "titles stay in their line")
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// A scene that is told whole is the same scene, in one packet or in pieces.
    private static func again(_ tree: SceneTree) throws(BrokenPromise) {
        let whole = tree.whole
        var (told, assembly) = (SceneTree(), SceneAssembly())
        do {
            for piece in whole.pieces(ofAtMost: room) {
                if let update = try assembly.take(piece) { try told.apply(update) }
            }
        } catch {
            throw BrokenPromise("a scene can be told whole: \(error)")
        }
        try expect(told.whole == whole, "a scene that is told whole is the same")
    }

    // MARK: Events

    private static func event(_ bytes: [UInt8], of tree: SceneTree) throws(BrokenPromise) -> Bool {
        guard let body = try? JSONObject(parsing: bytes.span) else { return false }
        var members = Members(body, .strict)
        guard let event = try? ViewEvent(&members), (try? members.end()) != nil else { return false }
        var written: JSONObject = [:]
        event.write(to: &written)
        guard let read = try? JSONObject(parsing: written.serialized.span) else {
            throw BrokenPromise("what an event is written as can be read")
        }
        var again = Members(read, .strict)
        try expect((try? ViewEvent(&again)) == event, "an event reads the same once written")
        guard case .node(let id, let event) = event, (try? tree.judge(event, of: id)) != nil else { return true }
        guard var node = tree[id] else { throw BrokenPromise("an event reaches nodes that are there") }
        let isAct = [.tap, .longPress, .press, .focus, .submit, .value].contains(event.name)
        try expect(node.kind.isDisabled != true || !isAct, "an act reaches controls that work")
        try echo(event, of: node, in: tree)
        while let above = tree[node.up] {
            try expect(!node.style.isHidden || !isAct, "an act reaches nodes that are seen")
            node = above
        }
        return true
    }

    /// A view that shows what a person wrote stays within its bounds.
    private static func echo(_ event: NodeEvent, of node: SceneNode, in tree: SceneTree) throws(BrokenPromise) {
        guard case .value(.text(let text)) = event else { return }
        var (echoed, tree) = (node, tree)
        switch node.kind {
        case .field(var field):
            field.value = text
            echoed.kind = .field(field)
        case .editor(var field):
            field.value = text
            echoed.kind = .editor(field)
        default: return
        }
        do { try tree.apply(SceneUpdate(set: [echoed])) } catch {
            // Quotation marks, tabs and line breaks take two bytes in JSON, of which a scene has its own bound.
            if case .sceneTooLong = error { return }
            throw BrokenPromise("a text that may be written can be shown: \(error)")
        }
    }
}
