// SPDX-License-Identifier: Apache-2.0

import CLinux
import HostTesting
import Testing

/// One version number for all programs.
@Suite(.timeLimit(.minutes(1)))
struct VersionTests {
    @Test(
        arguments: [
            "extension-host", "notification-center", "notification-desktop", "seal-payload", "payload-opener",
            "worker-launcher",
        ]
    )
    func `a program prints its name and the one version`(_ program: String) async throws {
        let result = try await CommandResult.run(Programs.folder + "/" + program, ["--version"])
        #expect(result.output == "\(program) \(NESTBOX_VERSION)\n")
        #expect(result.errors == "")
        #expect(result.status == 0)
    }
}
