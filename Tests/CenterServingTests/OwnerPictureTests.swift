// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterSteps
import CenterStore
import Dispatch
import Foundation
import Locking
import NotificationPayload
import Testing

@testable import CenterServing
@testable import UserNotificationCenter

/// Pictures of owners that are kept, beside such as are read anew in the same transaction.
@Suite(.timeLimit(.minutes(3)))
struct OwnerPictureTests {
    /// Everything that a picture can be asked for.
    private struct Facts: Equatable {
        let owner: OwnerRecord
        let installations: [Installation]
        let settings: [InstallationSettings]
        let categories: [CategorySet]
        let stacks: [StackBoard.Stack]
        let members: [[StackEntry]]
        let summaries: [[StackSummary.Member]]

        init(_ picture: OwnerPicture) {
            owner = picture.owner
            installations = picture.apps.map(\.installation)
            settings = picture.apps.map(\.permission.settings)
            categories = picture.apps.map(\.categories)
            let board = picture.board
            stacks = [false, true].flatMap { board.stacks(isHeld: $0, limit: .max) }
            members = stacks.map { board.members(of: $0.key) }
            summaries = board.summaryMembers(of: stacks.map(\.key))
        }
    }

    /// A store in a folder that goes with the test, and random work for it.
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)").path
        let store: CenterStore
        var steps: CenterSteps

        init(seed: UInt64) throws {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            // Bounds that random work reaches.
            var limits = CenterLimits()
            limits.perInstallation = 25
            limits.perOwner = 60
            limits.inAll = 150
            limits.tombstones = 50
            store = try CenterStore(folder: folder, isDurable: false, limits: limits)
            steps = CenterSteps(seed: seed)
            _ = try store.commit(CenterSteps.beginning, at: steps.now)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Does a piece of random work; now and then an owner has an app grouped otherwise, or the app has categories.
        func step() throws {
            let work = steps.batch()
            steps.note(try store.commit(work, at: steps.now))
            if steps.one(in: 9) == 0 { while try store.maintain(at: steps.now) {} }
            guard steps.one(in: 6) == 0, let key = InstallationKey(owner: owner(), app: CenterSteps.topics[0]) else {
                return
            }
            var permission = AppPermission()
            permission.settings.grouping = StackGrouping.allCases[steps.one(in: 3)]
            let category = NotificationCategory(identifier: "message \(steps.one(in: 3))")
            let change: CenterWork =
                steps.one(in: 2) == 0
                ? .setPermission(key, permission.stored) : .setCategories(key, kept(category))
            _ = try store.commit([change], at: steps.now)
        }

        private func kept(_ category: NotificationCategory) -> [UInt8] {
            var kept = KeptCategories()
            if let set = try? CategorySet([category]) { kept.register(set, after: 0) }
            return kept.stored
        }

        func owner() -> OwnerName { CenterSteps.owners[steps.one(in: CenterSteps.owners.count)] }
    }

    /// The kept picture of an owner and a fresh one, both of one transaction.
    private static func pair(
        _ store: CenterStore,
        _ owner: OwnerName,
        _ pictures: OwnerPictures
    ) throws -> (kept: Facts, fresh: Facts) {
        let pair = try store.look(at: owner) { reading in
            (Facts(try pictures.picture(reading)), Facts(try OwnerPicture(reading)))
        }
        return try #require(pair)
    }

    @Test(arguments: [(1, 64 << 20), (2, 64 << 20), (3, 30_000)] as [(UInt64, Int)])
    func `a kept picture is the one that is read anew, after whatever was committed`(
        seed: UInt64,
        byteLimit: Int
    ) throws {
        let desk = try Desk(seed: seed)
        let pictures = OwnerPictures(byteLimit: byteLimit)
        for step in 0..<1500 {
            try desk.step()
            // Sometimes an owner is asked for after each change, and sometimes after very many.
            guard step % 300 < 200 else { continue }
            let (kept, fresh) = try Self.pair(desk.store, desk.owner(), pictures)
            try #require(kept == fresh, "step \(step)")
            #expect(pictures.byteCount <= byteLimit)
        }
    }

    @Test func `a picture never disagrees with its position, whoever commits meanwhile`() async throws {
        let desk = try Desk(seed: 4)
        let store = desk.store
        let pictures = OwnerPictures()
        let work = (0..<600).map { _ in (work: desk.steps.batch(), now: desk.steps.now) }
        let faults = Locked<[String]>([])
        let isOver = Locked(false)
        // On threads of their own: a commit and a read block.
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 4) { lane in
                    do {
                        if lane == 0 {
                            defer { isOver.withLock { $0 = true } }
                            for (work, now) in work { _ = try store.commit(work, at: now) }
                            return
                        }
                        let owner = CenterSteps.owners[lane % 2]
                        while !isOver.withLock({ $0 }) {
                            let (kept, fresh) = try Self.pair(store, owner, pictures)
                            if kept != fresh { faults.withLock { $0.append("\(fresh.owner.position)") } }
                        }
                    } catch {
                        faults.withLock { $0.append("\(error)") }
                    }
                }
                done.resume()
            }
        }
        #expect(faults.withLock { $0 } == [])
    }

    @Test func `those who were asked for last are kept, and all together stay within the limit`() throws {
        let desk = try Desk(seed: 5)
        for _ in 0..<200 { try desk.step() }
        let pictures = OwnerPictures()
        let owners = CenterSteps.owners
        for owner in owners { _ = try Self.pair(desk.store, owner, pictures) }
        let all = pictures.byteCount
        #expect(all > 3 * 1024)
        // An array of the same elements has some bytes more or less of room, as the heap has them.
        let limit = all - all / 16
        let narrow = OwnerPictures(byteLimit: limit)
        for owner in owners { _ = try Self.pair(desk.store, owner, narrow) }
        #expect(narrow.owners.contains(owners[2]) && !narrow.owners.contains(owners[0]))
        #expect(narrow.byteCount <= limit)
        // A picture that is over the limit alone is answered, and not kept.
        let none = OwnerPictures(byteLimit: 1000)
        let (kept, fresh) = try Self.pair(desk.store, owners[0], none)
        #expect(kept == fresh && none.byteCount == 0 && none.owners.isEmpty)
    }
}
