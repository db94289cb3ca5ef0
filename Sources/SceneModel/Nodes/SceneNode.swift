// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// One rectangle of a scene, whole: what it is, where it hangs, and how it is drawn.
///
/// A worker sends whole nodes, never differences, so that a repeated one changes nothing.
/// Source: PROTOCOL.md, "Scenes".
package struct SceneNode: Sendable, Equatable {
    /// 1 to `UInt32.max`, rising in the life of a view, never used again.
    package var id: UInt32
    /// The id of the parent; 0 is the box itself, which has one child, and one more for the strip.
    package var up: UInt32
    /// The children in their order; those that it does not name come last, by id.
    package var order: [UInt32]
    package var kind: SceneKind
    /// The place in the parent, of which a row or a column takes the size alone.
    ///
    /// `nil` below a row or a column means the size that the page measures, and elsewhere the whole parent.
    package var frame: SceneFrame?
    package var style: SceneStyle
    /// The share of a row's or column's free room, 0 to 100.
    package var grow: Double
    /// True if a click on it is an event.
    package var isTappable: Bool
    /// True if a press of half a second on it is an event.
    package var isHoldable: Bool
    /// True for the strip below the box, which hangs at the box and is not it.
    package var isStrip: Bool
    /// The name that a screen reader says; `nil` means the node's own text.
    package var label: String?

    package init(
        id: UInt32,
        up: UInt32,
        _ kind: SceneKind,
        frame: SceneFrame? = nil,
        order: [UInt32] = [],
        style: SceneStyle = SceneStyle(),
        grow: Double = 0,
        isTappable: Bool = false,
        isHoldable: Bool = false,
        isStrip: Bool = false,
        label: String? = nil
    ) {
        self.id = id
        self.up = up
        self.order = order
        self.kind = kind
        self.frame = frame
        self.style = style
        self.grow = grow
        self.isTappable = isTappable
        self.isHoldable = isHoldable
        self.isStrip = isStrip
        self.label = label
    }
}

extension SceneNode {
    package var json: JSON {
        var object: JSONObject = [
            "id": .integer(Int64(id)), "k": .string(kind.name.rawValue), "up": .integer(Int64(up)),
        ]
        object["f"] = frame?.json
        if !order.isEmpty { object["c"] = .array(order.map { .integer(Int64($0)) }) }
        style.write(to: &object)
        if grow != 0 { object["grow"] = .double(grow) }
        if isTappable { object["tap"] = true }
        if isHoldable { object["hold"] = true }
        if isStrip { object["strip"] = true }
        object["label"] = label.map(JSON.string)
        kind.write(to: &object)
        return .object(object)
    }

    /// Reads a node; each member beyond those of its kind is a fault.
    init(_ members: inout Members) throws(MemberFault) {
        let name: SceneKind.Name = try members.word("k")
        self.init(
            id: UInt32(try members.integer("id", 1...Int64(UInt32.max))),
            up: UInt32(try members.integer("up", 0...Int64(UInt32.max))),
            try SceneKind(name, &members),
            frame: try members.optionalFrame(),
            order: try Self.order(&members),
            style: try SceneStyle(&members),
            grow: try members.optionalNumber("grow", 0...100) ?? 0,
            isTappable: try members.optionalFlag("tap") ?? false,
            isHoldable: try members.optionalFlag("hold") ?? false,
            isStrip: try members.optionalFlag("strip") ?? false,
            label: try members.optionalSceneText("label")
        )
    }

    private static func order(_ members: inout Members) throws(MemberFault) -> [UInt32] {
        guard let list = try members.optionalList("c", atMost: SceneLimits.childCount) else { return [] }
        return try list.map { value throws(MemberFault) in
            guard let id = value.integer.flatMap(UInt32.init(exactly:)), id > 0 else {
                throw .wrongKind(members.path(of: "c"))
            }
            return id
        }
    }

    /// Bytes of UTF-8 in all texts of the node.
    package var textByteCount: Int {
        kind.texts.reduce(label?.utf8.count ?? 0) { $0 + $1.utf8.count }
    }

    /// Bytes of the node as it is written in JSON.
    package var byteCount: Int {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        json.write(to: &bytes)
        return bytes.count
    }

    /// Lines of the node's own text, 0 for what has none.
    package var lineCount: Int {
        guard case .text(let block) = kind else { return 0 }
        return block.lineCount
    }
}
