// SPDX-License-Identifier: Apache-2.0

import CenterSteps
import Foundation
import Testing

@testable import CenterStore

/// The end of what is too old or too much: center.md §6, "Full", and §14.
struct RetentionTests {
    private let hour: WallTime = 3_600_000

    private func fill(
        _ desk: Desk,
        _ names: ClosedRange<Int>,
        of key: InstallationKey? = nil,
        text: String = ""
    ) throws {
        for name in names { try desk.commit(desk.arrival("\(name)", text: text, key: key)) }
    }

    @Test func `an installation's oldest leave, and never a new one is refused`() throws {
        let desk = try Desk { $0.perInstallation = 3 }
        try fill(desk, 1...5)
        #expect(try desk.list() == ["5", "4", "3", "2", "1"])
        try desk.maintain()
        #expect(try desk.list() == ["5", "4", "3"])
        #expect(try desk.store.standing(of: Desk.first, owner: desk.me) == .gone(.retention, by: Desk.first + 5))
        #expect(try desk.store.takeUpkeep() == Upkeep(expired: [], owners: [desk.me], removed: 2))
        #expect(try desk.store.takeUpkeep() == Upkeep())
        #expect(try desk.folder.strays() == [])
    }

    @Test func `an owner's largest installation pays, and the others keep what they have`() throws {
        let desk = try Desk { $0.perOwner = 6 }
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted))
        try fill(desk, 1...2, of: mail)
        try fill(desk, 11...17)
        try fill(desk, 1...5, of: desk.ana)
        try desk.maintain()
        #expect(try desk.list() == ["17", "16", "15", "14", "2", "1"])
        #expect(try desk.list(desk.ana.owner) == ["5", "4", "3", "2", "1"])
    }

    @Test func `the largest owner pays for all`() throws {
        let desk = try Desk { $0.inAll = 5 }
        try fill(desk, 1...6)
        try fill(desk, 1...2, of: desk.ana)
        try desk.maintain()
        #expect(try desk.list() == ["6", "5", "4"])
        #expect(try desk.list(desk.ana.owner) == ["2", "1"])
    }

    @Test func `bytes count, and the history's go first`() throws {
        let text = String(repeating: "x", count: 1_000)
        let desk = try Desk { $0.ownerBytes = 3_500 }
        try fill(desk, 1...4, text: text)
        try desk.commit(.remove(desk.me, numbers: [Desk.first + 3], by: .user))
        try desk.maintain()
        #expect(try desk.store.takeUpkeep() == Upkeep(forgetful: [desk.me]))
        #expect(try desk.store.history(of: desk.me, limit: 9) == [])
        #expect(try desk.list() == ["3", "2", "1"])
        try fill(desk, 5...5, text: text)
        try desk.maintain()
        #expect(try desk.list() == ["5", "3", "2"])
        #expect((3_000...3_500).contains(desk.store.statistics.byteCount))
    }

    @Test func `bytes of all owners together count`() throws {
        let text = String(repeating: "x", count: 1_000)
        let desk = try Desk { $0.bytesInAll = 3_500 }
        try fill(desk, 1...3, text: text)
        try fill(desk, 1...1, of: desk.ana, text: text)
        try desk.maintain()
        #expect(try desk.list() == ["3", "2"])
        #expect(try desk.list(desk.ana.owner) == ["1"])
    }

    @Test(arguments: [(0, 3), (1, 3), (2, 1), (3, 0)] as [(WallTime, Int)])
    func `what is older than the age leaves`(hours: WallTime, left: Int) throws {
        let desk = try Desk { $0.age = .seconds(3600) }
        try desk.commit(desk.arrival("a"), desk.arrival("b"), desk.arrival("c", date: Desk.now + hour))
        try desk.maintain(at: Desk.now + hours * hour)
        #expect(try desk.list().count == left)
    }

    @Test func `an age of zero keeps all`() throws {
        let desk = try Desk { $0.age = .zero }
        try desk.commit(desk.arrival("a"))
        try desk.maintain(at: Desk.now + 10_000 * hour)
        #expect(try desk.list() == ["a"])
    }

    @Test func `the history ends after its time, and a response keeps its content longer`() throws {
        let desk = try Desk { $0.history = .seconds(3600) }
        try fill(desk, 1...2)
        try desk.commit(
            .remove(desk.me, numbers: [Desk.first], by: .user),
            .respond(ResponseDraft(owner: desk.me, number: Desk.first + 1, action: "default"))
        )
        try desk.maintain(at: Desk.now + hour)
        #expect(try desk.store.history(of: desk.me, limit: 9).count == 2)
        #expect(try desk.store.takeUpkeep() == Upkeep())
        try desk.maintain(at: Desk.now + hour + 1)
        #expect(try desk.store.takeUpkeep() == Upkeep(forgetful: [desk.me]))
        #expect(try desk.store.history(of: desk.me, limit: 9) == [])
        #expect(try desk.store.responses(of: desk.chat, limit: 9).map(\.content) == [desk.content("2", text: "")])
        #expect(try desk.rows(of: "content") == 1)
        #expect(desk.store.statistics.byteCount == 0)
    }

    @Test func `the history of an owner has no more rows than its list`() throws {
        let desk = try Desk { $0.perOwner = 2 }
        for name in 1...4 {
            try desk.commit(desk.arrival("\(name)"), .removeAll(desk.chat, upTo: nil, by: .user))
        }
        try desk.maintain()
        #expect(try desk.store.takeUpkeep() == Upkeep(forgetful: [desk.me]))
        #expect(try desk.store.history(of: desk.me, limit: 9).map { $0.content?.identifier } == ["4", "3"])
    }

    @Test func `tombstones are forgotten by age and by count, and who comes from before them loads anew`() throws {
        let desk = try Desk { limits in
            limits.tombstones = 2
            limits.tombstoneAge = .seconds(3600)
        }
        for _ in 1...4 { try desk.commit(desk.arrival("a")) }
        try desk.maintain()
        let floor = Desk.first + 1
        #expect(try desk.store.owner(desk.me)?.floor == floor)
        #expect(try desk.store.standing(of: Desk.first, owner: desk.me) == .unknown)
        #expect(try desk.store.changes(of: desk.me, since: floor - 1, limit: 9) == .reset)
        #expect(try desk.store.changes(of: desk.me, since: floor, limit: 9) != .reset)
        try desk.maintain(at: Desk.now + hour + 1)
        #expect(try desk.rows(of: "gone") == 0)
        #expect(try desk.store.owner(desk.me)?.floor == Desk.first + 3)
    }

    @Test func `a response expires after its time, and the oldest of too many do`() throws {
        let desk = try Desk { limits in
            limits.responses = 2
            limits.responseAge = .seconds(3600)
        }
        try fill(desk, 1...4)
        for number in Desk.first..<Desk.first + 4 {
            try desk.commit(.respond(ResponseDraft(owner: desk.me, number: number, action: "default")))
        }
        func expired() throws -> [Int64] { try desk.store.takeUpkeep().expired.map(\.id) }
        try desk.maintain()
        #expect(try expired() == [1, 2])
        try desk.maintain(at: Desk.now + hour + 1)
        #expect(try expired() == [3, 4])
        #expect(try desk.store.responses(after: 0, limit: 9) == [])
    }

    @Test func `a silent push that no app fetched ends`() throws {
        let desk = try Desk { $0.responseAge = .seconds(3600) }
        try desk.commit(desk.arrive(.call, .silent([1])))
        try desk.maintain(at: Desk.now + hour)
        #expect(try desk.store.silent(of: desk.chat) != nil)
        try desk.maintain(at: Desk.now + hour + 1)
        #expect(try desk.store.silent(of: desk.chat) == nil)
    }

    @Test func `one call removes a slice, and says that there is more`() throws {
        let desk = try Desk { limits in
            limits.perInstallation = 2
            limits.slice = 4
        }
        try fill(desk, 1...11)
        #expect(try desk.store.maintain(at: Desk.now))
        #expect(try desk.list().count == 7)
        #expect(try desk.store.maintain(at: Desk.now))
        #expect(try !desk.store.maintain(at: Desk.now))
        #expect(try desk.list() == ["11", "10"])
    }

    @Test func `a log that is too long is copied, while work comes and while there is more to remove`() throws {
        let desk = try Desk { limits in
            limits.log = 100_000
            limits.perInstallation = 1
            limits.slice = 1
        }
        var longest = 0
        for name in 1...60 {
            try desk.commit(desk.arrival("\(name)", text: String(repeating: "x", count: 2_000)))
            longest = max(longest, desk.store.statistics.logByteCount)
        }
        while try desk.store.maintain(at: Desk.now) { longest = max(longest, desk.store.statistics.logByteCount) }
        #expect((50_000..<100_000).contains(longest))
    }

    @Test func `what was too much when the store was opened leaves as well`() throws {
        let folder = try CenterFolder()
        let desk = try Desk()
        var store = try folder.store()
        let key = try Desk.key("me", "com.example.chat")
        _ = try store.commit(
            [.setOwner(key.owner, OwnerPreferences()), .setPermission(key, Desk.granted)]
                + (1...5).map { desk.arrival("\($0)") },
            at: Desk.now
        )
        try store.close()
        store = try folder.store { $0.perInstallation = 2 }
        while try store.maintain(at: Desk.now) {}
        #expect(try store.front(of: key.owner)?.heads.map(\.number) == [7, 6])
    }

    // MARK: - At rest

    /// Files of the folder in which a text stands.
    private func places(of text: String, _ folder: CenterFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
            guard name != FileShelf.name else { return false }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `what the app removed is in no file once the store is idle`() throws {
        let desk = try Desk()
        try fill(desk, 1...50, text: "beside")
        try desk.commit(desk.arrival("secret", text: "canary-7f3a"))
        try fill(desk, 51...99, text: "beside")
        #expect(try !places(of: "canary-7f3a", desk.folder).isEmpty)
        try desk.commit(.removeNamed(desk.chat, identifiers: ["secret"]))
        try desk.maintain()
        // The first call of a second found a commit; the next one finds none.
        try desk.maintain()
        #expect(try places(of: "canary-7f3a", desk.folder) == [])
        #expect(try places(of: "beside", desk.folder) == ["center.sqlite"])
    }

    @Test func `no removed one of many is in a file, whatever pages they shared`() throws {
        let desk = try Desk()
        let names = Array(0..<600)
        for name in names {
            let text = "canary-\(name)-" + String(repeating: "x", count: name * 7 % 1_900)
            try desk.commit(desk.arrival("\(name)", text: text))
        }
        var steps = CenterSteps(seed: 7)
        for _ in 0..<10 {
            let gone = (0..<40).map { _ in steps.one(in: names.count) }
            try desk.commit(.removeNamed(desk.chat, identifiers: gone.map { "\($0)" }))
            try desk.maintain()
            try desk.maintain()
            let left = Set(try desk.list())
            let file = try Data(contentsOf: URL(fileURLWithPath: desk.folder.database))
            let found = names.filter { file.range(of: Data("canary-\($0)-".utf8)) != nil }.map { "\($0)" }
            #expect(Set(found) == left)
        }
    }
}
