// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// `extension-host tap` as its users run it, and the files that `tap make-ca` has made for it.
final class RunningTap: Sendable {
    let port: Int
    private let child: Process
    private let notes: Mailbox<String>
    private let exit: Mailbox<Int32>

    /// Runs a tap on a port of the kernel's choice while `body` runs, and expects that it ends as it is told.
    ///
    /// `listeners` are `--production`, `--development` and their values.
    static func with<Result>(_ listeners: String..., body: (RunningTap) async throws -> Result) async throws -> Result {
        let tap = try await RunningTap(listeners)
        do {
            let result = try await body(tap)
            let status = await tap.stop()
            #expect(status == 0, "\(tap.everythingNoted)")
            return result
        } catch {
            _ = await tap.stop()
            throw error
        }
    }

    private init(_ listeners: [String]) async throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: Programs.extensionHost)
        child.arguments = ["tap", "--port", "0", "--log-level", "trace"] + listeners
        let exit = Mailbox<Int32>()
        child.terminationHandler = { child in
            exit.put(child.terminationReason == .exit ? child.terminationStatus : -child.terminationStatus)
            exit.close()
        }
        let stderr = try ProcessStart.alone {
            let stderr = Pipe()
            child.standardInput = FileHandle.nullDevice
            child.standardOutput = FileHandle.nullDevice
            child.standardError = stderr
            try child.run()
            return stderr
        }
        let notes = Mailbox<String>(lines: stderr.fileHandleForReading)
        var port: Int?
        while port == nil {
            guard let note = await notes.take() else { throw RunningHost.HostEnded(errors: notes.everything) }
            port = note.split(separator: "tap.address=127.0.0.1:").dropFirst().first.flatMap {
                Int($0.prefix { $0.isNumber })
            }
        }
        self.child = child
        self.notes = notes
        self.exit = exit
        self.port = port ?? 0
    }

    /// The variables that a gateway's process is given.
    func environment(_ authority: String) -> [String: String] {
        ["HTTPS_PROXY": "http://127.0.0.1:\(port)", "SSL_CERT_FILE": authority + "/bundle.pem"]
    }

    /// Everything that it has said so far.
    var everythingNoted: String { notes.everything.joined(separator: "\n") }

    /// The next line with this text; nil when it has ended.
    func note(containing text: String) async -> String? {
        while let note = await notes.take() {
            if note.contains(text) { return note }
        }
        return nil
    }

    /// Tells it to stop; the exit status, negative for a signal, once all that it noted has been read.
    private func stop() async -> Int32? {
        kill(child.processIdentifier, SIGTERM)
        let status = await exit.take() ?? exit.everything.last
        await notes.end()
        return status
    }

    /// Runs `tap make-ca` on a folder below `folder`; returns its path.
    static func makeAuthority(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path + "/tap"
        let made = try await CommandResult.run(Programs.extensionHost, ["tap", "make-ca", path])
        guard made.status == 0 else { throw RunningHost.HostEnded(errors: [made.errors]) }
        return path
    }
}
