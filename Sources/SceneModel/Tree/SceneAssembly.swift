// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// Joins the pieces of updates that do not fit one packet.
package struct SceneAssembly: Sendable {
    private var pending: SceneUpdate?
    private var pieceCount = 0

    package init() {}

    /// True while an update has begun and not ended.
    package var isWaiting: Bool { pending != nil }

    /// Takes one packet's update and returns the whole one with its last piece; `nil` means that more must come.
    ///
    /// Lists of pieces are joined; of what stands alone the last piece that has it counts.
    package mutating func take(_ piece: SceneUpdate) throws(SceneFault) -> SceneUpdate? {
        pieceCount += 1
        guard pieceCount <= SceneLimits.pieceCount else { throw .tooManyPieces }
        let joined = pending.map { Self.join($0, piece) } ?? piece
        guard piece.hasMore else {
            (pending, pieceCount) = (nil, 0)
            return joined
        }
        pending = joined
        return nil
    }

    private static func join(_ first: SceneUpdate, _ second: SceneUpdate) -> SceneUpdate {
        SceneUpdate(
            acknowledged: second.acknowledged ?? first.acknowledged,
            set: first.set + second.set,
            gone: first.gone + second.gone,
            size: second.size ?? first.size,
            title: second.title ?? first.title,
            actions: second.actions ?? first.actions,
            mediaButton: second.mediaButton ?? first.mediaButton,
            blobs: first.blobs + second.blobs,
            calls: first.calls + second.calls
        )
    }
}

extension SceneUpdate {
    /// The update in pieces of at most so many bytes each, as its bodies are written.
    ///
    /// A single node that is larger makes a piece of its own.
    package func pieces(ofAtMost byteCount: Int) -> [SceneUpdate] {
        var rest = self
        rest.set = []
        var pieces: [SceneUpdate] = []
        var room = byteCount - rest.body.serialized.count - 32
        for node in set {
            var bytes: [UInt8] = []
            node.json.write(to: &bytes)
            if bytes.count + 1 > room, !rest.set.isEmpty {
                rest.hasMore = true
                pieces.append(rest)
                rest = SceneUpdate()
                room = byteCount - 32
            }
            rest.set.append(node)
            room -= bytes.count + 1
        }
        return pieces + [rest]
    }
}
