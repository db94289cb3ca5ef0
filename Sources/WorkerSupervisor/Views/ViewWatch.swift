// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime

/// Looks at the processes of views while they are open: at their memory, their processor time, and what they store.
struct ViewWatch {
    private let equipment: Equipment
    private let timetable: Timetable<ViewDesk>
    /// True while a look is to come.
    private var isDue = false
    /// The sites whose storage is being looked at, by their numbers.
    private var storages: Set<Int> = []

    init(_ equipment: Equipment, timetable: Timetable<ViewDesk>) {
        self.equipment = equipment
        self.timetable = timetable
    }

    mutating func lookSoon() {
        guard !isDue else { return }
        isDue = true
        _ = timetable.schedule(at: timetable.now + ViewRules.look) { $0.look() }
    }

    /// Returns the views that may not go on, each with the reason; the next look is the caller's to order.
    mutating func look(at views: [ViewProcess]) -> [(view: ViewProcess, reason: ViewEnd)] {
        isDue = false
        let now = timetable.now
        let serving = views.filter { $0.canServe && $0.life.isOpen }
        for site in serving.map(\.site) { lookAtStorage(of: site) }
        return serving.compactMap { view in
            if let excess = view.excess(now: now) { return (view, excess) }
            return now - view.life.stirred >= ViewRules.idle ? (view, .idle) : nil
        }
    }

    /// Has the files that a view stores measured, which lie on the disk and take time of a thread of their own.
    private mutating func lookAtStorage(of site: ExtensionSite) {
        guard let storage = site.storage, storages.insert(site.index).inserted else { return }
        let limit = site.configuration.storageLimit
        equipment.storageQueue.async { [timetable] in
            let isExceeded = storage.exceeds(limit)
            timetable.perform { $0.lookedAtStorage(of: site, isExceeded) }
        }
    }

    mutating func lookedAtStorage(of site: ExtensionSite) { storages.remove(site.index) }
}
