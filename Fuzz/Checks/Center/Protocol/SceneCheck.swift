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
        guard let whole = try? assembly.take(update) else { return assembly.isWaiting }
        guard (try? tree.apply(whole)) != nil else { return false }
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
        try expect(counts[0] ?? 0 <= 1, "the box has one child")
        let bytes = nodes.map(\.textByteCount)
        try expect(bytes.allSatisfy { $0 <= SceneLimits.nodeTextByteCount }, "a node keeps its bound of text")
        try expect(bytes.reduce(0, +) <= SceneLimits.textByteCount, "a scene keeps its bound of text")
        try expect(nodes.map(\.lineCount).reduce(0, +) <= SceneLimits.lineCount, "a scene keeps its bound of lines")
        try again(tree)
        let shown = SceneLines(tree).lines.joined()
        try expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "lines are plain")
    }

    /// A scene that is told whole is the same scene, in one packet or in pieces.
    private static func again(_ tree: SceneTree) throws(BrokenPromise) {
        let whole = tree.whole
        var (told, assembly) = (SceneTree(), SceneAssembly())
        do {
            for piece in whole.pieces(ofAtMost: 65_527) {
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
        var node = tree[id]
        try expect(node != nil, "an event reaches nodes that are there")
        while let current = node {
            try expect(!current.style.isHidden, "an event reaches nodes that are seen")
            node = tree[current.up]
        }
        try expect(tree[id]?.kind.isDisabled != true || event == .tap, "an event reaches controls that work")
        return true
    }
}
