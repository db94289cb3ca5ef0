// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import NotificationScene
import SceneModel
import Testing

/// Nodes that a scene in Swift becomes, and those of them that are sent when something changes.
@MainActor
@Suite struct SceneDrawingTests {
    private struct Photo: NotificationScene {
        @State var opacity = 1.0

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column(spacing: 8, padding: 16) {
                Text(content.title).font(.headline)
                Image(symbol: "photo").frame(width: 200, height: 100).opacity(opacity).label("Picture")
                Slider(value: $opacity).label("Opacity")
                Row {
                    Button("Launch app") { view.performDefaultAction() }
                    Spacer()
                    Button("Dismiss") { view.dismiss() }
                }
            }
        }
    }

    @Test func `the first update is the whole scene`() throws {
        let bench = SceneBench(Photo())
        let update = try #require(bench.updates.first)
        #expect(bench.updates.count == 1)
        #expect(update.set.map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(update.set.map(\.up) == [0, 1, 1, 1, 1, 5, 5, 5])
        let kinds: [SceneKind.Name] = [.column, .text, .image, .slider, .row, .button, .view, .button]
        #expect(update.set.map(\.kind.name) == kinds)
        #expect(update.set[0].kind == .column(SceneFlow(gap: 8, padding: 16)))
        #expect(update.set[2].frame == SceneFrame(0, 0, 200, 100))
        #expect(update.set[2].label == "Picture")
        #expect(update.set[6].grow == 1)
        #expect(bench.texts == ["Alice", "Launch app", "Dismiss"])
    }

    @Test func `a value changes the nodes that show it, and no others`() throws {
        let bench = SceneBench(Photo())
        let update = try #require(bench.take(.node(4, .value(.number(0.25)))))
        #expect(update.set.map(\.id) == [3, 4])
        #expect(update.set[0].style.opacity == 0.25)
        #expect(update.set[1].kind == .slider(SceneRange(value: 0.25)))
        // Source: the limit of a move of the slider, 400 bytes.
        #expect(update.body.serialized.count < 400)
    }

    @Test func `an event that changes nothing is acknowledged`() throws {
        let bench = SceneBench(Photo())
        #expect(bench.take(.node(4, .press)) == SceneUpdate(acknowledged: 1))
        #expect(bench.take(.node(99, .tap(at: nil))) == SceneUpdate(acknowledged: 2))
        #expect(bench.take(.node(4, .value(.number(1)))) == SceneUpdate(acknowledged: 3))
    }

    private struct Branches: NotificationScene {
        @State var isOn = false

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column {
                if isOn {
                    Text("on")
                } else {
                    Text("off")
                }
                if isOn { ProgressBar(value: 0.5) }
                Toggle("Power", isOn: $isOn)
            }
        }
    }

    @Test func `another branch has nodes of its own, and ids are never used again`() throws {
        let bench = SceneBench(Branches())
        #expect(bench.texts == ["off"])
        let update = try #require(bench.take(.node(3, .value(.flag(true)))))
        #expect(update.gone == [2])
        // The column names the order, since the switch is older than what stands above it.
        #expect(try bench.node(.column).order == [4, 5, 3])
        #expect(try bench.node(.text).id == 4)
        #expect(try bench.node(.progress).id == 5)
        #expect(bench.texts == ["on"])
        bench.take(.node(3, .value(.flag(false))))
        #expect(try bench.node(.text).id == 6)
        #expect(bench.tree.count == 3)
    }

    private struct Names: NotificationScene {
        @State var names = ["Alice", "Bob", "Carol"]
        let isNamed: Bool

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            for name in names {
                if isNamed { Text(name).id(name) } else { Text(name) }
            }
            Button("Turn") { names.reverse() }
            Button("Twice") { names.append("Alice") }
        }
    }

    @Test func `what moves under its name stays the same node`() throws {
        let bench = SceneBench(Names(isNamed: true))
        // Several elements stand in a column.
        #expect(try bench.node(.column).up == 0)
        #expect(bench.texts == ["Alice", "Bob", "Carol", "Turn", "Twice"])
        let update = try #require(bench.take(.node(5, .tap(at: nil))))
        #expect(update.set.map(\.id) == [1])
        #expect(bench.texts == ["Carol", "Bob", "Alice", "Turn", "Twice"])
        bench.take(.node(6, .tap(at: nil)))
        #expect(bench.texts == ["Carol", "Bob", "Alice", "Alice", "Turn", "Twice"])
    }

    @Test func `without names the places keep their nodes`() throws {
        let bench = SceneBench(Names(isNamed: false))
        let update = try #require(bench.take(.node(5, .tap(at: nil))))
        #expect(update.set.map(\.id) == [2, 4])
        #expect(bench.texts == ["Carol", "Bob", "Alice", "Turn", "Twice"])
    }

    private struct Many: NotificationScene {
        @State var count: Int

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column {
                for _ in 0..<2 {
                    Column {
                        for _ in 0..<count / 2 { Spacer() }
                    }
                }
                Button("More") { count += 2 }
            }
        }
    }

    @Test func `a scene beyond a limit is not sent`() throws {
        let bench = SceneBench(Many(count: 508))
        #expect(bench.tree.count == 512)
        #expect(bench.faults == [])
        let more = try bench.node(.button).id
        #expect(bench.take(.node(more, .tap(at: nil))) == nil)
        #expect(bench.faults == [.tooManyNodes(514)])
        #expect(bench.updates.count == 1)
    }

    // MARK: Any description

    /// Numbers that a seed decides (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    /// A description that is made anew at each step.
    private struct Anything: NotificationScene {
        /// One element: its name if it has one, its kind, and its children.
        struct Part {
            var name: Int?
            var kind: Int
            var parts: [Part] = []

            init(_ random: inout Numbers, depth: Int) {
                name = Bool.random(using: &random) ? Int.random(in: 0..<4, using: &random) : nil
                kind = Int.random(in: 0..<4, using: &random)
                guard depth < 4, kind < 2 else { return }
                parts = (0..<Int.random(in: 0..<5, using: &random)).map { _ in Part(&random, depth: depth + 1) }
            }
        }

        @State var parts: [Part] = []
        @State var numbers: Numbers

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            drawn(parts)
            Button("Next") {
                parts = (0..<6).map { _ in Part(&numbers, depth: 0) }
            }
        }

        private func drawn(_ parts: [Part]) -> SceneElements { list(parts).elements }

        @SceneBuilder private func list(_ parts: [Part]) -> some SceneContent {
            for part in parts {
                if let name = part.name {
                    element(part).id(name)
                } else {
                    element(part)
                }
            }
        }

        @SceneBuilder private func element(_ part: Part) -> some SceneContent {
            switch part.kind {
            case 0: Column { drawn(part.parts) }
            case 1: Row { drawn(part.parts) }
            case 2: Text("\(part.name ?? -1)")
            default: Spacer()
            }
        }
    }

    /// The scene without its ids: kinds and texts as they are drawn, by their depth.
    private func outline(_ tree: SceneTree, _ id: UInt32 = 0, depth: Int = 0) -> [String] {
        tree.children(of: id).flatMap { node in
            ["\(depth) \(node.kind.name) \(node.kind.texts)"] + outline(tree, node.id, depth: depth + 1)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `after any change the scene is the one that is drawn from nothing`(seed: UInt64) throws {
        let state = Anything(numbers: Numbers(state: seed))
        let bench = SceneBench(state)
        for _ in 1...100 {
            let next = try #require(bench.tree.inOrder.last { $0.kind.name == .button }).id
            bench.take(.node(next, .tap(at: nil)))
            let fresh = SceneBench(state)
            #expect(outline(bench.tree) == outline(fresh.tree))
        }
        #expect(bench.faults == [])
    }
}
