// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A centre in the folder `center`, beside a host.
extension TemporaryFolder {
    /// The lines of host.yaml that hand records to the centre.
    func centerTop(authorization: String = "granted") -> [String] {
        [
            "state: \(path)/state",
            "sinks:",
            "  - stdout",
            "  - center: { socket: \(path)/center/link.sock, authorization: \(authorization) }",
        ]
    }

    /// Runs a command of the centre, the first argument, with the others behind its folder.
    func centerCommand(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.notificationCenter,
            Array(arguments.prefix(1)) + ["--folder", path + "/center"] + Array(arguments.dropFirst())
        )
    }

    /// The titles of all notifications of the centre, the oldest first, once there are so many.
    func centerTitles(_ count: Int) async throws -> [String] {
        while true {
            let list = try await centerCommand("list", "--limit", "200")
            let stacks = try list.output.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8).span) }
            if stacks.count >= count {
                return stacks.compactMap {
                    $0["leading"]?.object?["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string
                }.reversed()
            }
            try await Task.turn()
        }
    }
}

extension RunningHost {
    /// Posts a push and waits for its record.
    func deliver(title: String, thread: String) async throws {
        let record = try await deliver(#"{"aps":{"alert":{"title":"\#(title)"},"thread-id":"\#(thread)"}}"#)
        _ = try #require(record)
    }
}
