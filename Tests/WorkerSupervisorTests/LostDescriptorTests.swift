// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Glibc
import Testing

@testable import WorkerSupervisor

/// The launcher's messages arrive even if a process has no descriptor left for what comes with them.
///
/// Each test has a process of its own: in this one, others open and close descriptors meanwhile.
struct LostDescriptorTests {
    /// Leaves room for so many descriptors more while `body` runs; nil: for as many as ever.
    private static func withRoom(for count: Int?, _ body: () throws -> Void) rethrows {
        guard let count else { return try body() }
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        defer { unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        // The lowest number that is free decides, wherever others lie.
        let free = dup(0)
        close(free)
        var lowered = limit
        lowered.rlim_cur = rlim_t(Int(free) + count)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered)
        try body()
    }

    fileprivate static func event(room: Int?) throws -> launcher_event {
        let pair = try DescriptorPair.packetSocket()
        var packet = launcher_started()
        packet.header = launcher_header(version: LAUNCHER_PROTOCOL_VERSION, type: LAUNCHER_STARTED.rawValue)
        packet.serial = 7
        packet.pid = getpid()
        let sent = unsafe linux_send_packet(
            pair.peer.raw,
            &packet,
            MemoryLayout<launcher_started>.size,
            [pair.peer.raw, pair.peer.raw],
            2
        )
        #expect(sent == MemoryLayout<launcher_started>.size)
        var event = launcher_event()
        var result: CInt = 0
        withRoom(for: room) { result = unsafe launcher_receive_event(pair.host.raw, &event) }
        #expect(result == 1)
        #expect(event.type == LAUNCHER_STARTED.rawValue)
        #expect(event.serial == 7)
        return event
    }

    @Test(arguments: [0, 1]) func `a start is heard of without them`(room: Int) async {
        await #expect(processExitsWith: .success) { [room] in
            let event = try LostDescriptorTests.event(room: room)
            #expect(event.descriptors_lost == 1)
            #expect(event.pidfd == -1)
            #expect(event.status_descriptor == -1)
        }
    }

    @Test func `with room for all of them nothing is lost`() async {
        await #expect(processExitsWith: .success) {
            let event = try LostDescriptorTests.event(room: nil)
            #expect(event.descriptors_lost == 0)
            #expect(event.pidfd >= 0)
            #expect(event.status_descriptor >= 0)
        }
    }
}
