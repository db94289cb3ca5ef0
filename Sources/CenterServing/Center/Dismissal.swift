// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import UserNotificationCenter

/// The way in which a person dismisses notifications: the app hears of it where its category asks for that.
struct Dismissal {
    let center: Center
    let owner: OwnerName

    /// Returns the work for these notifications, in their order; those that are not in the list are left out.
    func work(for numbers: [Int64]) throws(DatabaseFailure) -> [CenterWork] {
        let topics = try center.store.topics(of: owner)
        var categories: [Int64: KeptCategories] = [:]
        var work: [CenterWork] = []
        for place in try center.store.places(numbers, of: owner) {
            guard let topic = topics[place.installation], let key = InstallationKey(owner: owner, app: topic) else {
                continue
            }
            let known: KeptCategories
            if let set = categories[place.installation] { known = set } else { known = try center.categories(of: key) }
            categories[place.installation] = known
            let plan = known.rule(for: place.category, number: place.number).dismissal
            guard plan.isForApp else {
                work.append(.remove(owner, numbers: [place.number], by: .user))
                continue
            }
            let draft = ResponseDraft(owner: owner, number: place.number, action: plan.identifier, closing: .user)
            work.append(.respond(draft))
        }
        return work
    }
}
