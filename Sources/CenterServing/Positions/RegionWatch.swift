// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import CenterStore
package import DatabaseFile
import Locking
import Logging
import NotificationPayload
package import UserNotificationCenter

/// Fires the requests whose owner has entered or left a region.
///
/// A report is compared with all regions of its owner, and what comes of it is written before the next one is: the side
/// of the border on which the owner is, and the notification. The report itself is neither stored nor logged.
package struct RegionWatch: Sendable {
    /// The time between two looks for beacons that are not heard any more.
    private static let pause = Duration.seconds(5)

    private let center: Center

    package init(_ center: Center) {
        self.center = center
    }

    /// Takes what a source tells until the task is cancelled; a report that the disk refuses is lost, as it is old
    /// soon.
    package func follow(_ source: some PositionSource) async {
        await source.run { [self] report in
            do { try await take(report, of: source.owner) } catch {
                center.logger.error("position not taken", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Looks for beacons that are not heard any more, until the task is cancelled.
    package func run(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            do { try await look() } catch {
                center.logger.error("beacons not looked at", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Takes a report about an owner; one that is too old, too coarse, or no newer than the last changes nothing.
    ///
    /// Returns when what came of it is on the disk.
    package func take(_ report: PositionReport, of owner: OwnerName) async throws(DatabaseFailure) {
        guard let age = report.age(at: center.clock.wall()) else { return }
        let time = center.clock.boot() - age
        switch report.observation {
        case .fix(let fix):
            guard fix.isFineEnough else { return }
            guard center.regionMemory.withLock({ $0.admitsFix(of: owner, at: time) }) else { return }
            try await judge(owner) { region, standing in
                guard let box = BoundingBox(region.box) else { return nil }
                guard box.contains(fix.place) else { return standing.take(fix: .outside) }
                // A circle is read only where the fix is near it.
                guard let circle = region.circle else { return nil }
                return standing.take(fix: circle.side(of: fix))
            }
        case .beacons(let sightings):
            try await judgeBeacons(of: owner) { beacon, _, presence in
                if sightings.contains(where: beacon.covers) { presence.see(at: time) } else { presence.miss(at: time) }
            }
        }
    }

    /// Finds the owners that have left a beacon, which no report says.
    func look() async throws(DatabaseFailure) {
        var known: Set<Int64> = []
        for owner in try center.store.owners().map(\.name) {
            let regions = try center.store.regions(of: owner).filter(\.isOfBeacons)
            known.formUnion(regions.map(\.id))
            guard !regions.isEmpty else { continue }
            let now = center.clock.boot()
            try await judgeBeacons(of: owner) { _, standing, presence in
                // Its sightings were forgotten with the last centre: its absence is counted from the start.
                if standing.side == .inside { presence.miss(at: now) }
            }
        }
        let kept = known
        center.regionMemory.withLock { $0.keep(only: kept) }
    }

    private func judgeBeacons(
        of owner: OwnerName,
        _ change: @escaping @Sendable (RequestTrigger.Beacon, RegionStanding, inout BeaconPresence) -> Void
    ) async throws(DatabaseFailure) {
        let now = center.clock.boot()
        try await judge(owner) { [center] region, standing in
            guard region.isOfBeacons, case .beacon(let beacon, _)? = region.trigger else { return nil }
            let former = standing
            let presence = center.regionMemory.withLock { memory in
                memory.presence(of: region.id) { change(beacon, former, &$0) }
            }
            return presence.side(at: now).flatMap { standing.settle($0) }
        }
    }

    /// Judges the regions of an owner one after another, and fires those whose border was crossed.
    private func judge(
        _ owner: OwnerName,
        _ body: @escaping @Sendable (StoredRegion, inout RegionStanding) -> RegionPassage?
    ) async throws(DatabaseFailure) {
        try await center.perform { [center] store throws(DatabaseFailure) -> [CenterWork] in
            var work: [CenterWork] = []
            for region in try store.regions(of: owner) {
                let former = RegionStanding(code: region.standing)
                var standing = former
                let passage = body(region, &standing)
                if standing != former { work.append(.note(region: region.id, standing: standing.code)) }
                guard let passage, region.trigger?.crossing?.counts(passage) == true,
                    let pending = try store.pending(region.id)
                else { continue }
                let next = region.repeats ? DueDate(due: nil) : nil
                let arrival = try RequestFiring(center).arrival(of: pending, next: next, at: center.clock.wall())
                work.append(.arrive(arrival))
            }
            return work
        }
    }
}

// MARK: What is stored of a region

extension StoredRegion {
    /// True if it is around beacons: those have no box.
    fileprivate var isOfBeacons: Bool { box.isEmpty }

    /// The trigger; `nil` means that it is damaged.
    fileprivate var trigger: RequestTrigger? {
        (try? JSONObject(parsing: rule.span, depthLimit: 4)).flatMap { RequestTrigger(stored: $0) }
    }

    fileprivate var circle: WatchedCircle? {
        if case .region(let circle, _)? = trigger { WatchedCircle(circle) } else { nil }
    }
}

extension RequestTrigger {
    fileprivate var crossing: Crossing? {
        switch self {
        case .region(_, let crossing), .beacon(_, let crossing): crossing
        case .interval, .calendar, .push: nil
        }
    }

    /// The columns that the store has of a region besides its content; `nil` for a trigger without one.
    var region: (rule: [UInt8], box: [UInt8])? {
        switch self {
        case .region(let circle, _): WatchedCircle(circle).map { (json.serialized, $0.box.bytes) }
        case .beacon: (json.serialized, [])
        case .interval, .calendar, .push: nil
        }
    }
}
