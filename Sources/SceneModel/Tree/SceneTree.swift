// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// The scene of a view as all updates so far have made it.
///
/// A pure value: the host keeps one to judge its worker, the centre one for pages that come later, and tests one to
/// look at. After a fault the scene is in an undefined state, and its view ends.
package struct SceneTree: Sendable {
    private var nodes: [UInt32: SceneNode] = [:]
    /// The children of each node that has some, as they are drawn; of the box under 0.
    private var children: [UInt32: [UInt32]] = [:]
    /// The highest id that a node ever had.
    private var lastID: UInt32 = 0
    private var textByteCount = 0
    private var lineCount = 0

    package private(set) var size: SceneSize?
    package private(set) var title: String?
    package private(set) var actions: [CategoryAction]?
    package private(set) var mediaButton: SceneMediaButton?

    package init() {}

    package var isEmpty: Bool { nodes.isEmpty }
    package var count: Int { nodes.count }
    /// The node that fills the box; `nil` before the first update.
    package var root: SceneNode? { (children[0]?.first).flatMap { nodes[$0] } }

    package subscript(id: UInt32) -> SceneNode? { nodes[id] }

    /// The children of a node as they are drawn.
    package func children(of id: UInt32) -> [SceneNode] {
        (children[id] ?? []).compactMap { nodes[$0] }
    }

    /// All nodes as they are drawn, each before what hangs below it.
    package var inOrder: [SceneNode] {
        var found: [SceneNode] = []
        found.reserveCapacity(nodes.count)
        var waiting = Array((children[0] ?? []).reversed())
        while let id = waiting.popLast() {
            guard let node = nodes[id] else { continue }
            found.append(node)
            waiting.append(contentsOf: (children[id] ?? []).reversed())
        }
        return found
    }

    /// Hashes of all files that are shown.
    package var sources: Set<BlobHash> { Set(nodes.values.compactMap(\.kind.source)) }

    /// One update that makes the same scene from nothing.
    package var whole: SceneUpdate {
        SceneUpdate(set: inOrder, size: size, title: title, actions: actions, mediaButton: mediaButton)
    }

    /// Takes an update whose pieces are all there.
    package mutating func apply(_ update: SceneUpdate) throws(SceneFault) {
        var isReshaped = !update.gone.isEmpty
        let before = lastID
        for node in update.set {
            isReshaped = try take(node, above: before) || isReshaped
        }
        guard nodes.count <= SceneLimits.nodeCount else { throw .tooManyNodes(nodes.count) }
        if isReshaped { try hang() }
        if !update.gone.isEmpty { try remove(update.gone) }
        if isReshaped { try judgeShape() }
        guard textByteCount <= SceneLimits.textByteCount else { throw .tooMuchText(byteCount: textByteCount) }
        guard lineCount <= SceneLimits.lineCount else { throw .tooManyLines(lineCount) }
        if let size = update.size { self.size = size }
        if let title = update.title { self.title = title.isEmpty ? nil : title }
        if let actions = update.actions { self.actions = actions }
        if let button = update.mediaButton { mediaButton = button.kind == .none ? nil : button }
    }

    /// Puts a node in; true if what hangs where has changed.
    private mutating func take(_ node: SceneNode, above before: UInt32) throws(SceneFault) -> Bool {
        let byteCount = node.textByteCount
        guard byteCount <= SceneLimits.nodeTextByteCount else { throw .tooMuchTextOfNode(byteCount: byteCount) }
        let old = nodes.updateValue(node, forKey: node.id)
        guard old != nil || node.id > before else { throw .usedID(node.id) }
        lastID = max(lastID, node.id)
        textByteCount += byteCount - (old?.textByteCount ?? 0)
        lineCount += node.lineCount - (old?.lineCount ?? 0)
        return old?.up != node.up || old?.order != node.order
    }

    /// Makes the lists of children anew from what each node says.
    private mutating func hang() throws(SceneFault) {
        var found: [UInt32: [UInt32]] = [:]
        let ids = nodes.keys.sorted()
        for id in ids {
            guard let up = nodes[id]?.up, up == 0 || nodes[up] != nil else { throw .unknownNode(nodes[id]?.up ?? 0) }
            found[up, default: []].append(id)
        }
        for id in ids {
            guard let order = nodes[id]?.order, !order.isEmpty else { continue }
            found[id] = try Self.ordered(found[id] ?? [], by: order, of: id)
        }
        children = found
    }

    /// Returns children in the order that their parent wants, the others behind them by id.
    private static func ordered(
        _ ids: [UInt32],
        by order: [UInt32],
        of parent: UInt32
    ) throws(SceneFault) -> [UInt32] {
        var rest = Set(ids)
        for id in order where rest.remove(id) == nil { throw .notAChild(id, of: parent) }
        return order + ids.filter(rest.contains)
    }

    /// Takes nodes out with all that hangs below them; one below another that went before is gone already.
    private mutating func remove(_ ids: [UInt32]) throws(SceneFault) {
        var removed: Set<UInt32> = []
        for id in ids where !removed.contains(id) {
            guard nodes[id] != nil else { throw .unknownNode(id) }
            var waiting = [id]
            while let next = waiting.popLast() {
                guard removed.insert(next).inserted, let node = nodes.removeValue(forKey: next) else { continue }
                textByteCount -= node.textByteCount
                lineCount -= node.lineCount
                waiting.append(contentsOf: children.removeValue(forKey: next) ?? [])
            }
        }
        children = children.mapValues { $0.filter { !removed.contains($0) } }.filter { !$0.value.isEmpty }
        for id in Array(nodes.keys) { nodes[id]?.order.removeAll(where: removed.contains) }
    }

    /// Looks for a box with more than one root, circles, and too many levels or children.
    private func judgeShape() throws(SceneFault) {
        let roots = children[0] ?? []
        guard roots.count == 1 || nodes.isEmpty else { throw .rootCount(roots.count) }
        var (seen, level, depth) = (0, roots, 0)
        while !level.isEmpty {
            depth += 1
            guard depth <= SceneLimits.depth else { throw .tooDeep(depth) }
            seen += level.count
            var next: [UInt32] = []
            for id in level {
                let below = children[id] ?? []
                guard below.count <= SceneLimits.childCount else { throw .tooManyChildren(below.count) }
                next += below
            }
            level = next
        }
        // Each node hangs below one other: what no walk from the box reaches hangs in a circle.
        guard seen == nodes.count else { throw .circle(circle(beside: seen)) }
    }

    /// Returns the lowest id of those that no walk from the box reaches.
    private func circle(beside seen: Int) -> UInt32 {
        let reached = Set(inOrder.map(\.id))
        return nodes.keys.filter { !reached.contains($0) }.min() ?? 0
    }
}
