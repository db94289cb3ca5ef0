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
        // The last piece that may come cannot say that another follows.
        guard pieceCount < SceneLimits.pieceCount || !piece.hasMore else { throw .tooManyPieces }
        let joined = pending.map { Self.join($0, piece) } ?? piece
        guard piece.hasMore else {
            (pending, pieceCount) = (nil, 0)
            do { try joined.judge() } catch { throw .joined(error) }
            return joined
        }
        pending = joined
        return nil
    }

    private static func join(_ first: SceneUpdate, _ second: SceneUpdate) -> SceneUpdate {
        var joined = first
        joined.takeBeside(second)
        joined.set += second.set
        joined.gone += second.gone
        joined.hasMore = false
        return joined
    }
}

extension SceneUpdate {
    /// Takes in what stands beside the nodes of a later update: lists are joined, of the rest the later one counts.
    package mutating func takeBeside(_ later: SceneUpdate) {
        acknowledged = later.acknowledged ?? acknowledged
        size = later.size ?? size
        title = later.title ?? title
        actions = later.actions ?? actions
        mediaButton = later.mediaButton ?? mediaButton
        motion = later.motion ?? motion
        files += later.files
        calls += later.calls
    }

    /// The update in pieces of at most so many bytes each, as their bodies are written.
    ///
    /// `byteCount` has room for the largest node and for the most that may stand beside nodes.
    package func pieces(ofAtMost byteCount: Int) -> [SceneUpdate] {
        var piece = self
        piece.set = []
        var pieces: [SceneUpdate] = []
        var room = byteCount - piece.body.serialized.count - Self.roomForList
        var isFresh = false
        for node in set {
            let length = node.byteCount + 1
            if length > room, !isFresh || !piece.set.isEmpty {
                piece.hasMore = true
                pieces.append(piece)
                piece = SceneUpdate()
                room = byteCount - Self.roomForList
                isFresh = true
            }
            piece.set.append(node)
            room -= length
        }
        return pieces + [piece]
    }

    /// Bytes of `"set":[],"more":true` and of the braces.
    private static let roomForList = 32
}
