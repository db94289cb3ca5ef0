// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import WorkerProtocol

@testable import WorkerSupervisor

/// An opener of a few lines of Python, in a folder of its own.
enum ScriptedOpener {
    /// Runs `body` with a supervisor over that opener, and the folder; replay files, if it has some, are in its
    /// `state`.
    static func withOpener(
        _ script: String,
        hasReplayFiles: Bool = false,
        answerLimit: Duration = .seconds(10),
        clock: HostClock = HostClock(ContinuousClock()),
        _ body: (SupervisorHarness, _ folder: String) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "opener-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try script.write(toFile: folder + "/opener.py", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/opener.py")
        let opener = SupervisedOpener(
            folder: folder,
            executable: "opener.py",
            hello: try OpenerHello().packets(),
            replayFiles: hasReplayFiles ? try ReplayFiles(folder: folder + "/state") : nil,
            answerLimit: answerLimit
        )
        try await SupervisorHarness.withHarness(clock: clock, opener: opener) { try await body($0, folder) }
    }
}
