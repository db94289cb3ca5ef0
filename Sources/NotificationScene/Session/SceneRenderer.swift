// SPDX-License-Identifier: Apache-2.0

import SceneModel
import ViewSession

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
    private var acts: [UInt32: [NodeEvent.Name: Element.Act]] = [:]
    private var room = SceneTextRoom(texts: 0)
    private var files: SceneFiles

    /// Draws for a process with that scratch folder, if it has one.
    init(in folder: String?) {
        files = SceneFiles(in: folder)
    }

    /// Draws elements for a place, and returns the nodes that changed, those that went, and the files that are new.
    mutating func draw(
        _ elements: [Element],
        in place: ViewEnvironment
    ) -> (set: [SceneNode], gone: [UInt32], files: [SceneFile]) {
        (set, gone, acts) = ([], [], [:])
        files.begin()
        room = SceneTextRoom(texts: Self.textCount(elements, place))
        roots = draw([Self.root(of: elements, place)], before: roots, below: 0, place).drawn
        return (set, gone, files.takeNew())
    }

    /// Returns what the scene does at an event of a node; `nil` where it does nothing.
    func act(at event: NodeEvent.Name, of id: UInt32) -> Element.Act? { acts[id]?[event] }

    /// A row or column that is all of the description fills the box; anything else stands in a column.
    private static func root(of elements: [Element], _ place: ViewEnvironment) -> Element {
        if elements.count == 1, elements[0].identity.path.isEmpty, elements[0].kind(place).isFlow { return elements[0] }
        return Element(.column(SceneFlow(gap: 8)), children: elements)
    }

    private static func textCount(_ elements: [Element], _ place: ViewEnvironment) -> Int {
        elements.reduce(0) { count, element in
            let own = if case .text = element.kind(place) { 1 } else { 0 }
            return count + own + textCount(element.children, place)
        }
    }

    /// Draws the children of a node, and returns their ids in their order.
    private mutating func draw(
        _ elements: [Element],
        before: [Key: Drawn],
        below up: UInt32,
        isDead: Bool = false,
        _ place: ViewEnvironment
    ) -> (drawn: [Key: Drawn], ids: [UInt32]) {
        var drawn: [Key: Drawn] = [:]
        drawn.reserveCapacity(elements.count)
        var copies: [Key: Int] = [:]
        var ids: [UInt32] = []
        for element in elements {
            let kind = shown(room.fitted(element.kind(place), label: element.label), of: element)
            let first = Key(identity: element.identity, kind: kind.name, copy: 0)
            let copy = copies[first, default: 0]
            copies[first] = copy + 1
            let key = Key(identity: element.identity, kind: kind.name, copy: copy)
            let shown = draw(element, kind, before: before[key], below: up, isDead: isDead, place)
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
        isDead: Bool = false,
        _ place: ViewEnvironment
    ) -> Drawn {
        let id = before?.node.id ?? nextID()
        let isDead = isDead || element.isDisabled
        var node = element.node(id, in: up, kind, isDead: isDead)
        if !element.acts.isEmpty { acts[id] = element.acts }
        // Before its children, because a node stands below one that is there.
        let index = set.count
        let below = draw(element.children, before: before?.children ?? [:], below: id, isDead: isDead, place)
        // Children whose ids rise stand in their order by themselves.
        if below.ids != below.ids.sorted() { node.order = below.ids }
        if node != before?.node { set.insert(node, at: index) }
        return Drawn(node: node, children: below.drawn)
    }

    /// Gives an image the number of its file.
    private mutating func shown(_ kind: SceneKind, of element: Element) -> SceneKind {
        guard let file = element.file, case .image(var image) = kind else { return kind }
        image.source = files.number(of: file)
        return .image(image)
    }

    private mutating func nextID() -> UInt32 {
        lastID += 1
        return lastID
    }
}
