// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// Follows the Do Not Disturb of every owner, and says at its end what came meanwhile, once.
///
/// The number at which it began is in the store, so that a centre that dies meanwhile tells of the whole time.
struct QuietWatch: Sendable {
    /// The numbers at which Do Not Disturb began, as a JSON object by the names of the owners.
    private static let fact = "quiet"

    private let center: Center

    init(_ center: Center) {
        self.center = center
    }

    /// Notes where a spell began, and tells of one that has ended.
    func look() async throws(DatabaseFailure) {
        let now = center.clock.wall()
        var spells = try spells()
        let former = spells
        var missed: [(OwnerName, ClosedRange<Int64>)] = []
        for record in try center.store.owners() {
            let wishes = try center.wishes(of: record.name)
            let isOn = wishes.quiet.isOn(at: now, minute: wishes.minute(at: now))
            var spell = spells[record.name.text].map(QuietSpell.since) ?? .none
            if case .missed(let numbers) = spell.update(isOn: isOn, position: record.position) {
                missed.append((record.name, numbers))
            }
            if case .since(let number) = spell {
                spells[record.name.text] = number
            } else {
                spells[record.name.text] = nil
            }
        }
        guard spells != former else { return }
        let object = JSONObject(spells.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
        // Before it is told: a crash between the two tells nothing, and not twice.
        _ = try await center.perform([.setFact(Self.fact, object.serialized)])
        for (owner, numbers) in missed { try tell(owner, numbers) }
    }

    private func spells() throws(DatabaseFailure) -> [String: Int64] {
        guard let bytes = try center.store.fact(Self.fact),
            let object = try? JSONObject(parsing: bytes.span, depthLimit: 2)
        else { return [:] }
        var spells: [String: Int64] = [:]
        for member in object.members { spells[member.key] = member.value.integer }
        return spells
    }

    /// Tells the watchers how many of these are in the list, and of which apps.
    private func tell(_ owner: OwnerName, _ numbers: ClosedRange<Int64>) throws(DatabaseFailure) {
        guard let front = try center.store.front(of: owner) else { return }
        let heads = front.heads.filter { numbers.contains($0.number) && !$0.presentation.flags.contains(.held) }
        guard !heads.isEmpty else { return }
        let installations = Set(heads.map(\.installation))
        let apps = front.installations.filter { installations.contains($0.number) }.map { JSON.string($0.key.app) }
        center.announcements.tell(owner, "missed", ["count": .integer(Int64(heads.count)), "apps": .array(apps)])
    }
}
