// SPDX-License-Identifier: Apache-2.0

import CenterStore

/// All that is known of an owner, whichever store knows it.
struct OwnerFacts: Equatable {
    private let name: OwnerName
    private let numbers: [Int64]
    private let preferences: OwnerPreferences

    init(_ owner: OwnerRecord) {
        name = owner.name
        numbers = [owner.position, owner.floor, owner.seen, owner.changed]
        preferences = owner.preferences
    }

    init(_ owner: NaiveCentre.Owner) {
        name = owner.name
        numbers = [owner.position, owner.floor, owner.seen, owner.changed]
        preferences = owner.preferences
    }
}

/// All that is known of an app.
struct AppFacts: Equatable {
    let number: Int64
    private let key: InstallationKey
    private let permission: Permission
    private let badge: Int
    private let changed: Int64
    private let stored: Int

    init(_ installation: Installation) {
        number = installation.number
        key = installation.key
        permission = installation.permission
        badge = installation.badge
        changed = installation.changed
        stored = installation.stored
    }

    init(key: InstallationKey, app: NaiveCentre.App, stored: Int) {
        number = app.id
        self.key = key
        permission = app.permission
        badge = app.badge
        changed = app.changed
        self.stored = stored
    }
}

/// All that is known of a response.
struct ResponseFacts: Equatable {
    private let key: InstallationKey
    private let numbers: [Int64]
    private let texts: [String?]
    private let state: ResponseState
    private let delivered: WallTime?
    private let content: NotificationContent?

    init(_ response: StoredResponse) {
        key = response.installation
        numbers = [response.id, response.number, Int64(response.tries), response.stored]
        texts = [response.action, response.text]
        state = response.state
        delivered = response.delivered
        content = response.content
    }

    init(_ response: NaiveCentre.Response, in model: NaiveCentre) {
        key = response.key
        numbers = [response.id, response.number, Int64(response.tries), response.stored]
        texts = [response.draft.action, response.draft.text]
        state = response.state
        delivered = model.owners[response.key.owner]?.history.first { $0.number == response.number }?.date
        content = response.content
    }
}

/// All that is known of a place for which a request waits.
struct RegionFacts: Equatable {
    private let numbers: [Int64]
    private let bytes: [[UInt8]]
    private let repeats: Bool

    init(_ region: StoredRegion) {
        numbers = [region.id, region.standing]
        bytes = [region.box, region.rule]
        repeats = region.repeats
    }

    init(_ pending: NaiveCentre.Pending, standing: Int64) {
        numbers = [pending.id, standing]
        bytes = [pending.request.box ?? [], pending.request.rule]
        repeats = pending.request.repeats
    }
}

/// All that summaries are made of, whichever store knows it.
struct OutlineFacts: Equatable {
    private let number: Int64
    private let installation: Int64
    private let flags: HeadFlags
    private let count: Int
    private let words: SummaryWords

    init(_ outline: NotificationOutline) {
        number = outline.number
        installation = outline.installation
        flags = outline.flags
        count = outline.count
        words = outline.words
    }

    init(_ note: NaiveCentre.Note) {
        number = note.number
        installation = note.installation
        flags = note.presentation.flags
        count = note.presentation.count
        words = SummaryWords(category: note.content.category, argument: note.content.argument)
    }
}
