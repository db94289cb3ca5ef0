// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import UserNotificationCenter

/// The rule by which the presenters of an owner share out interruptions; the page's tests run the same table.
struct InterruptionRuleTests {
    /// A row of the table.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isCritical: Bool
        let presenters: [Presenter]
        let banners: [Int]
        let sounds: [Int]

        init(_ object: JSONObject) throws {
            testDescription = try #require(object["name"]?.string)
            isCritical = object["critical"] == true
            presenters = try #require(object["surfaces"]?.array).map { surface in
                try #require(surface.object.flatMap(Presenter.init))
            }
            func places(_ key: String) throws -> [Int] {
                try #require(object[key]?.array).map { Int(try #require($0.integer)) }
            }
            (banners, sounds) = (try places("banners"), try places("sounds"))
        }
    }

    private static func rows() throws -> [Row] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = Array(try Data(contentsOf: folder.appending(path: "Page/interruptions.json")))
        let cases = try #require(try JSONObject(parsing: bytes.span, depthLimit: 8)["cases"]?.array)
        return try cases.map { try Row(try #require($0.object)) }
    }

    @Test(arguments: try rows()) func `each row of the table`(_ row: Row) {
        let winners = InterruptionRule.winners(of: row.presenters, isCritical: row.isCritical)
        #expect(winners.banners == row.banners)
        #expect(winners.sounds == row.sounds)
    }

    @Test func `the table is not empty, and its rows have names of their own`() throws {
        let names = try Self.rows().map(\.testDescription)
        #expect(names.count >= 20 && Set(names).count == names.count)
    }

    /// Every presenter that there can be.
    private static let all: [Presenter] = Presenter.Kind.allCases.flatMap { kind in
        (0..<32).map { bits in
            var presenter = Presenter(kind, isLocal: bits & 1 != 0)
            presenter.state.isVisible = bits & 2 != 0
            presenter.state.isFocused = bits & 4 != 0
            presenter.state.showsBanners = bits & 8 != 0
            presenter.state.playsSounds = bits & 16 != 0
            return presenter
        }
    }

    @Test func `of any two a place has one banner and one sound, and what can be shown or played is`() {
        var faults: [(Presenter, Presenter)] = []
        for first in Self.all {
            for second in Self.all {
                for isCritical in [false, true] {
                    let both = [first, second]
                    let winners = InterruptionRule.winners(of: both, isCritical: isCritical)
                    let places = first.isLocal && second.isLocal ? [[0, 1]] : [[0], [1]]
                    func one(_ able: (Presenter) -> Bool, _ won: [Int]) -> Bool {
                        places.allSatisfy { place in
                            won.count { place.contains($0) } == (place.contains { able(both[$0]) } ? 1 : 0)
                        } && won.allSatisfy { able(both[$0]) }
                    }
                    let heard =
                        isCritical
                        ? one(\.state.playsSounds, winners.sounds)
                        : winners.sounds.count == (both.contains(where: \.state.playsSounds) ? 1 : 0)
                            && winners.sounds.allSatisfy { both[$0].state.playsSounds }
                    if !one(\.state.showsBanners, winners.banners) || !heard { faults.append((first, second)) }
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.first.map { "\($0)" } ?? "")")
    }

    @Test func `what is written of a presenter is read, and anything less is not`() {
        for presenter in Self.all {
            #expect(Presenter(presenter.json) == presenter)
            for member in presenter.json.members {
                var less = presenter.json
                less[member.key] = nil
                #expect(Presenter(less) == nil)
                less[member.key] = 1
                #expect(Presenter(less) == nil)
            }
        }
    }
}
