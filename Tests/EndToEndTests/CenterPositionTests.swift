// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A centre that hears from a gpsd where its owner is, as two programs.
@Suite(.timeLimit(.minutes(10)))
struct CenterPositionTests {
    /// A gpsd that plays a track once it is told to, and then says nothing more.
    private final class PlayedTrack {
        private let process = Process()
        private let words = Pipe()
        private let notes = Pipe()
        /// The address on which it listens.
        private(set) var address = ""

        init() async throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-c", Self.script]
            process.standardInput = words
            process.standardOutput = notes
            try ProcessStart.alone { try process.run() }
            address = "127.0.0.1:" + (await line())
        }

        /// Plays the track; returns what the centre asked for first.
        func play() async throws -> String {
            try words.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            return await line()
        }

        func end() {
            try? words.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        private func line() async -> String {
            let output = notes.fileHandleForReading
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    // With PYTHONUNBUFFERED a line and its end come apart.
                    var text = ""
                    while !text.hasSuffix("\n") {
                        let more = output.availableData
                        guard !more.isEmpty else { break }
                        text += String(decoding: more, as: UTF8.self)
                    }
                    continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
                }
            }
        }

        /// Thirty seconds that are just over, through a circle of 100 m from the south to the north.
        private static let script = """
            import datetime, json, socket, sys
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            client = listener.accept()[0]
            asked = client.makefile().readline()
            sys.stdin.readline()
            now = datetime.datetime.now(datetime.timezone.utc)
            for second in range(31):
                time = now - datetime.timedelta(seconds=30 - second)
                fix = {"class": "TPV", "mode": 3, "time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                       "lat": 40.4 + (second - 15) * 20 / 111195.08, "lon": -3.712345, "eph": 5.5}
                client.sendall((json.dumps(fix) + "\\r\\n").encode())
            print(asked, end="", flush=True)
            sys.stdin.read()
            """
    }

    /// Makes a call as an app; prints the status of the answer.
    private static let call = """
        import http.client, socket, sys
        connection = http.client.HTTPConnection("nestbox")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(sys.argv[1])
        connection.request("POST", "/v1/app/com.example.errands/calls", sys.argv[2],
                           {"content-type": "application/json"})
        print(connection.getresponse().status)
        """

    private static func call(_ folder: TemporaryFolder, _ body: String) async throws -> String {
        let arguments = ["-c", call, folder.path + "/center/http.sock", body]
        return try await CommandResult.run("/usr/bin/python3", arguments).output
    }

    private static func addition(_ name: String, onEntry: Bool) -> String {
        #"{"call":"add","request":{"identifier":"\#(name)","payload":{"aps":{"alert":{"title":"\#(name)"},"#
            + #""thread-id":"\#(name)"}},"trigger":{"type":"region","#
            + #""circle":{"latitude":40.4,"longitude":-3.712345,"radius":100},"identifier":"shop","#
            + #""onEntry":\#(onEntry),"onExit":\#(!onEntry),"repeats":true}}}"#
    }

    @Test func `who passes a shop is told on the way in and on the way out, once, and nobody reads where it was`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let track = try await PlayedTrack()
            let log = folder.path + "/log"
            let script = #"exec "$0" serve --folder "$1" --gpsd "$2" --log-level trace 2>"$3""#
            let center = Process()
            center.executableURL = URL(fileURLWithPath: "/bin/sh")
            center.arguments = [
                "-c", script, Programs.notificationCenter, folder.path + "/center", track.address, log,
            ]
            try ProcessStart.alone { try center.run() }
            async let asked = Self.call(folder, #"{"call":"authorize","options":["alert"]}"#, log: log)
            while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
            #expect(try await folder.centerCommand("authorize", "com.example.errands").status == 0)
            #expect(try await asked == "200\n")
            #expect(try await Self.call(folder, Self.addition("in", onEntry: true)) == "200\n")
            #expect(try await Self.call(folder, Self.addition("out", onEntry: false)) == "200\n")
            let watch = try await track.play()
            #expect(watch == #"?WATCH={"enable":true,"json":true}"#)
            #expect(try await folder.centerTitles(2) == ["in", "out"])
            track.end()
            center.terminate()
            center.waitUntilExit()
            #expect(center.terminationStatus == 0)
            let said = try String(contentsOfFile: log, encoding: .utf8)
            #expect(said.contains("serving"))
            #expect(!said.contains("40.4") && !said.contains("3.712345"))
        }
    }

    /// Makes a call once the centre says that it serves.
    private static func call(_ folder: TemporaryFolder, _ body: String, log: String) async throws -> String {
        while (try? String(contentsOfFile: log, encoding: .utf8))?.contains("serving") != true { try await Task.turn() }
        return try await call(folder, body)
    }

    @Test func `a gpsd elsewhere is refused before anything is served`() async throws {
        try await TemporaryFolder.with { folder in
            for address in ["192.0.2.1:2947", "gpsd.example:2947", "127.0.0.1"] {
                let refused = try await folder.centerCommand("serve", "--gpsd", address)
                #expect(refused.status == 2)
                #expect(refused.errors.contains("'\(address)'"), "\(refused.errors)")
            }
        }
    }
}
