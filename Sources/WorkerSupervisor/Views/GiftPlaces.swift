// SPDX-License-Identifier: Apache-2.0

import Locking

/// The open files of notifications that views have or are to get: descriptors of this process, of which each view has
/// few and all together a share.
package final class GiftPlaces: Sendable {
    /// Files of all views that are open at once.
    package static let limit = 256
    /// The same of one view: three notifications with as many as one may have.
    static let viewLimit = 30

    private struct Counts {
        var views: [UInt64: Int] = [:]
        var sum = 0
    }

    private let counts = Locked(Counts())

    init() {}

    /// A place for one file of a view; `nil` when the view, or all together, have no more.
    func take(for view: UInt64) -> Place? { Place(self, of: view) }

    /// The place of one file, which is free again when the last owner lets it go.
    final class Place: Sendable {
        private let places: GiftPlaces
        private let view: UInt64

        fileprivate init?(_ places: GiftPlaces, of view: UInt64) {
            let isFree = places.counts.withLock { counts in
                let own = counts.views[view, default: 0]
                guard own < viewLimit, counts.sum < limit else { return false }
                counts.views[view] = own + 1
                counts.sum += 1
                return true
            }
            guard isFree else { return nil }
            self.places = places
            self.view = view
        }

        deinit {
            places.counts.withLock { [view] counts in
                let own = counts.views[view, default: 1] - 1
                counts.views[view] = own == 0 ? nil : own
                counts.sum -= 1
            }
        }
    }
}
