// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Testing

/// The launcher's table of messages (messages.c), against the protocol's header and against a running launcher.
@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
    @Test func `every message that the protocol gives to the host has one row and is tried by RefusalTests`() throws {
        let types = try Source.text("CLauncherProtocol/include/launcher_protocol.h")
            .matches(of: /(LAUNCHER_\w+) = (\d+),? +\/\* host -> launcher/)
        let rows = try Source.text("worker-launcher/messages.c").matches(of: /\n    \[(LAUNCHER_\w+)\] +=/)
        #expect(types.count == 10)
        #expect(rows.map(\.1).sorted() == types.map(\.1).sorted())
        #expect(Malformed.sizes.map(\.0).sorted() == types.compactMap { UInt32($0.2) }.sorted())
    }

    /// An order to kill is the message with the least in it: what is none of ours must not be taken for one.
    @Test(arguments: [
        0, LAUNCHER_READY.rawValue, LAUNCHER_KEY_REGISTERED.rawValue, LAUNCHER_STARTED.rawValue,
        LAUNCHER_FAILED.rawValue, LAUNCHER_EXITED.rawValue, LAUNCHER_VIEW_REGISTERED.rawValue,
        LAUNCHER_FILTER.rawValue, LAUNCHER_SCRATCH_FILE.rawValue, LAUNCHER_GROUP_REGISTERED.rawValue,
        LAUNCHER_FORGET_SCRATCH.rawValue + 1, .max,
    ])
    func `a type without a row ends the launcher, in the size of an order to kill too`(type: UInt32) throws {
        for size in [MemoryLayout<launcher_header>.size, MemoryLayout<launcher_kill>.size] {
            let launcher = try LauncherUnderTest()
            let bytes = Malformed.packet(type, version: LAUNCHER_PROTOCOL_VERSION, size: size)
            #expect(linux_send_packet(launcher.socket.number, bytes, bytes.count, nil, 0) == bytes.count)
            #expect(launcher.exitStatus() == 1, "\(size) bytes")
        }
    }
}
