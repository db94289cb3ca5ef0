// SPDX-License-Identifier: Apache-2.0

import CenterChecks
import CenterSteps
import Sampling
import Testing

@testable import CenterStore

/// A store under random work, held against the naive one and against watchers that come back.
struct ModelTests {
    /// Bounds that random work reaches.
    private static func tighten(_ limits: inout CenterLimits) {
        limits.perInstallation = 9
        limits.perOwner = 22
        limits.inAll = 60
        limits.ownerBytes = 11_000
        limits.bytesInAll = 28_000
        limits.age = .seconds(2 * 3600)
        limits.history = .seconds(1800)
        limits.tombstoneAge = .seconds(3600)
        limits.tombstones = 60
        limits.responseAge = .seconds(3600)
        limits.responses = 6
        limits.pending = 30
        limits.regions = 3
        limits.installations = 3
    }

    /// Hashes of 3 bits: most rows that are found by a name are others'.
    @Test(.timeLimit(.minutes(10)), arguments: [(1, 63), (2, 3), (3, 3)] as [(UInt64, Int)])
    func `random work has the results and the rows of the naive store`(seed: UInt64, hashBits: Int) throws {
        // The last one's store is sealed.
        let folder = try CenterFolder(key: seed == 3 ? .test() : nil)
        var store = try folder.store(hashBits: hashBits, Self.tighten)
        var limits = CenterLimits()
        Self.tighten(&limits)
        var model = NaiveCentre(limits: limits)
        var steps = CenterSteps(seed: seed)
        var watchers: [Watcher] = []
        #expect(
            try store.commit(CenterSteps.beginning, at: steps.now)
                == model.commit(CenterSteps.beginning, at: steps.now)
        )
        var kinds: Set<String> = []
        var pieces = 0
        var batches = 0
        let total = Sample.count(50_000, atMost: 5_000, "pieces of random work for a store")
        while pieces < total {
            let work = steps.batch()
            let results = try store.commit(work, at: steps.now)
            try #require(results == model.commit(work, at: steps.now), "batch \(batches)")
            steps.note(results)
            for result in results { kinds.insert(Self.kind(result)) }
            pieces += work.count
            batches += 1
            if batches % 9 == 0 {
                while try store.maintain(at: steps.now) {}
                model.maintain(at: steps.now)
                #expect(NaiveCentre.Work(try store.takeUpkeep()) == model.takeUpkeep())
            }
            if batches % 5 == 0 { watchers.append(try Watcher(of: steps.anyOwner(), store)) }
            if batches % 25 == 0 {
                for index in watchers.indices where steps.one(in: 4) == 0 {
                    try watchers[index].resume(store, limit: 1 + steps.one(in: 30))
                }
                if watchers.count > 24 { watchers.removeFirst(watchers.count - 24) }
            }
            if batches % 60 == 0 { #expect(try StoreComparison(store, model).differences() == []) }
            if batches % 400 == 0 {
                try store.close()
                #expect(try folder.strays() == [])
                store = try folder.store(hashBits: hashBits, Self.tighten)
                #expect(try StoreComparison(store, model).differences() == [])
            }
        }
        #expect(try StoreComparison(store, model).differences() == [])
        #expect(try folder.strays() == [])
        // The whole of each seed's work reaches all that there is to compare.
        if total == 50_000 { #expect(Self.kinds.subtracting(kinds) == []) }
    }

    private static let kinds: Set<String> = [
        "listed", "replaced", "waits", "noted", "repeated", "withdrawn", "removed", "answered", "kept", "completed",
        "expired", "ignored", "renewed", "changed", "unchanged", "uninstalled", "scheduled", "dropped", "unscheduled",
        "done", "unknownInstallation", "tooManyInstallations", "badgeOutOfRange", "notThere", "replacedBy",
        "tooManyRegions",
    ]

    private static func kind(_ result: WorkResult) -> String {
        switch result {
        case .listed(_, let former, _): former == nil ? "listed" : "replaced"
        case .waits: "waits"
        case .noted: "noted"
        case .repeated: "repeated"
        case .withdrawn: "withdrawn"
        case .removed(let removals): removals.isEmpty ? "removed none" : "removed"
        case .answered: "answered"
        case .stepped(.kept): "kept"
        case .stepped(.completed): "completed"
        case .stepped(.expired): "expired"
        case .stepped(.ignored): "ignored"
        case .renewed(let renewals): renewals.isEmpty ? "renewed none" : "renewed"
        case .changed: "changed"
        case .unchanged: "unchanged"
        case .uninstalled: "uninstalled"
        case .scheduled(_, _, let dropped): dropped.isEmpty ? "scheduled" : "dropped"
        case .unscheduled: "unscheduled"
        case .done: "done"
        case .refused(.unknownOwner): "unknownOwner"
        case .refused(.unknownInstallation): "unknownInstallation"
        case .refused(.tooManyInstallations): "tooManyInstallations"
        case .refused(.badgeOutOfRange): "badgeOutOfRange"
        case .refused(.notThere): "notThere"
        case .refused(.replaced): "replacedBy"
        case .refused(.noCredential): "noCredential"
        case .refused(.tooManyPending): "tooManyPending"
        case .refused(.tooManyRegions): "tooManyRegions"
        }
    }
}

extension CenterSteps {
    fileprivate mutating func anyOwner() -> OwnerName { Self.owners[one(in: Self.owners.count)] }
}

/// The knowledge of somebody who saw an owner's front once and reads on from there.
struct Watcher {
    let owner: OwnerName
    private(set) var position: Int64
    private var list: [Int64: StoredNotification] = [:]
    private var apps: [Int64: Installation] = [:]
    private var record: OwnerRecord?

    init(of owner: OwnerName, _ store: CenterStore) throws {
        self.owner = owner
        position = 0
        try load(store)
    }

    private mutating func load(_ store: CenterStore) throws {
        let front = try #require(try store.front(of: owner))
        position = front.owner.position
        record = front.owner
        list = [:]
        for item in try store.notifications(front.heads.map(\.number), of: owner) { list[item.head.number] = item }
        #expect(list.count == front.heads.count)
        apps = Dictionary(uniqueKeysWithValues: front.installations.map { ($0.number, $0) })
    }

    /// Reads on to the end, in pieces, and compares what it then knows with the front.
    mutating func resume(_ store: CenterStore, limit: Int) throws {
        let floor = try #require(try store.owner(owner)).floor
        // What came and went before a later piece may be removed in it, though nobody told of its delivery.
        var mustKnow = true
        while true {
            switch try store.changes(of: owner, since: position, limit: limit) {
            case .reset:
                #expect(position < floor)
                return try load(store)
            case .changes(let changes, let next, let isComplete):
                #expect(changes.count <= limit)
                #expect(isComplete || !changes.isEmpty)
                let numbers = [position] + changes.map(\.number)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "in order, each once")
                for change in changes { apply(change.thing, mustKnow: mustKnow) }
                (position, mustKnow) = (next, false)
                if isComplete { return try compare(store) }
            }
        }
    }

    private mutating func apply(_ thing: OwnerChange.Thing, mustKnow: Bool) {
        switch thing {
        case .delivered(let item, let former):
            #expect(list[item.head.number] == nil)
            if let former { #expect(list.removeValue(forKey: former) != nil || !mustKnow) }
            list[item.head.number] = item
        case .removed(let number, _): #expect(list.removeValue(forKey: number) != nil || !mustKnow)
        case .installation(let installation): apps[installation.number] = installation
        case .uninstalled(let topic): apps = apps.filter { $0.value.key.app != topic }
        case .owner(let owner): record = owner
        }
    }

    private func compare(_ store: CenterStore) throws {
        var fresh = self
        try fresh.load(store)
        #expect(list == fresh.list)
        #expect(position == fresh.position)
        #expect(record?.seen == fresh.record?.seen)
        #expect(record?.preferences == fresh.record?.preferences)
        #expect(apps.mapValues(\.permission) == fresh.apps.mapValues(\.permission))
        #expect(apps.mapValues(\.badge) == fresh.apps.mapValues(\.badge))
    }
}
