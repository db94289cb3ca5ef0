// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import Testing

/// Row 18: descriptors that come over a worker's socket.
@Suite(.timeLimit(.minutes(5)))
struct GiftTests {
    typealias Receive = (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int

    /// Tells whether the host's way to receive refuses a thousand descriptors of a worker, and keeps none of them.
    static func isRefused(by receive: Receive) throws -> Bool {
        let ground = try AttemptGround(LauncherUnderTest())
        let worker = try ground.launcher.start("hostile-probe", in: ground.bundle, slot: 1)
        let end = worker.order.socket.number
        let before = try openDescriptors()
        defer {
            for descriptor in (try? openDescriptors())?.subtracting(before) ?? [] { close(descriptor) }
        }
        try worker.tell("give-descriptors 1000")
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var refusedCount = 0
        while refusedCount < 1000, receive(end, &bytes, bytes.count, 0) == -Int(EBADMSG) { refusedCount += 1 }
        return try refusedCount == 1000 && openDescriptors() == before
    }

    private static func openDescriptors() throws -> Set<Int32> {
        // The folder's own is closed again by the time anybody looks.
        Set((0..<4096).filter { fcntl($0, F_GETFD) >= 0 })
    }

    @Test func `a thousand gifts are refused, and none is kept`() throws {
        #expect(try Self.isRefused { linux_receive_plain_packet($0, $1, $2, $3) })
    }
}
