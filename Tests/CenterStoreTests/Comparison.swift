// SPDX-License-Identifier: Apache-2.0

import CenterSteps
import NotificationPayload
import Testing

@testable import CenterStore

/// Holds a store against the naive one, by everything that can be read.
struct Comparison {
    let store: CenterStore
    let model: NaiveCentre

    func everything(_ place: SourceLocation = #_sourceLocation) throws {
        for name in CenterSteps.owners {
            try front(name, place)
            try history(name, place)
            for number in (model.owners[name]?.position ?? 0) - 60...(model.owners[name]?.position ?? 0) {
                let standing = try store.standing(of: number, owner: name)
                #expect(standing == model.standing(number, name), sourceLocation: place)
            }
        }
        for name in CenterSteps.owners {
            for topic in CenterSteps.topics {
                guard let key = InstallationKey(owner: name, app: topic) else { continue }
                try requests(key, place)
            }
        }
        try centre(place)
    }

    private func front(_ name: OwnerName, _ place: SourceLocation) throws {
        let expected = model.owners[name]
        let front = try store.front(of: name)
        #expect(front?.owner == expected.map(OwnerRecord.init), sourceLocation: place)
        let apps = model.apps.filter { $0.key.owner == name }.map { key, app in
            Installation(
                number: app.id,
                key: key,
                permission: app.permission,
                badge: app.badge,
                changed: app.changed,
                stored: model.list(key).count
            )
        }
        #expect(front?.installations ?? [] == apps.sorted { $0.number < $1.number }, sourceLocation: place)
        #expect(try store.installations(of: name) == front?.installations ?? [], sourceLocation: place)
        let page = try store.page(PageQuery(limit: 100_000), of: name)
        #expect(page?.items.map(\.head) ?? [] == front?.heads ?? [], sourceLocation: place)
        same(page?.items ?? [], expected?.list ?? [], place)
        #expect(page?.position == expected?.position, sourceLocation: place)
    }

    private func same(_ found: [StoredNotification], _ notes: [NaiveCentre.Note], _ place: SourceLocation) {
        let found = found.map { item in
            NaiveCentre.Note(
                number: item.head.number,
                installation: item.head.installation,
                content: item.content ?? NotificationContent(identifier: "damaged", payload: [:]),
                presentation: item.head.presentation,
                date: item.head.date
            )
        }
        let expected = notes.sorted { $0.number > $1.number }.map { note in
            var note = note
            note.closed = 0
            return note
        }
        #expect(found == expected, sourceLocation: place)
    }

    private func history(_ name: OwnerName, _ place: SourceLocation) throws {
        same(try store.history(of: name, limit: 100_000), model.owners[name]?.history ?? [], place)
    }

    private func requests(_ key: InstallationKey, _ place: SourceLocation) throws {
        let pending = try store.pending(of: key)
        #expect(pending == model.pending.filter { $0.request.installation == key }, sourceLocation: place)
        let responses = try store.responses(of: key, limit: 10_000)
        #expect(
            responses == model.responses.filter { $0.key == key }.map { StoredResponse($0, in: model) },
            sourceLocation: place
        )
        let silent = try store.silent(of: key)
        #expect(silent?.payload == model.silent[key]?.payload, sourceLocation: place)
        #expect(silent?.stored == model.silent[key]?.stored, sourceLocation: place)
        let regions = model.pending.filter { $0.request.installation == key && $0.request.box != nil }.map { pending in
            StoredRegion(
                id: pending.id,
                box: pending.request.box ?? [],
                standing: model.standings[pending.id] ?? 0,
                repeats: pending.request.repeats,
                rule: pending.request.rule
            )
        }
        let ids = Set(pending.map(\.id))
        #expect(try store.regions(of: key.owner).filter { ids.contains($0.id) } == regions, sourceLocation: place)
        #expect(try store.categories(of: key) == model.apps[key]?.categories, sourceLocation: place)
    }

    private func centre(_ place: SourceLocation) throws {
        #expect(try store.waiting(after: 0, limit: 100_000) == model.waiting, sourceLocation: place)
        #expect(
            try store.responses(after: 0, limit: 100_000) == model.responses.map { StoredResponse($0, in: model) },
            sourceLocation: place
        )
        #expect(try store.fact("boot") == model.facts["boot"], sourceLocation: place)
        for clock in TriggerClock.allCases {
            let due = model.pending.compactMap { pending -> (due: Int64, pending: StoredPending)? in
                guard pending.request.clock == clock, let due = pending.request.date.due else { return nil }
                return (due, pending)
            }.sorted { ($0.due, $0.pending.id) < ($1.due, $1.pending.id) }
            #expect(try store.nextDue(on: clock) == due.first?.due, sourceLocation: place)
            let soonest = due.filter { $0.due < 2_500 }.prefix(5).map(\.pending)
            #expect(try store.due(on: clock, before: 2_500, limit: 5) == soonest, sourceLocation: place)
        }
        let owners = model.owners.values
        #expect(store.statistics.stored == owners.reduce(0) { $0 + $1.list.count }, sourceLocation: place)
        #expect(store.statistics.byteCount == owners.reduce(0) { $0 + $1.byteCount }, sourceLocation: place)
        #expect(store.statistics.pending == model.pending.count, sourceLocation: place)
    }
}

extension OwnerRecord {
    init(_ owner: NaiveCentre.Owner) {
        self.init(
            name: owner.name,
            position: owner.position,
            floor: owner.floor,
            seen: owner.seen,
            preferences: owner.preferences,
            changed: owner.changed
        )
    }
}

extension StoredResponse {
    init(_ response: NaiveCentre.Response, in model: NaiveCentre) {
        self.init(
            id: response.id,
            installation: response.key,
            number: response.number,
            action: response.draft.action,
            text: response.draft.text,
            state: response.state,
            tries: response.tries,
            stored: response.stored,
            delivered: model.owners[response.key.owner]?.history.first { $0.number == response.number }?.date,
            content: response.content
        )
    }
}
