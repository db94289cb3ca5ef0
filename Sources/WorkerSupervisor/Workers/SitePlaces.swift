// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import HostRuntime

/// The places of sites: which app and which owner each number is, for the host's life.
///
/// A pure value that makes nothing. The first places are those of the apps, each for the app's first owner; a further
/// owner gets a place with the first notification, as long as the bounds allow. No place is given twice: what a worker
/// and a user of the system were for one owner they never are for another.
struct SitePlaces {
    /// An app, as its places need it.
    struct App {
        let topic: String
        /// The owner who has the app's own folder and keychain.
        let firstOwner: String
        /// The memory limit of a worker.
        let memoryByteCount: UInt64
    }

    struct Place: Equatable {
        /// The number of the app among all extensions.
        let app: Int
        let owner: String
        let isFirst: Bool
    }

    /// The limits on owners beside the apps' first ones.
    struct Bounds: Equatable {
        /// The owners of an app; a notification centre has as many.
        static let ownersOfApp = 16

        /// All places, of which each has a user with the launcher.
        static let sites = Int(LAUNCHER_MAXIMUM_USER)

        /// Places beside the first ones, of all apps together.
        ///
        /// Half of the processes: each place claims one for its first worker, and the others are there to grow.
        let places: Int
        /// The sum of the memory limits of one worker each.
        ///
        /// Half of the memory of all workers: the first worker of a place is started in any case.
        let memoryByteCount: UInt64

        init(_ bounds: Roster.Bounds) {
            places = bounds.processes / 2
            memoryByteCount = bounds.memoryByteCount / 2
        }
    }

    private let apps: [App]
    /// The first app of each name.
    private let numbers: [String: Int]
    private let bounds: Bounds
    private(set) var places: [Place]
    /// The places beside the first ones.
    private var further: [OwnedApp: Int] = [:]
    /// The owners of each app.
    private var ownerCounts: [Int]
    private var furtherMemoryByteCount: UInt64 = 0

    init(_ apps: [App], bounds: Bounds) {
        self.apps = apps
        self.bounds = bounds
        numbers = Dictionary(apps.enumerated().map { ($1.topic, $0) }) { first, _ in first }
        places = apps.enumerated().map { Place(app: $0, owner: $1.firstOwner, isFirst: true) }
        ownerCounts = apps.map { _ in 1 }
    }

    /// Returns the place of an app's owner; `nil` means that there is none.
    func place(of topic: String, for owner: String) -> Int? {
        guard let app = numbers[topic] else { return nil }
        // Nearly every notification is the first owner's, and costs no second look-up.
        return apps[app].firstOwner == owner ? app : further[OwnedApp(topic: topic, owner: owner)]
    }

    /// The number of an app among all extensions; `nil` means that it has none.
    func number(of topic: String) -> Int? { numbers[topic] }

    /// Tells whether the app has an extension.
    func has(_ topic: String) -> Bool { numbers[topic] != nil }

    /// Gives an app's further owner a place; `nil` means that the bounds allow no more.
    mutating func add(_ topic: String, for owner: String) -> Int? {
        guard let app = numbers[topic], OwnedApp.isOwner(owner), place(of: topic, for: owner) == nil,
            ownerCounts[app] < Bounds.ownersOfApp, further.count < bounds.places,
            places.count < Bounds.sites
        else { return nil }
        let memory = furtherMemoryByteCount.addingReportingOverflow(apps[app].memoryByteCount)
        guard !memory.overflow, memory.partialValue <= bounds.memoryByteCount else { return nil }
        let number = places.count
        places.append(Place(app: app, owner: owner, isFirst: false))
        further[OwnedApp(topic: topic, owner: owner)] = number
        ownerCounts[app] += 1
        furtherMemoryByteCount = memory.partialValue
        return number
    }
}
