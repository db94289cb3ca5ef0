// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import SceneModel

/// Updates that do not fit one packet.
struct SceneAssemblyTests {
    private static let scene = SceneUpdate(
        acknowledged: 3,
        set: [.root] + (2...200).map { .text($0, String(repeating: "é", count: 400)) },
        gone: [300],
        size: SceneSize(360, 200),
        calls: [.dismiss]
    )

    @Test
    func `an update goes in pieces and comes back whole`() throws {
        let pieces = Self.scene.pieces(ofAtMost: 65_527)
        #expect(pieces.count == 3)
        #expect(pieces.map(\.hasMore) == [true, true, false])
        #expect(pieces.allSatisfy { $0.body.serialized.count <= 65_527 })
        var assembly = SceneAssembly()
        #expect(try assembly.take(pieces[0]) == nil)
        #expect(try assembly.take(pieces[1]) == nil)
        #expect(assembly.isWaiting)
        #expect(try assembly.take(pieces[2]) == Self.scene)
        #expect(!assembly.isWaiting)
    }

    @Test
    func `a small update is one piece`() {
        let update = SceneUpdate(acknowledged: 1, set: [.root])
        #expect(update.pieces(ofAtMost: 65_527) == [update])
        #expect(SceneUpdate().pieces(ofAtMost: 65_527) == [SceneUpdate()])
    }

    @Test
    func `eight pieces, and not one more`() throws {
        var assembly = SceneAssembly()
        for _ in 1...7 { #expect(try assembly.take(SceneUpdate(hasMore: true)) == nil) }
        #expect(try assembly.take(SceneUpdate()) == SceneUpdate())
        for _ in 1...8 { #expect(try assembly.take(SceneUpdate(hasMore: true)) == nil) }
        #expect(throws: SceneFault.tooManyPieces) { try assembly.take(SceneUpdate()) }
    }
}
