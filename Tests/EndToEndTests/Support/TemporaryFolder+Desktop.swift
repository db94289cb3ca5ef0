// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A desktop's programs in the folder `bin` below a test's.
extension TemporaryFolder {
    /// Writes a script of the shell by a program of its own, as a name that is found on the `PATH` of `desktop`.
    func desktopProgram(_ name: String, _ script: String) async throws {
        let line = #"mkdir -p "$0/bin" && cat > "$0/bin/$1" && chmod 755 "$0/bin/$1""#
        let made = try await CommandResult.run("/bin/sh", ["-c", line, path, name], input: "#!/bin/sh\n" + script)
        try #require(made.status == 0, "\(made.errors)")
    }

    /// The variables of a desktop on a bus, whose clock is three hours ahead of UTC.
    func desktop(on bus: OwnBus, _ more: [String: String] = [:]) -> [String: String] {
        var environment = bus.environment
        environment["PATH"] = path + "/bin:/usr/bin:/bin"
        environment["TZ"] = "<+03>-3"
        environment["INVOCATION_ID"] = nil
        return environment.merging(more) { $1 }
    }

    /// The text that a program has written to a file of the folder, once it is there.
    func written(_ name: String) async throws -> String {
        while true {
            if let bytes = FileManager.default.contents(atPath: path + "/" + name) {
                return String(decoding: bytes, as: UTF8.self)
            }
            try await Task.turn()
        }
    }

    /// Has the desktop program tell what it finds on a bus, on a machine that has no program for sounds.
    func desktopDoctor(on bus: OwnBus, _ options: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.notificationDesktop,
            ["doctor", "--folder", path + "/center"] + options,
            environment: bus.environment.merging(["PATH": path + "/bin"]) { $1 }
        )
    }
}
