// SPDX-License-Identifier: Apache-2.0

import Foundation
package import NotificationPayload

/// Pushes through `extension-host run`.
package struct HostRun {
    /// In the order of the pushes; at least one.
    package let records: [JSONObject]
    package let errors: String

    /// The record of the only push of a run.
    package var record: JSONObject { records[0] }

    /// With an authority the machine's list of them is another one: for the host and what it starts, nobody else.
    package init(_ bundle: String, _ push: String, _ arguments: [String], authority: String? = nil) async throws {
        // The extension's user may have to reach it.
        let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent().path
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let command = [Programs.extensionHost, "run", bundle, push, "--log-level", "trace"] + arguments
        let result =
            if let authority {
                try await CommandResult.run(
                    "/usr/bin/unshare",
                    (geteuid() == 0 ? ["-m"] : ["-rm"]) + ["sh", "-c", Self.replaceAuthorities, authority] + command
                )
            } else {
                try await CommandResult.run(command[0], Array(command.dropFirst()))
            }
        let lines = result.output.split(separator: "\n")
        guard !lines.isEmpty, let records = try? lines.map({ try JSONObject(parsing: Array($0.utf8).span) }) else {
            throw NoRecord(errors: result.errors)
        }
        self.records = records
        errors = result.errors
    }

    package struct NoRecord: Error { package let errors: String }

    private static let replaceAuthorities = """
        set -e
        mount -t tmpfs -o mode=755 tmpfs /etc/ssl/certs
        cp "$0" /etc/ssl/certs/ca-certificates.crt
        chmod 644 /etc/ssl/certs/ca-certificates.crt
        exec "$@"
        """
}
