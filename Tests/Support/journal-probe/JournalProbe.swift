// SPDX-License-Identifier: Apache-2.0

// Commits pushes to a journal, one line for each commit once it has returned: its last number, or why it failed and
// what a maintenance right after says. To be killed, or to have its system calls fail.
//
// Usage: journal-probe FOLDER COMMITS BATCH
import Foundation
import HostRuntime
import NotificationPayload
import Store

@main
enum JournalProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let commits = Int(arguments[2]), let batch = Int(arguments[3]) else { exit(2) }
        let clock = HostClock(ContinuousClock())
        let journal = try Journal(folder: arguments[1], isDurable: true, clock: clock)
        for commit in 0..<commits {
            var work = JournalWork()
            work.arrivals = try (0..<batch).map { try push(commit * batch + $0) }
            do throws(JournalError) {
                let arrivals = try journal.commit(work) { _ in true }
                guard case .stored(let number)? = arrivals.last else { exit(3) }
                say("stored \(number)")
            } catch {
                say("refused \(error)")
                let answer = Result { () throws(JournalError) in try journal.maintain() }
                say("maintained \(answer)")
            }
        }
        try journal.close()
        say("closed")
    }

    /// At once: the process may be killed any time.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func push(_ seed: Int) throws -> IncomingPush {
        let text = String(repeating: "a", count: 2000) + String(seed)
        let body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        return IncomingPush(
            id: String(format: "00000000-0000-4000-8000-%012d", seed),
            deviceToken: String(format: "%064d", seed % 10),
            topic: "com.example.chat",
            payload: try Payload(parsing: body.span),
            body: body,
            payloadByteCount: body.count,
            receivedAt: Date(timeIntervalSince1970: 1_795_230_000)
        )
    }
}
