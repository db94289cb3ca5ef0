// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
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
        for _ in 1...7 { #expect(try assembly.take(SceneUpdate(hasMore: true)) == nil) }
        #expect(throws: SceneFault.tooManyPieces) { try assembly.take(SceneUpdate(hasMore: true)) }
    }

    @Test(
        arguments: [
            (SceneUpdate(set: [.root]), .repeated("set.id")),
            (SceneUpdate(calls: Array(repeating: .dismiss, count: 9)), .tooMany("calls", count: 17)),
            (SceneUpdate(gone: Array(1...512)), .tooMany("gone", count: 513)),
            (SceneUpdate(set: (2...513).map { .view($0) }), .tooMany("set", count: 513)),
        ] as [(SceneUpdate, MemberFault)]
    )
    func `pieces keep the bounds of one update together`(second: SceneUpdate, fault: MemberFault) throws {
        var assembly = SceneAssembly()
        let calls = Array(repeating: SceneCall.dismiss, count: 8)
        let first = SceneUpdate(set: [.root], gone: [1], calls: calls, hasMore: true)
        #expect(try assembly.take(first) == nil)
        #expect(throws: SceneFault.joined(fault)) { try assembly.take(second) }
    }

    @Test
    func `what stands beside nodes has a piece of its own where a node does not fit with it`() {
        let action = CategoryAction(identifier: "a", title: String(repeating: "a", count: 30_000))
        let node = SceneNode.text(2, String(repeating: "\u{1}", count: 6_500))
        let pieces = SceneUpdate(set: [node, .root], actions: [action]).pieces(ofAtMost: 65_527)
        #expect(pieces.map(\.set) == [[], [node, .root]])
    }
}
