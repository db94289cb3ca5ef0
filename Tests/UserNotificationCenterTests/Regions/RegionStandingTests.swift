// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing

@testable import UserNotificationCenter

/// The side of a border on which an owner is, fix after fix.
struct RegionStandingTests {
    /// The sides that fixes show, `i` inside, `o` outside, `-` in the belt; and what comes of each.
    @Test(arguments: [
        // The first side that is known is no crossing.
        ("ii", ". ."), ("oo", ". ."), ("iiii", ". . . ."), ("oooo", ". . . ."),
        // Two in a row.
        ("ooii", ". . . entry"), ("iioo", ". . . exit"), ("ooi", ". . ."), ("ooioioi", ". . . . . . ."),
        ("ooiiooii", ". . . entry . exit . entry"), ("ooiiiii", ". . . entry . . ."),
        // The belt breaks a row, and is no side.
        ("ooi-i", ". . . . ."), ("ooi-ii", ". . . . . entry"), ("oo-------", ". . . . . . . . ."),
        ("oo--ii--oo", ". . . . . entry . . . exit"), ("i-i", ". . ."), ("i-ioo", ". . . . ."), ("-", "."),
        // One fix of each side says nothing before a side is known.
        ("ioio", ". . . ."), ("ioiooii", ". . . . . . entry"),
    ])
    func `a border is crossed by two fixes in a row`(fixes: String, expected: String) {
        var standing = RegionStanding()
        let seen = fixes.map { fix -> String in
            let side: RegionSide? = fix == "i" ? .inside : fix == "o" ? .outside : nil
            // Each step goes through the disk.
            standing = RegionStanding(code: standing.code)
            return switch standing.take(fix: side) {
            case .entry?: "entry"
            case .exit?: "exit"
            case nil: "."
            }
        }
        #expect(seen.joined(separator: " ") == expected)
    }

    @Test func `what is certain needs one step, and the first one is no crossing`() {
        var standing = RegionStanding()
        #expect(standing.settle(.outside) == nil)
        #expect(standing.settle(.outside) == nil)
        #expect(standing.settle(.inside) == .entry)
        #expect(standing.settle(.inside) == nil)
        #expect(standing.settle(.outside) == .exit)
        #expect(standing.side == .outside)
    }

    @Test func `every standing has a number of its own, and what is none knows nothing`() {
        var codes: Set<Int64> = []
        for side in [nil] + RegionSide.allCases {
            for doubt in [nil] + RegionSide.allCases where doubt == nil || doubt != side {
                var standing = RegionStanding()
                if let side { _ = standing.settle(side) }
                if let doubt { _ = standing.take(fix: doubt) }
                #expect(standing.side == side)
                #expect(standing.doubt == doubt)
                #expect(RegionStanding(code: standing.code) == standing)
                codes.insert(standing.code)
            }
        }
        #expect(codes.count == 7)
        #expect(RegionStanding().code == 0)
        for code in [-1, 9, .min, .max] as [Int64] { #expect(RegionStanding(code: code) == RegionStanding()) }
    }

    @Test(arguments: RegionPassage.allCases, [(true, true), (true, false), (false, true), (false, false)])
    func `a direction counts if the region says so`(passage: RegionPassage, flags: (onEntry: Bool, onExit: Bool)) {
        let crossing = RequestTrigger.Crossing(identifier: "home", onEntry: flags.onEntry, onExit: flags.onExit)
        #expect(crossing.counts(passage) == (passage == .entry ? flags.onEntry : flags.onExit))
    }

    // MARK: Circles

    /// Metres to the north of the middle of a circle.
    private static func fix(_ metres: Double, accuracy: Double) throws -> PositionFix {
        let degrees = metres / Place.earthRadius * 180 / .pi
        return PositionFix(try #require(Place(latitude: 40 + degrees, longitude: -3)), accuracy: accuracy)
    }

    @Test(
        arguments: [
            // The belt is 20 m to both sides.
            (100, 79, 5, .inside), (100, 81, 5, nil), (100, 119, 5, nil), (100, 121, 5, .outside), (100, 0, 0, .inside),
            // Or as wide as the fix is coarse.
            (100, 49, 50, .inside), (100, 51, 50, nil), (100, 149, 50, nil), (100, 151, 50, .outside),
            (100, 0, 101, nil), (100, 1099, 1000, nil), (100, 1101, 1000, .outside),
            // A small circle is watched as one of 40 m.
            (1, 19, 5, .inside), (1, 21, 5, nil), (1, 59, 5, nil), (1, 61, 5, .outside),
            // All of the Earth is inside of a large one.
            (1e300, 5_000_000, 5, .inside),
        ] as [(Double, Double, Double, RegionSide?)]
    )
    func `a circle has a belt along its border`(
        radius: Double,
        metres: Double,
        accuracy: Double,
        side: RegionSide?
    ) throws {
        let circle = try #require(WatchedCircle(.init(latitude: 40, longitude: -3, radius: radius)))
        let fix = try Self.fix(metres, accuracy: accuracy)
        #expect(circle.side(of: fix) == side)
        if !circle.box.contains(fix.place) { #expect(side == .outside) }
    }

    @Test func `the box of a circle leaves out what is far`() throws {
        let circle = try #require(WatchedCircle(.init(latitude: 40, longitude: -3, radius: 100)))
        #expect(circle.box.contains(try Self.fix(1099, accuracy: 1).place))
        #expect(!circle.box.contains(try Self.fix(1101, accuracy: 1).place))
        #expect(WatchedCircle(.init(latitude: 91, longitude: 0, radius: 1)) == nil)
    }
}
