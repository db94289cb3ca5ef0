// SPDX-License-Identifier: Apache-2.0

package import CenterStore
import NotificationPayload

/// Random work for a store, the same again for the same seed and the same results.
package struct CenterSteps {
    package static let owners = ["ana", "ines", "me"].compactMap { OwnerName($0) }
    package static let topics = ["com.example.chat", "com.example.mail", "org.example.bank", "org.example.game"]

    /// The time on the wall, which goes on with each batch.
    package private(set) var now: WallTime = 1_795_230_000_000
    private var numbers: Choices
    /// The owners whose numbers the results of the last batch are.
    private var asked: [OwnerName] = []
    private var last: [OwnerName: Int64] = [:]
    /// The newest notifications of each owner that were answered or removed, for what is asked of them later.
    private var gone: [OwnerName: [Int64]] = [:]
    private var lastWaiting: Int64 = 0
    private var lastPending: Int64 = 0
    private var lastResponse: Int64 = 0
    private var lastRecord: Int64 = 0

    package init(seed: UInt64) {
        numbers = .random(SplitMix(state: seed))
    }

    /// Work that bytes choose, one after the other; behind the last byte every choice is the first.
    package init(choices: [UInt8]) {
        numbers = .written(choices[...])
    }

    /// True if the bytes that choose are used up.
    package var isAtEnd: Bool {
        switch numbers {
        case .random: false
        case .written(let rest): rest.isEmpty
        }
    }

    /// Work that makes every owner and the installations of the first two topics.
    package static var beginning: [CenterWork] {
        owners.map { .setOwner($0, OwnerPreferences()) }
            + owners.flatMap { owner in
                topics.prefix(2).compactMap { topic in
                    InstallationKey(owner: owner, app: topic).map { .setPermission($0, permission(2)) }
                }
            }
    }

    /// One to eight pieces of work.
    package mutating func batch() -> [CenterWork] {
        now += numbers.one(in: 100) == 0 ? 40 * 60 * 1000 : Int64(numbers.one(in: 3000))
        asked = []
        return (0...numbers.one(in: 8)).compactMap { _ in
            let owner = Self.owners[numbers.one(in: Self.owners.count)]
            guard let key = InstallationKey(owner: owner, app: Self.topics[numbers.one(in: 4)]) else { return nil }
            asked.append(owner)
            return piece(owner, key)
        }
    }

    /// Learns from the results of the last batch which numbers there are.
    package mutating func note(_ results: [WorkResult]) {
        for (owner, result) in zip(asked, results) {
            switch result {
            case .listed(let number, _, let badge): last[owner] = badge ?? number
            case .waits(let id): lastWaiting = id
            case .answered(let id, let removal):
                (lastResponse, last[owner]) = (id, removal.number)
                noteGone([removal], owner)
            case .removed(let removals): noteGone(removals, owner)
            case .scheduled(let id, _, _): lastPending = id
            case .renewed(let renewals): last[owner] = renewals.last?.number ?? last[owner]
            case .changed(let number), .uninstalled(_, let number): last[owner] = number
            case .noted, .repeated, .withdrawn, .stepped, .unchanged, .unscheduled, .done, .refused: break
            }
        }
    }

    private mutating func noteGone(_ removals: [Removal], _ owner: OwnerName) {
        gone[owner] = Array((gone[owner, default: []] + removals.map(\.target)).suffix(100))
    }

    /// A number in `0 ..< count`, for whoever compares.
    package mutating func one(in count: Int) -> Int { numbers.one(in: count) }

    /// A number that the owner may have given of late.
    package mutating func number(_ owner: OwnerName) -> Int64 {
        max(0, (last[owner] ?? 1) - Int64(numbers.one(in: 40)))
    }
}

extension CenterSteps {
    private mutating func piece(_ owner: OwnerName, _ key: InstallationKey) -> CenterWork {
        switch numbers.one(in: 100) {
        case ..<40: .arrive(arrival(key))
        case ..<45: .remove(owner, numbers: (0...numbers.one(in: 3)).map { _ in number(owner) }, by: .user)
        case ..<48: .removeNamed(key, identifiers: (0...numbers.one(in: 3)).map { _ in identifier() })
        case ..<50: .removeAll(key, upTo: numbers.one(in: 2) == 0 ? number(owner) : nil, by: remover())
        case ..<58: .respond(draft(owner))
        case ..<66: .step(response: lastResponse - Int64(numbers.one(in: 3)), step())
        case ..<68: .renew(owner, numbers: [number(owner), number(owner)], flags: [.list])
        case ..<70: .restore(owner, number: numberOfGone(owner))
        case ..<71: forgetting(of: owner)
        case ..<73: .seen(owner, number: number(owner) + Int64(numbers.one(in: 3)))
        case ..<74: .setOwner(owner, preferences())
        case ..<78: .setPermission(key, Self.permission(numbers.one(in: 4)))
        case ..<81: .setBadge(key, numbers.one(in: 5) - 1)
        case ..<83: .setCategories(key, Array("[\(numbers.one(in: 4))]".utf8))
        case ..<84: numbers.one(in: 4) == 0 ? .removeInstallation(key) : .setBadge(key, 7)
        case ..<92: .schedule(request(key), limit: PendingLimit(count: numbers.one(in: 7), wallMinusBoot: 1_000))
        case ..<94: .unschedule(key, identifiers: numbers.one(in: 3) == 0 ? nil : [identifier(), identifier()])
        case ..<95: .redate(pending: lastPending - Int64(numbers.one(in: 6)), DueDate(due: Int64(numbers.one(in: 9))))
        case ..<96: .note(region: lastPending - Int64(numbers.one(in: 6)), standing: Int64(numbers.one(in: 9)))
        case ..<97: .dropSilent(key, stored: now)
        case ..<99: .floor(journal: UInt32(numbers.one(in: 2)), number: lastRecord - 40)
        default: .setFact("boot", Array("\(numbers.one(in: 9))".utf8))
        }
    }

    private mutating func forgetting(of owner: OwnerName) -> CenterWork {
        guard numbers.one(in: 8) == 0 else { return .forget(owner, number: number(owner)) }
        return .forgetAll(owner, upTo: numbers.one(in: 2) == 0 ? nil : number(owner))
    }

    /// Returns the number of a notification that left the list, whose name a newer one may have by now.
    private mutating func numberOfGone(_ owner: OwnerName) -> Int64 {
        let gone = gone[owner, default: []]
        return gone.isEmpty ? number(owner) : gone[numbers.one(in: gone.count)]
    }

    private mutating func arrival(_ key: InstallationKey) -> NotificationArrival {
        let source: NotificationArrival.Source =
            switch numbers.one(in: 10) {
            case ..<6: .record(record())
            case 6: .waiting(lastWaiting - Int64(numbers.one(in: 4)))
            case 7:
                .pending(
                    lastPending - Int64(numbers.one(in: 6)),
                    due: date().due,
                    next: numbers.one(in: 2) == 0 ? nil : date()
                )
            default: .call
            }
        let fate: NotificationArrival.Fate =
            switch numbers.one(in: 12) {
            case ..<9: .listed(content(), presentation())
            case 9: .waits(content())
            case 10: .silent(Array("{\"aps\":{},\"n\":\(numbers.one(in: 99))}".utf8))
            default: .unlisted
            }
        return NotificationArrival(
            installation: key,
            source: source,
            fate: fate,
            date: now - Int64(numbers.one(in: 2) * numbers.one(in: 600_000)),
            badge: numbers.one(in: 2) == 0 ? nil : numbers.one(in: 4)
        )
    }

    private mutating func record() -> RecordName {
        let isRepeated = numbers.one(in: 6) == 0
        if !isRepeated { lastRecord += 1 }
        let number = isRepeated ? lastRecord - Int64(numbers.one(in: 30)) : lastRecord
        return RecordName(journal: UInt32(numbers.one(in: 2)), number: number)
    }

    private mutating func content() -> NotificationContent {
        NotificationContent(
            identifier: identifier(),
            thread: numbers.one(in: 3) == 0 ? nil : "thread \(numbers.one(in: 3))",
            category: numbers.one(in: 2) == 0 ? nil : "message",
            argument: numbers.one(in: 2) == 0 ? nil : "Alice",
            trigger: numbers.one(in: 2) == 0 ? nil : ["type": "push"],
            payload: ["aps": ["alert": .string(String(repeating: "lunch? ", count: numbers.one(in: 60)))]],
            attachments: numbers.one(in: 5) == 0 ? [attachment()] : []
        )
    }

    /// A file of which other contents may have the same, or one that was refused.
    private mutating func attachment() -> ContentAttachment {
        let file = FileShelf.File(id: Int64(1 + numbers.one(in: 40)), byteCount: 100)
        let isKept = numbers.one(in: 4) > 0
        return ContentAttachment(
            identifier: "photo",
            isKept ? .kept(file, type: "public.jpeg", thumbnail: nil) : .refused(reason: "notFound")
        )
    }

    private mutating func presentation() -> Presentation {
        Presentation(
            flags: HeadFlags(rawValue: Int64(numbers.one(in: 32))),
            until: numbers.one(in: 2) == 0 ? nil : now + 30_000,
            level: numbers.one(in: 4),
            count: 1 + numbers.one(in: 3)
        )
    }

    private mutating func request(_ key: InstallationKey) -> PendingRequest {
        PendingRequest(
            installation: key,
            clock: TriggerClock.allCases[numbers.one(in: 2)],
            date: date(),
            repeats: numbers.one(in: 2) == 0,
            rule: [UInt8(numbers.one(in: 9))],
            content: content(),
            box: numbers.one(in: 3) == 0 ? [UInt8](repeating: 7, count: numbers.one(in: 3)) : nil
        )
    }

    private mutating func date() -> DueDate {
        // Few, so that a request that fires often has the date that it is said to have.
        DueDate(
            due: numbers.one(in: 5) == 0 ? nil : Int64(500 * numbers.one(in: 4)),
            anchor: [UInt8(numbers.one(in: 9))]
        )
    }

    private mutating func step() -> ResponseStep {
        [.sent, .returned, .sent, .returned, .sent, .completed][numbers.one(in: 6)]
    }

    private mutating func draft(_ owner: OwnerName) -> ResponseDraft {
        ResponseDraft(
            owner: owner,
            number: number(owner),
            action: numbers.one(in: 2) == 0 ? "default" : "reply",
            text: numbers.one(in: 2) == 0 ? nil : "yes",
            closing: numbers.one(in: 3) == 0 ? .user : .response
        )
    }

    private mutating func preferences() -> OwnerPreferences {
        var preferences = OwnerPreferences()
        preferences.language = ["en", "es", "pt", nil][numbers.one(in: 4)]
        preferences.focus = numbers.one(in: 2) == 0 ? nil : [1]
        return preferences
    }

    private static func permission(_ status: Int) -> Permission {
        var permission = Permission()
        permission.status = status
        permission.settings = Array("{}".utf8)
        permission.token = status == 3 ? "00ff" : nil
        return permission
    }

    private mutating func identifier() -> String { "request \(numbers.one(in: 24))" }

    private mutating func remover() -> CenterWork.Remover { numbers.one(in: 2) == 0 ? .user : .app }
}

/// The numbers that choose the work.
private enum Choices {
    case random(SplitMix)
    case written(ArraySlice<UInt8>)

    mutating func one(in count: Int) -> Int {
        switch self {
        case .random(var numbers):
            defer { self = .random(numbers) }
            return numbers.one(in: count)
        case .written(var rest):
            defer { self = .written(rest) }
            // A byte chooses among 256, and among more three bytes do.
            let number = rest.prefix(count > 256 ? 3 : 1).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count > 256 ? 3 : 1)
            return number % count
        }
    }
}

/// SplitMix64.
private struct SplitMix {
    var state: UInt64

    mutating func one(in count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((number ^ (number >> 31)) % UInt64(count))
    }
}
