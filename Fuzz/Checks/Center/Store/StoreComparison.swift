// SPDX-License-Identifier: Apache-2.0

private import CenterSteps
package import CenterStore
private import NotificationPayload

/// Holds a store against the naive one, by everything that can be read.
package struct StoreComparison {
    private let store: CenterStore
    private let model: NaiveCentre
    private let numberCount: Int64

    /// The last `numberCount` numbers of each owner are asked for what became of them.
    package init(_ store: CenterStore, _ model: NaiveCentre, numberCount: Int64 = 60) {
        self.store = store
        self.model = model
        self.numberCount = numberCount
    }

    /// Names whatever differs; nothing means that the two are alike.
    package func differences() throws -> [String] {
        var differences: [String] = []
        for name in CenterSteps.owners {
            differences += try front(name)
            differences += same("history", notes(try store.history(of: name, limit: 100_000)), history(name))
            let position = model.owners[name]?.position ?? 0
            for number in position - numberCount...position {
                let standing = try store.standing(of: number, owner: name)
                differences += same("standing", standing, model.standing(number, name))
            }
            for topic in CenterSteps.topics {
                guard let key = InstallationKey(owner: name, app: topic) else { continue }
                differences += try requests(key)
            }
        }
        return try differences + centre() + sums()
    }

    private func same<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) -> [String] {
        found == expected ? [] : [what]
    }

    // MARK: Owners

    private func front(_ name: OwnerName) throws -> [String] {
        let expected = model.owners[name]
        let front = try store.front(of: name)
        let page = try store.page(PageQuery(limit: 100_000), of: name)
        let apps = model.apps.filter { $0.key.owner == name }.map { key, app in
            AppFacts(key: key, app: app, stored: model.list(key).count)
        }
        let list = expected?.list.sorted { $0.number > $1.number } ?? []
        return same("owner", front.map { OwnerFacts($0.owner) }, expected.map { OwnerFacts($0) })
            + same("apps", front?.installations.map { AppFacts($0) } ?? [], apps.sorted { $0.number < $1.number })
            + same("installations", try store.installations(of: name), front?.installations ?? [])
            + same("outlines", try outlines(name), list.reversed().map(OutlineFacts.init))
            + same("heads", page?.items.map(\.head) ?? [], front?.heads ?? [])
            + same("list", notes(page?.items ?? []), list) + same("position", page?.position, expected?.position)
    }

    private func outlines(_ name: OwnerName) throws -> [OutlineFacts] {
        var found: [OutlineFacts] = []
        _ = try store.look(at: name) { reading in
            try reading.eachOutline(after: 0) { found.append(OutlineFacts($0)) }
        }
        return found
    }

    private func history(_ name: OwnerName) -> [NaiveCentre.Note] {
        let notes = model.owners[name]?.history.sorted { $0.number > $1.number } ?? []
        return notes.map { note in
            var note = note
            note.closed = 0
            return note
        }
    }

    private func notes(_ found: [StoredNotification]) -> [NaiveCentre.Note] {
        found.map { item in
            NaiveCentre.Note(
                number: item.head.number,
                installation: item.head.installation,
                content: item.content ?? NotificationContent(identifier: "damaged", payload: [:]),
                presentation: item.head.presentation,
                date: item.head.date
            )
        }
    }

    // MARK: Apps

    private func requests(_ key: InstallationKey) throws -> [String] {
        let silent = try store.silent(of: key)
        let ids = Set(try store.pending(of: key).map(\.id))
        return same(
            "regions",
            try store.regions(of: key.owner).filter { ids.contains($0.id) }.map { RegionFacts($0) },
            model.pending.filter { $0.request.installation == key && $0.request.box != nil }
                .map { RegionFacts($0, standing: model.standings[$0.id] ?? 0) }
        )
            + same(
                "pending",
                pending(try store.pending(of: key)),
                model.pending.filter { $0.request.installation == key }
            )
            + same(
                "responses",
                try store.responses(of: key, limit: 10_000).map { ResponseFacts($0) },
                model.responses.filter { $0.key == key }.map { ResponseFacts($0, in: model) }
            )
            + same("silent", silent?.payload, model.silent[key]?.payload)
            + same("silent date", silent?.stored, model.silent[key]?.stored)
            + same("categories", try store.categories(of: key), model.apps[key]?.categories)
    }

    private func pending(_ found: [StoredPending]) -> [NaiveCentre.Pending] {
        found.map { NaiveCentre.Pending(id: $0.id, request: $0.request) }
    }

    // MARK: The centre

    private func centre() throws -> [String] {
        let waiting = try store.waiting(after: 0, limit: 100_000).map { waiting in
            NaiveCentre.Waiting(
                id: waiting.id,
                installation: waiting.installation,
                stored: waiting.stored,
                content: waiting.content
            )
        }
        var differences =
            same("waiting", waiting, model.waiting) + same("fact", try store.fact("boot"), model.facts["boot"])
        differences += same(
            "all responses",
            try store.responses(after: 0, limit: 100_000).map { ResponseFacts($0) },
            model.responses.map { ResponseFacts($0, in: model) }
        )
        for clock in TriggerClock.allCases {
            let due = model.pending.compactMap { pending -> (due: Int64, pending: NaiveCentre.Pending)? in
                guard pending.request.clock == clock, let due = pending.request.date.due else { return nil }
                return (due, pending)
            }.sorted { ($0.due, $0.pending.id) < ($1.due, $1.pending.id) }
            differences += same("next due", try store.nextDue(on: clock), due.first?.due)
            let soonest = due.filter { $0.due < 2_500 }.prefix(5).map(\.pending)
            differences += same("due", pending(try store.due(on: clock, before: 2_500, limit: 5)), soonest)
        }
        return differences
    }

    private func sums() -> [String] {
        let owners = model.owners.values
        return same("stored", store.statistics.stored, owners.reduce(0) { $0 + $1.list.count })
            + same("bytes", store.statistics.byteCount, owners.reduce(0) { $0 + $1.byteCount })
            + same("count of pending", store.statistics.pending, model.pending.count)
    }
}
