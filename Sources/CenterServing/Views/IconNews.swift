// SPDX-License-Identifier: Apache-2.0

import CenterStore
import UserNotificationCenter

/// The news that apps have other icons, for who watches now; whoever comes later reads it in the list of apps.
struct IconNews {
    let center: Center

    func tell(of topics: Set<String>) {
        guard !topics.isEmpty else { return }
        for owner in center.announcements.owners {
            // Without an answer of the disk a watcher has the former icon until it loads the front.
            let installations = (try? center.store.installations(of: owner)) ?? []
            for installation in installations where topics.contains(installation.key.app) {
                center.announcements.tell(owner, "app", AppView(installation, in: center).json)
            }
        }
    }
}
