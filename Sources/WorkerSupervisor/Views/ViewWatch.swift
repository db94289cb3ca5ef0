// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime

/// The part of the views' owner that ends those which use too much.
protocol ViewWatchDelegate: AnyObject {
    /// The processes of views, those that are ending included.
    var all: [ViewProcess] { get }
    func end(_ view: ViewProcess, as reason: ViewEnd)
    /// The extension of the site stores more than it may.
    func exceedsStorage(_ site: ExtensionSite)
}

/// Looks at the processes of views while there are some: at their memory, their processor time, and what they store.
///
/// The loop's thread alone calls this.
final class ViewWatch {
    private let equipment: Equipment
    private let timetable: Timetable<ViewWatch>
    private weak var delegate: (any ViewWatchDelegate)?
    /// True while a look is to come.
    private var isDue = false
    /// The sites whose storage is being looked at, by their numbers.
    private var storages: Set<Int> = []

    init(_ equipment: Equipment, timetable: Timetable<ViewWatch>) {
        self.equipment = equipment
        self.timetable = timetable
    }

    /// No look may be ordered before this.
    func join(_ delegate: any ViewWatchDelegate) { self.delegate = delegate }

    func lookSoon() {
        guard !isDue else { return }
        isDue = true
        _ = timetable.schedule(at: timetable.now + ViewRules.look) { $0.look() }
    }

    private func look() {
        isDue = false
        guard let delegate else { return }
        let now = timetable.now
        for view in delegate.all { view.repeatKill(through: equipment.launcher) }
        let serving = delegate.all.filter { $0.canServe && $0.life.isOpen }
        for site in serving.map(\.site) { lookAtStorage(of: site) }
        for view in serving {
            if let excess = view.excess(now: now) {
                delegate.end(view, as: excess)
            } else if now - view.life.stirred >= ViewRules.idle {
                delegate.end(view, as: .idle)
            } else if let since = view.life.unanswered, now - since >= ViewRules.answer {
                delegate.end(view, as: .slow)
            }
        }
        if !delegate.all.isEmpty { lookSoon() }
    }

    /// Has the files that a view stores measured, which lie on the disk and take time of a thread of their own.
    private func lookAtStorage(of site: ExtensionSite) {
        guard let storage = site.storage, storages.insert(site.index).inserted else { return }
        let limit = site.configuration.storageLimit
        equipment.storageQueue.async { [timetable] in
            let isExceeded = storage.exceeds(limit)
            timetable.perform { watch in
                watch.storages.remove(site.index)
                if isExceeded { watch.delegate?.exceedsStorage(site) }
            }
        }
    }
}
