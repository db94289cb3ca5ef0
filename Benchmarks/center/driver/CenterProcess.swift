// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real `notification-center serve` over a folder.
final class CenterProcess {
    let child: Child
    /// The time from the start of the program to the first answer of its API, in milliseconds.
    let startMilliseconds: Double
    private let folder: String
    private let notes: String

    /// Starts a centre and waits for its first answer.
    init(_ setting: Setting, folder: String) throws {
        self.folder = folder
        notes = setting.folder + "/notes"
        let start = Stopwatch()
        let child = try Child(
            setting.programs + "/notification-center",
            ["serve", "--folder", folder],
            output: "/dev/null",
            notes: notes
        )
        self.child = child
        let (path, notes) = (folder + "/http.sock", notes)
        startMilliseconds = try Watchdog.shared.within(60, "notification-center, after its start,") {
            while true {
                if let connection = try? HTTPConnection(path), (try? connection.get("/v1")) != nil {
                    return start.milliseconds
                }
                guard !child.hasEnded() else {
                    let said = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
                    throw BenchError("notification-center ends: \(said)")
                }
                usleep(500)
            }
        }
    }

    var linkSocket: String { folder + "/link.sock" }
    var appSocket: String { folder + "/app.sock" }

    /// A connection to the API.
    func connect() throws -> HTTPConnection { try HTTPConnection(folder + "/http.sock") }

    /// Waits until it has had nothing to do for a fifth of a second.
    func settle() throws {
        try Watchdog.shared.within(30, "notification-center, which never rests,") {
            var last = try child.cpu
            while true {
                usleep(200_000)
                let now = try child.cpu
                if now - last < 0.004 { return }
                last = now
            }
        }
    }

    /// Ends it as an operator does.
    func stop() throws {
        guard child.wait("notification-center, after SIGTERM,", signal: SIGTERM) else {
            let said = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
            throw BenchError("notification-center ends badly: \(said)")
        }
    }

    /// Ends it as a crash does.
    func crash() { _ = child.wait("notification-center, after SIGKILL,", signal: SIGKILL) }
}
