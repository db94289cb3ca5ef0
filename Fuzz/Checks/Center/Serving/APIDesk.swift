// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterServing
import CenterStore
private import Foundation
import Locking
private import Logging

/// A centre in a folder that nobody can find, with one app and ever new owners.
final class APIDesk: Sendable {
    static let host = "nestbox-1a2b3c4d.localhost:8787"
    private static let topic = "com.example.chat"
    private static let now: WallTime = 1_795_230_000_000

    let center: Center
    let gate: WebGate
    private let apis: OwnerAPIs
    private let ownerCount = Locked(0)

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "checks-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // The files are open, and go with the process, however that ends.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        center = Center(
            try CenterStore(folder: folder, isDurable: false),
            clock: CenterClock(wall: { Self.now }, boot: { 5_000_000 }, bootID: "check"),
            logger: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        )
        gate = WebGate(center)
        _ = gate.open("nestbox-1a2b3c4d.localhost", port: 8787)
        apis = OwnerAPIs(center, clock: HurriedClock())
    }

    /// Begins the visit of an owner who has never been there, and who has allowed everything.
    func visit() async throws(BrokenPromise) -> APIVisit {
        let count = ownerCount.withLock { count in
            count += 1
            return count
        }
        guard let owner = OwnerName("owner-\(count)") else { throw BrokenPromise("a name is one") }
        var app = CenterApp(topic: Self.topic, name: "Chat")
        app.authorization = .granted
        app.content = ContentExtension(categories: ["message"])
        do {
            try await center.adopt(owner: owner.text)
            try await center.adopt(LinkRegistry(owners: [CenterOwner(name: owner.text)], apps: [app]))
        } catch {
            throw BrokenPromise("there is a disk: \(error)")
        }
        return APIVisit(desk: self, owner: owner, api: apis.api(of: owner))
    }
}

/// A clock on which every wait is over at once.
private struct HurriedClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}
