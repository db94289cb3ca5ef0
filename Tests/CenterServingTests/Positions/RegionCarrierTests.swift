// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import CoreLocation
import Foundation
import Testing
import UserNotificationCenter
import UserNotifications

@testable import CenterServing

/// Requests with regions as a phone's app makes them, over the apps' socket.
@Suite(.timeLimit(.minutes(2)))
struct RegionCarrierTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func walk(_ metres: Double...) async throws {
        for metres in metres {
            bench.time.advance(by: 1000)
            try await RegionWatch(bench.center).take(Track.report(metres), of: bench.me)
        }
    }

    /// Adds a request as a phone's app does.
    private func add(_ identifier: String, _ region: CLRegion, to app: UNUserNotificationCenter) async throws {
        let content = UNMutableNotificationContent()
        content.title = identifier
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        try await app.add(UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    @Test func `a circle of an app's own file waits, is read back as it was added, and fires`() async throws {
        try await bench.withApps {
            let app = bench.app()
            let home = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: Track.home.latitude, longitude: Track.home.longitude),
                radius: 100,
                identifier: "home"
            )
            home.notifyOnExit = false
            try await add("milk", home, to: app)
            let pending = await app.pendingNotificationRequests()
            #expect(pending.map(\.identifier) == ["milk"])
            let trigger = try #require(pending.first?.trigger as? UNLocationNotificationTrigger)
            #expect(trigger.region == home)
            #expect(!trigger.repeats)
            try await walk(300, 300, 0, 0)
            let delivered = await app.deliveredNotifications()
            #expect(delivered.map(\.request.content.title) == ["milk"])
            #expect((delivered.first?.request.trigger as? UNLocationNotificationTrigger)?.region == home)
            #expect(await app.pendingNotificationRequests().isEmpty)
        }
    }

    @Test func `the beacons of an app's own file wait, and one region too many is Apple's error`() async throws {
        try await bench.withApps {
            let app = bench.app()
            let uuid = try #require(UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
            for number in 1...20 as ClosedRange<UInt16> {
                try await add("r\(number)", CLBeaconRegion(uuid: uuid, major: number, identifier: "b"), to: app)
            }
            let one = CLBeaconRegion(uuid: uuid, major: 7, minor: 9, identifier: "shelf")
            await #expect(throws: UNError(.notificationInvalidNoDate)) { try await add("r21", one, to: app) }
            try await add("r7", one, to: app)
            let requests = await app.pendingNotificationRequests()
            #expect(requests.count == 20)
            let kept = requests.first { $0.identifier == "r7" }?.trigger as? UNLocationNotificationTrigger
            #expect(kept?.region == one)
        }
    }
}
