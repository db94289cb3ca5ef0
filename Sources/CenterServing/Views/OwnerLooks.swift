// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Locking
import UserNotificationCenter

/// The looks of an app's notifications: what the app is called, what it offers, how they stack, and what is hidden.
struct AppLook: Sendable {
    var topic = ""
    var categories = CategorySet()
    var grouping = StackGrouping.automatic
    /// An app that nobody knows any more hides everything.
    var hidesPreviews = true
}

/// The looks of the apps of owners, read once for all who watch, until one of them changes.
///
/// A change is noted before anybody is told of it, so that whoever is told reads what it has become.
final class OwnerLooks: Sendable {
    /// The looks of an owner's apps by the numbers of their installations.
    typealias Looks = [Int64: AppLook]

    /// Owners beyond this number are read each time.
    private static let limit = 1000

    private struct State {
        var changes: [OwnerName: Int] = [:]
        var kept: [OwnerName: Looks] = [:]
    }

    private let state = Locked(State())

    /// Returns the looks of an owner's apps; `read` asks the store for them.
    func looks(
        of owner: OwnerName,
        read: () throws(DatabaseFailure) -> Looks
    ) throws(DatabaseFailure) -> Looks {
        let (kept, changes) = state.withLock { ($0.kept[owner], $0.changes[owner]) }
        if let kept { return kept }
        let looks = try read()
        state.withLock { state in
            // What has changed meanwhile may not be in what was read.
            guard state.changes[owner] == changes, state.kept.count < Self.limit else { return }
            state.kept[owner] = looks
        }
        return looks
    }

    /// An app of an owner has other categories or settings, or came or went.
    func change(_ owner: OwnerName) {
        state.withLock { state in
            state.changes[owner, default: 0] += 1
            state.kept[owner] = nil
        }
    }
}
