// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// Makes nodes of a scene out of its description, and of two descriptions only what differs.
///
/// An element with the place and kind of one that was there before is the same node. All others are new ones, because
/// the page keeps what a person does with a node under its id.
@MainActor struct SceneRenderer {
    private struct Key: Hashable {
        let identity: Element.Identity
        let kind: SceneKind.Name
        /// The elements of the same place and kind before it; names may be given twice.
        let copy: Int
    }

    private struct Drawn {
        let node: SceneNode
        let children: [Key: Drawn]
    }

    private var roots: [Key: Drawn] = [:]
    private var lastID: UInt32 = 0
    private var set: [SceneNode] = []
    private var gone: [UInt32] = []
    /// The functions that are called at events, by node and event.
    private var acts: [UInt32: [NodeEvent.Name: @MainActor (NodeEvent) -> Void]] = [:]

    /// Draws elements, for a place with so large texts, and returns the nodes that changed and those that went.
    mutating func draw(_ elements: [Element], textSize: Double) -> (set: [SceneNode], gone: [UInt32]) {
        (set, gone, acts) = ([], [], [:])
        roots = draw([Self.root(of: elements)], before: roots, below: 0, textSize).drawn
        return (set, gone)
    }

    /// Returns what the scene does at an event of a node; `nil` where it does nothing.
    func act(at event: NodeEvent.Name, of id: UInt32) -> (@MainActor (NodeEvent) -> Void)? { acts[id]?[event] }

    /// One row or column fills the box; anything else stands in a column.
    private static func root(of elements: [Element]) -> Element {
        if elements.count == 1, elements[0].kind(1).isFlow { return elements[0] }
        return Element(.column(SceneFlow()), children: elements)
    }

    /// Draws the children of a node, and returns their ids in their order.
    private mutating func draw(
        _ elements: [Element],
        before: [Key: Drawn],
        below up: UInt32,
        _ textSize: Double
    ) -> (drawn: [Key: Drawn], ids: [UInt32]) {
        var drawn: [Key: Drawn] = [:]
        drawn.reserveCapacity(elements.count)
        var copies: [Key: Int] = [:]
        var ids: [UInt32] = []
        for element in elements {
            let kind = element.kind(textSize)
            let first = Key(identity: element.identity, kind: kind.name, copy: 0)
            let copy = copies[first, default: 0]
            copies[first] = copy + 1
            let key = Key(identity: element.identity, kind: kind.name, copy: copy)
            let shown = draw(element, kind, before: before[key], below: up, textSize)
            drawn[key] = shown
            ids.append(shown.node.id)
        }
        // What hangs below goes with it.
        gone += before.filter { drawn[$0.key] == nil }.map(\.value.node.id).sorted()
        return (drawn, ids)
    }

    private mutating func draw(
        _ element: Element,
        _ kind: SceneKind,
        before: Drawn?,
        below up: UInt32,
        _ textSize: Double
    ) -> Drawn {
        let id = before?.node.id ?? nextID()
        var node = SceneNode(
            id: id,
            up: up,
            kind,
            frame: element.size.map { SceneFrame(0, 0, $0.width, $0.height) },
            style: element.style,
            grow: element.grow,
            isTappable: element.acts[.tap] != nil && kind.name != .button,
            isHoldable: element.acts[.longPress] != nil,
            label: element.label
        )
        if !element.acts.isEmpty { acts[id] = element.acts }
        // Before its children, because a node stands below one that is there.
        let place = set.count
        let below = draw(element.children, before: before?.children ?? [:], below: id, textSize)
        // Children whose ids rise stand in their order by themselves.
        if below.ids != below.ids.sorted() { node.order = below.ids }
        if node != before?.node { set.insert(node, at: place) }
        return Drawn(node: node, children: below.drawn)
    }

    private mutating func nextID() -> UInt32 {
        lastID += 1
        return lastID
    }
}
