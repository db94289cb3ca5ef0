// SPDX-License-Identifier: Apache-2.0

import SceneModel
import Testing

@testable import WorkerSupervisor

/// Scenes that come faster than anybody can see.
struct SceneThrottleTests {
    private static func node(_ id: UInt32, in up: UInt32, _ opacity: Double = 1) -> SceneNode {
        SceneNode(id: id, up: up, .view, style: SceneStyle(opacity: opacity))
    }

    /// A view, its throttle, and the other side that hears what passes.
    private struct Course {
        var view = SceneTree()
        var throttle = SceneThrottle()
        var other = SceneTree()
        var passed = 0
        /// The number of times that the box has become brighter or darker, for who watches that.
        var changes = 0
        var watchesBrightness = false

        mutating func say(_ update: SceneUpdate, at now: Duration) throws {
            try view.apply(update)
            if let update = try throttle.take(update, of: view, now: now) { try hear(update) }
        }

        mutating func release(at now: Duration) throws {
            if let update = throttle.release(of: view, now: now) { try hear(update) }
        }

        mutating func hear(_ update: SceneUpdate) throws {
            passed += 1
            let before = other
            try other.apply(update)
            if watchesBrightness, SceneBrightness(other).differs(from: SceneBrightness(before)) { changes += 1 }
        }
    }

    @Test func `sixty scenes pass at once, thirty more a second, and the last form of a node in the end`() throws {
        var course = Course()
        try course.say(SceneUpdate(set: [Self.node(1, in: 0)]), at: .zero)
        for step in 1...1010 {
            try course.say(SceneUpdate(set: [Self.node(1, in: 0, Double(step) / 1010)]), at: .milliseconds(step))
        }
        #expect(course.passed == 60 + 30)
        #expect(course.throttle.holds)
        try course.release(at: .milliseconds(1044))
        #expect(!course.throttle.holds)
        #expect(course.other[1]?.style.opacity == 1)
        #expect(course.other.whole == course.view.whole)
    }

    @Test func `a scene that answers an event passes at once, with what was held`() throws {
        var course = Course()
        try course.say(SceneUpdate(set: [Self.node(1, in: 0)]), at: .zero)
        for _ in 1...100 { try course.say(SceneUpdate(set: [Self.node(1, in: 0, 0.5)], calls: []), at: .zero) }
        try course.say(SceneUpdate(calls: [.mediaStarted]), at: .zero)
        #expect(course.passed == 60)
        try course.say(SceneUpdate(acknowledged: 1, set: [Self.node(2, in: 1)]), at: .zero)
        #expect(course.passed == 61)
        #expect(course.other.whole == course.view.whole)
        // The same event is answered once.
        try course.say(SceneUpdate(acknowledged: 1, set: [Self.node(3, in: 1)]), at: .zero)
        #expect(course.passed == 61)
    }

    @Test func `what comes, moves and goes while it is held is right in the end`() throws {
        var course = Course()
        var random = SeededNumbers(state: 7)
        var next: UInt32 = 1
        try course.say(SceneUpdate(set: [Self.node(next, in: 0)]), at: .zero)
        for step in 1...3000 {
            let ids = course.view.inOrder.map(\.id)
            var update = SceneUpdate()
            let choice = Int.random(in: 0...9, using: &random)
            if choice < 5 || ids.count < 4, ids.count < 200 {
                next += 1
                update.set = [
                    Self.node(
                        next,
                        in: ids.filter { course.view.depth(of: $0) < 30 }.randomElement(using: &random) ?? 1
                    )
                ]
            } else if choice < 7 {
                // A parent tells the order of its children.
                if var parent = ids.compactMap({ course.view[$0] }).randomElement(using: &random) {
                    parent.order = course.view.children(of: parent.id).map(\.id).shuffled(using: &random)
                    update.set = [parent]
                }
            } else if choice < 9 {
                // A leaf moves below the root, so that no circle comes.
                let leaf = ids.last { course.view.children(of: $0).isEmpty } ?? 1
                let up = [1, 2].filter { course.view[$0] != nil && $0 != leaf }.randomElement(using: &random) ?? 1
                if leaf != 1 { update.set = [Self.node(leaf, in: up, 0.5)] }
            } else if let gone = ids.dropFirst().randomElement(using: &random) {
                update.gone = [gone]
            }
            try course.say(update, at: .milliseconds(step * 3))
            if step.isMultiple(of: 50) { try course.release(at: .milliseconds(step * 3)) }
        }
        try course.release(at: .seconds(3600))
        #expect(course.passed < 500)
        #expect(course.other.whole == course.view.whole)
    }

    @Test func `ten thousand scenes in vain are too many, and sixty a second are not`() throws {
        var course = Course()
        for _ in 0..<10_060 { try course.say(SceneUpdate(set: [Self.node(1, in: 0)]), at: .zero) }
        var full = course
        #expect(throws: SceneThrottle.Chatter.self) { try full.say(SceneUpdate(set: [Self.node(1, in: 0)]), at: .zero) }
        // One that moves all the time goes on.
        for frame in 1...20_000 {
            let now = Duration.seconds(1000) + .microseconds(16_667 * frame)
            try course.say(SceneUpdate(set: [Self.node(1, in: 0, Double(frame % 100) / 100)]), at: now)
        }
        #expect(course.passed > 10_000)
    }

    @Test func `what stands beside nodes keeps the bounds of one update`() throws {
        var course = Course()
        for _ in 1...60 { try course.say(SceneUpdate(), at: .zero) }
        for _ in 1...16 { try course.say(SceneUpdate(calls: [.mediaPaused]), at: .zero) }
        #expect(throws: SceneThrottle.Chatter.self) { try course.say(SceneUpdate(calls: [.mediaPaused]), at: .zero) }
    }

    // MARK: Flicker

    /// A box of 360 × 216 points, in white and black in turn: all of it, or a part of so many points at a side.
    private static func blinking(_ step: Int, _ side: Double = 0) -> SceneNode {
        let style = SceneStyle(background: SceneColor(step.isMultiple(of: 2) ? 0xFFFF_FFFF : 0x0000_00FF))
        return SceneNode(id: 2, up: 1, .view, frame: side > 0 ? SceneFrame(0, 0, side, side) : nil, style: style)
    }

    @Test func `a box that flickers is seen three times at once and three times a second, as it is in the end`() throws
    {
        var course = Course(watchesBrightness: true)
        try course.say(SceneUpdate(set: [Self.node(1, in: 0)], size: SceneSize(360, 216)), at: .zero)
        for step in 1...100 {
            try course.say(SceneUpdate(set: [Self.blinking(step)]), at: .milliseconds(step * 20))
            try course.release(at: .milliseconds(step * 20))
        }
        #expect(course.changes == 3 + 5)
        try course.say(SceneUpdate(set: [Self.blinking(101)]), at: .milliseconds(2_020))
        try course.release(at: .seconds(4))
        #expect(!course.throttle.holds)
        #expect(course.other.whole == course.view.whole)
    }

    @Test(arguments: ["a part", "a shade", "a mark", "an answer"])
    func `what is small, slow or asked for is no flicker`(what: String) throws {
        var course = Course(watchesBrightness: true)
        try course.say(SceneUpdate(set: [Self.node(1, in: 0)], size: SceneSize(360, 216)), at: .zero)
        for step in 1...40 {
            let (gray, isAnswer) = (UInt32(250 + step % 6), what == "an answer")
            let node =
                switch what {
                case "a part": Self.blinking(step, 60)
                case "a shade":
                    SceneNode(
                        id: 2,
                        up: 1,
                        .view,
                        style: SceneStyle(background: SceneColor(gray << 24 | gray << 16 | gray << 8 | 255))
                    )
                case "a mark":
                    SceneNode(
                        id: 2,
                        up: 1,
                        .image(SceneImage(source: 1)),
                        frame: SceneFrame(0, 0, 60, 60),
                        style: SceneStyle(isHidden: step.isMultiple(of: 2))
                    )
                default: Self.blinking(step)
                }
            let update = SceneUpdate(acknowledged: isAnswer ? UInt64(step) : nil, set: [node])
            try course.say(update, at: .milliseconds(step * 20))
        }
        // The shade begins in a box that is as bright as the page's own.
        #expect(course.passed >= 40)
    }

    @Test(arguments: ["a picture", "tiles", "a fade", "a transform", "a dark page"])
    func `each way to flicker is held`(way: String) throws {
        var course = Course(watchesBrightness: true)
        try course.say(SceneUpdate(set: [Self.node(1, in: 0)], size: SceneSize(360, 216)), at: .zero)
        for step in 1...40 {
            let isEven = step.isMultiple(of: 2)
            let black = SceneColor(isEven ? 0xFFFF_FFFF : 0x0000_00FF)
            let nodes: [SceneNode] =
                switch way {
                case "a picture": [SceneNode(id: 2, up: 1, .image(SceneImage(source: isEven ? 1 : 2)))]
                case "tiles":
                    (2...11).map {
                        SceneNode(
                            id: $0,
                            up: 1,
                            .view,
                            frame: SceneFrame(Double($0) * 36 - 72, 0, 36, 216),
                            style: SceneStyle(background: black)
                        )
                    }
                case "a fade":
                    [
                        SceneNode(
                            id: 2,
                            up: 1,
                            .view,
                            style: SceneStyle(opacity: isEven ? 1 : 0.1, background: SceneColor(0x0000_00FF))
                        )
                    ]
                case "a transform":
                    [
                        SceneNode(
                            id: 2,
                            up: 1,
                            .view,
                            frame: SceneFrame(0, 0, 1, 1),
                            style: SceneStyle(background: black, transform: [500, 0, 0, 500, 0, 0])
                        )
                    ]
                default:
                    [
                        SceneNode(
                            id: 2,
                            up: 1,
                            .view,
                            style: SceneStyle(
                                background: SceneColor(0xFFFF_FFFF, dark: isEven ? 0xFFFF_FFFF : 0x0000_00FF)
                            )
                        )
                    ]
                }
            try course.say(SceneUpdate(set: nodes), at: .milliseconds(step * 20))
        }
        #expect((3...6).contains(course.changes))
    }

    @Test func `a node that moves away and back keeps its place on both sides`() throws {
        var course = Course()
        let parent = SceneNode(id: 2, up: 1, .view, order: [4, 3])
        try course.say(
            SceneUpdate(set: [Self.node(1, in: 0), parent, Self.node(3, in: 2), Self.node(4, in: 2)]),
            at: .zero
        )
        for _ in 1..<60 { try course.say(SceneUpdate(), at: .zero) }
        try course.say(SceneUpdate(set: [Self.node(4, in: 1)]), at: .zero)
        try course.say(SceneUpdate(set: [Self.node(4, in: 2)]), at: .zero)
        try course.release(at: .seconds(1))
        #expect(course.other.whole == course.view.whole)
        #expect(course.other.children(of: 2).map(\.id) == [3, 4])
    }
}

/// The same numbers on every run.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) ^ (state << 20)
    }
}

extension SceneTree {
    fileprivate func depth(of id: UInt32) -> Int {
        var (depth, next) = (0, id)
        while let node = self[next] { (depth, next) = (depth + 1, node.up) }
        return depth
    }
}
