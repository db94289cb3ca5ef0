// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import UserNotificationCenter

/// The stacks and apps of an owner as the store has them at one number of the owner's series.
///
/// A picture that is kept follows the store: it takes in what the tables have after its own number, in the transaction
/// of whoever asks. So it never disagrees with the position that it names, whoever commits meanwhile.
struct OwnerPicture: Sendable {
    /// An app of the owner, with what was read of it when it last changed.
    struct App: Sendable {
        let installation: Installation
        let permission: AppPermission
        let categories: CategorySet
        fileprivate let categoryByteCount: Int

        /// True if a lock view shows a text in the place of what the app's notifications say.
        var hidesPreviews: Bool { permission.settings.previews != .always }
    }

    /// Changes beyond the size of the board after which it is read anew.
    private static let changesAtMost: Int64 = 1000
    /// Estimates of what a picture and each of its apps take besides the board, in bytes.
    private static let ownByteCount = 1024
    private static let appByteCount = 512
    /// Categories as values take this many times their bytes.
    private static let categoryFactor = 4

    private(set) var owner: OwnerRecord
    /// The elements stand in the order of their numbers.
    private(set) var apps: [App] = []
    private(set) var board = StackBoard()

    /// Reads everything.
    init(_ reading: borrowing OwnerReading) throws {
        owner = reading.owner
        try readApps(reading)
        try readHeads(reading, after: 0)
    }

    /// Takes in what has changed; after an error the picture is of no use.
    mutating func follow(_ reading: borrowing OwnerReading) throws {
        let former = owner
        let isNear = former.position <= reading.owner.position && reading.owner.floor <= former.position
        guard isNear, reading.owner.position - former.position <= Int64(board.count) + Self.changesAtMost else {
            self = try OwnerPicture(reading)
            return
        }
        owner = reading.owner
        // Every change takes a number.
        guard owner.position > former.position else { return }
        board.remove(try reading.removals(after: former.position))
        try readApps(reading)
        try readHeads(reading, after: former.position)
    }

    /// The app of an installation; `nil` means that the owner does not have it.
    func app(_ installation: Int32) -> App? {
        let place = apps.partitioningIndex { $0.installation.number >= Int64(installation) }
        return place < apps.count && apps[place].installation.number == Int64(installation) ? apps[place] : nil
    }

    /// The number by which the board knows an app; 0, which no installation has, means that the owner does not have it.
    func installation(of topic: String) -> Int32 {
        Int32(clamping: apps.first { $0.installation.key.app == topic }?.installation.number ?? 0)
    }

    /// An estimate of the memory that the picture holds.
    var byteCount: Int {
        apps.reduce(Self.ownByteCount + board.byteCount) { sum, app in
            sum + Self.appByteCount + Self.categoryFactor * app.categoryByteCount
        }
    }

    private mutating func readApps(_ reading: borrowing OwnerReading) throws {
        var known = Dictionary(apps.map { ($0.installation.number, $0) }) { first, _ in first }
        apps = try reading.installations().map { installation in
            let app: App
            if let former = known.removeValue(forKey: installation.number),
                former.installation.changed == installation.changed
            {
                app = App(
                    installation: installation,
                    permission: former.permission,
                    categories: former.categories,
                    categoryByteCount: former.categoryByteCount
                )
            } else {
                let categories = try reading.categories(of: installation.number)
                app = App(
                    installation: installation,
                    permission: AppPermission(stored: installation.permission),
                    categories: CategorySet(stored: categories),
                    categoryByteCount: categories?.count ?? 0
                )
            }
            board.setGrouping(app.permission.settings.grouping, of: Int32(clamping: installation.number))
            return app
        }
        // What is left has been removed, with all its notifications.
        for number in known.keys { board.setGrouping(.automatic, of: Int32(clamping: number)) }
    }

    private mutating func readHeads(_ reading: borrowing OwnerReading, after number: Int64) throws {
        try reading.eachOutline(after: number) { outline in
            board.insert(
                StackEntry(
                    number: outline.number,
                    installation: Int32(clamping: outline.installation),
                    thread: outline.thread,
                    count: outline.count,
                    isHeld: outline.flags.contains(.held)
                ),
                category: outline.words.category,
                argument: outline.words.argument
            )
        }
    }
}

extension [OwnerPicture.App] {
    /// The first place from which on every element fits; those before it do not.
    fileprivate func partitioningIndex(where fits: (OwnerPicture.App) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
