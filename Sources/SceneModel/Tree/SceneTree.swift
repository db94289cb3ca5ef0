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
    /// The highest number that a file ever had.
    private var lastFile: UInt32 = 0
    private var sums = SceneSums()

    package private(set) var size: SceneSize?
    package private(set) var title: String?
    package private(set) var actions: [CategoryAction]?
    package private(set) var mediaButton: SceneMediaButton?

    package init() {}

    package var isEmpty: Bool { nodes.isEmpty }
    package var count: Int { nodes.count }
    /// The node that fills the box; `nil` before the first update.
    package var root: SceneNode? { children(of: 0).first { !$0.isStrip } }
    /// The strip below the box; `nil` when there is none.
    package var strip: SceneNode? { children(of: 0).first(where: \.isStrip) }

    package subscript(id: UInt32) -> SceneNode? { nodes[id] }

    /// The ids of all nodes, in no order.
    package var ids: some Collection<UInt32> { nodes.keys }

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

    /// The numbers of all files that nodes name.
    package var sources: Set<UInt32> { Set(nodes.values.compactMap(\.kind.source)) }

    /// Bytes that a field's text may have, so that the node and the scene can show it.
    func room(forTextOf node: SceneNode) -> Int {
        guard let value = node.kind.writtenText?.utf8.count else { return 0 }
        return min(
            SceneLimits.nodeTextByteCount - node.textByteCount + value,
            SceneLimits.textByteCount - sums.textByteCount + value
        )
    }

    /// One update that makes the same scene from nothing.
    package var whole: SceneUpdate {
        SceneUpdate(set: inOrder, size: size, title: title, actions: actions, mediaButton: mediaButton)
    }

    /// Takes an update whose pieces are all there.
    package mutating func apply(_ update: SceneUpdate) throws(SceneFault) {
        for file in update.files {
            guard file.number > lastFile else { throw .usedFile(file.number) }
            lastFile = file.number
        }
        var isReshaped = !update.gone.isEmpty
        let before = lastID
        for node in update.set {
            isReshaped = try take(node, above: before) || isReshaped
        }
        // A new scene may stand beside the old one until that goes.
        guard nodes.count <= 2 * SceneLimits.nodeCount else { throw .tooManyNodes(nodes.count) }
        if isReshaped { try hang(Set(update.set.map(\.id))) }
        if !update.gone.isEmpty { try remove(update.gone) }
        guard nodes.count <= SceneLimits.nodeCount else { throw .tooManyNodes(nodes.count) }
        if isReshaped { try judgeShape() }
        try sums.judge()
        if let size = update.size { self.size = size }
        if let title = update.title { self.title = title.isEmpty ? nil : title }
        if let actions = update.actions { self.actions = actions }
        if let button = update.mediaButton { mediaButton = button.kind == .none ? nil : button }
    }

    /// Puts a node in; true if what hangs where has changed.
    private mutating func take(_ node: SceneNode, above before: UInt32) throws(SceneFault) -> Bool {
        guard !node.isStrip || node.up == 0 else { throw .strip(node.id) }
        let old = nodes.updateValue(node, forKey: node.id)
        guard old != nil || node.id > before else { throw .usedID(node.id) }
        lastID = max(lastID, node.id)
        if let old { sums.remove(old) }
        try sums.add(node)
        return old?.up != node.up || old?.order != node.order || old?.isStrip != node.isStrip
    }

    /// Makes the lists of children anew from what each node says; `told` are the nodes of the update.
    ///
    /// Moved nodes, and those that go, leave the orders of parents that the update does not tell.
    private mutating func hang(_ told: Set<UInt32>) throws(SceneFault) {
        var found: [UInt32: [UInt32]] = [:]
        let ids = nodes.keys.sorted()
        for id in ids {
            guard let up = nodes[id]?.up, up == 0 || nodes[up] != nil else { throw .unknownNode(nodes[id]?.up ?? 0) }
            found[up, default: []].append(id)
        }
        for id in ids {
            guard var order = nodes[id]?.order, !order.isEmpty else { continue }
            if !told.contains(id), order.contains(where: { nodes[$0]?.up != id }) {
                order.removeAll { nodes[$0]?.up != id }
                try reorder(id, order)
            }
            found[id] = try Self.ordered(found[id] ?? [], by: order, of: id)
        }
        children = found.filter { !$0.value.isEmpty }
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
                sums.remove(node)
                waiting.append(contentsOf: children.removeValue(forKey: next) ?? [])
            }
        }
        children = children.mapValues { $0.filter { !removed.contains($0) } }.filter { !$0.value.isEmpty }
        for (id, node) in nodes where node.order.contains(where: removed.contains) {
            try reorder(id, node.order.filter { !removed.contains($0) })
        }
    }

    /// Gives a node another order of its children.
    private mutating func reorder(_ id: UInt32, _ order: [UInt32]) throws(SceneFault) {
        guard var node = nodes[id] else { return }
        sums.remove(node)
        node.order = order
        nodes[id] = node
        try sums.add(node)
    }

    /// Looks for a box with more than one root, circles, and too many levels or children.
    private func judgeShape() throws(SceneFault) {
        let roots = children(of: 0)
        let strips = roots.count(where: \.isStrip)
        guard nodes.isEmpty || (strips <= 1 && roots.count - strips == 1) else { throw .rootCount(roots.count) }
        var (seen, level, depth) = (0, roots.map(\.id), 0)
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
        guard seen == nodes.count else {
            let reached = Set(inOrder.map(\.id))
            throw .circle(nodes.keys.filter { !reached.contains($0) }.min() ?? 0)
        }
    }
}

/// The sums over all nodes of a scene that have a bound.
private struct SceneSums: Sendable {
    private(set) var textByteCount = 0
    private var lineCount = 0
    private var byteCount = 0

    mutating func add(_ node: SceneNode) throws(SceneFault) {
        let text = node.textByteCount
        guard text <= SceneLimits.nodeTextByteCount else { throw .tooMuchTextOfNode(byteCount: text) }
        let bytes = node.byteCount
        guard bytes <= SceneLimits.nodeByteCount else { throw .nodeTooLong(byteCount: bytes) }
        textByteCount += text
        lineCount += node.lineCount
        byteCount += bytes
    }

    mutating func remove(_ node: SceneNode) {
        textByteCount -= node.textByteCount
        lineCount -= node.lineCount
        byteCount -= node.byteCount
    }

    func judge() throws(SceneFault) {
        guard textByteCount <= SceneLimits.textByteCount else { throw .tooMuchText(byteCount: textByteCount) }
        guard lineCount <= SceneLimits.lineCount else { throw .tooManyLines(lineCount) }
        guard byteCount <= SceneLimits.byteCount else { throw .sceneTooLong(byteCount: byteCount) }
    }
}
