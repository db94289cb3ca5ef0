// SPDX-License-Identifier: Apache-2.0

import CLinux
import E2ECrypto
import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

/// The payloads that one opener has opened and the next one knows, with real processes, files and kills.
@Suite(.timeLimit(.minutes(10)))
struct ReplayStateTests {
    private let folder: KeyFolder
    private let keyFile: String
    private let replayFiles: [String]
    private static let isRoot = getuid() == 0

    init() throws {
        folder = try KeyFolder()
        keyFile = try folder.file("recipient.key", KeyFolder.recipient)
        replayFiles = ["a", "b"].map { [folder] in folder.url.appending(path: "replays-\($0)").path }
    }

    /// An opener that has said hello, and the number it gives the next push.
    private func opener(wrapper: [String] = []) throws -> (process: OpenerProcess, nextRow: Int64?) {
        let opener = try OpenerProcess(keyFiles: [keyFile], replayFiles: replayFiles, wrapper: wrapper)
        try opener.greet([:], replays: [5, 6])
        let ready = try #require(try opener.receive())
        try #require(ready.type == .ready, "\(ready)")
        return (opener, ready.body["nextRow"]?.integer)
    }

    /// Different envelopes that never expire.
    private static func envelopes(_ count: Int) throws -> [String] {
        let recipient = try PublicKey(parsing: "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll")
        let sealer = Sealer(to: recipient, in: try SecretArena())
        return try (0..<count).map { try sealer.sealBox(Array(#"{"body":"message \#($0)"}"#.utf8).span) }
    }

    private func request(_ id: UInt64, row: Int64, _ text: String) -> Packet {
        Packet(
            .open,
            id: id,
            body: [
                "app": "com.example.chat", "topic": "t", "requestID": "r", "row": .integer(row),
                "payload": ["encrypted-content": .string(text)],
            ]
        )
    }

    /// The answer's type, or the name of a refusal.
    private func answer(_ opener: OpenerProcess, _ id: UInt64, row: Int64, _ text: String) throws -> String {
        try opener.send(request(id, row: row, text))
        let packet = try #require(try opener.receive())
        #expect(packet.id == id)
        return packet.body["error"]?.string ?? "\(packet.type)"
    }

    private func bytes(_ index: Int) throws -> Data { try Data(contentsOf: URL(filePath: replayFiles[index])) }

    @Test func `what a killed opener had opened the next one refuses, but for its own row`() throws {
        let text = try Self.envelopes(1)[0]
        for life in 0..<3 {
            let (opener, nextRow) = try opener()
            #expect(nextRow == (life == 0 ? 0 : 8))
            #expect(try answer(opener, 1, row: 7, text) == "opened")
            #expect(try answer(opener, 2, row: 8, text) == "replayed")
            kill(opener.identifier, SIGKILL)
            #expect(opener.exitCode() == -SIGKILL)
        }
    }

    @Test func `a kill at any moment costs no row that was answered for`() throws {
        let count = 200
        let texts = try Self.envelopes(count)
        for answersBeforeKill in [1, 3, 20, 64, 65, 130] {
            for file in replayFiles { unlink(file) }
            var told: [Int] = []
            let first = try opener().process
            for index in 0..<count { try first.send(request(UInt64(index), row: Int64(index), texts[index])) }
            for _ in 0..<answersBeforeKill {
                let packet = try #require(try first.receive())
                #expect(packet.type == .opened)
                told.append(Int(packet.id))
            }
            kill(first.identifier, SIGKILL)
            // What it had sent before its end counts as well.
            while let packet = try first.receive() { told.append(Int(packet.id)) }
            #expect(first.exitCode() == -SIGKILL)
            let (second, nextRow) = try opener()
            #expect(nextRow ?? 0 > Int64(told.count - 1))
            for index in told {
                #expect(try answer(second, 1, row: 1000, texts[index]) == "replayed")
                #expect(try answer(second, 2, row: Int64(index), texts[index]) == "opened")
            }
        }
    }

    @Test(arguments: [1, 8, 23])
    func `a row cut short is repaired`(length: Int) throws {
        let texts = try Self.envelopes(3)
        let first = try opener().process
        for (index, text) in texts.enumerated() {
            #expect(try answer(first, 1, row: Int64(index), text) == "opened")
        }
        first.closeSocket()
        #expect(first.exitCode() == 0)
        truncate(replayFiles[0], 24 + 2 * 24 + length)
        let second = try opener().process
        #expect(try texts.map { try answer(second, 1, row: 9, $0) } == ["replayed", "replayed", "opened"])
        #expect(try bytes(1).count == 24 + 3 * 24)
        #expect(try bytes(0).isEmpty)
    }

    @Test func `a file that is none of ours is refused with its descriptor and left alone`() throws {
        let foreign = Data("a letter to somebody, and no rows at all".utf8)
        try foreign.write(to: URL(filePath: replayFiles[1]))
        let opener = try OpenerProcess(keyFiles: [keyFile], replayFiles: replayFiles)
        try opener.greet([:], replays: [5, 6])
        let reason = "it begins like no replay file of this version"
        let hint = "start the version that wrote it, or move both away; what was opened may open again then"
        let body: JSONObject = ["descriptor": 6, "reason": .string(reason), "hint": .string(hint)]
        #expect(try opener.receive() == Packet(.rejected, body: body))
        #expect(opener.exitCode() == 1)
        #expect(try bytes(1) == foreign)
    }

    @Test(arguments: [[5], [5, 5], [4, 5], [5, 6, 7], [3, 5]] as [[Int64]])
    func `replay files that are not two of their own are no hello of a sound host`(descriptors: [Int64]) throws {
        let opener = try OpenerProcess(keyFiles: [keyFile], replayFiles: replayFiles)
        try opener.greet([:], replays: descriptors)
        #expect(try opener.receive() == nil)
        #expect(opener.exitCode() == 2)
    }

    @Test func `an opener waits until its predecessor is gone, and then knows all of it`() throws {
        let text = try Self.envelopes(1)[0]
        let first = try opener().process
        let second = try OpenerProcess(keyFiles: [keyFile], replayFiles: replayFiles)
        try second.greet([:], replays: [5, 6])
        // However far the second one has come, the first still writes.
        #expect(try answer(first, 1, row: 1, text) == "opened")
        first.closeSocket()
        #expect(first.exitCode() == 0)
        #expect(try second.receive() == Packet(.ready, body: ["protocol": 1, "nextRow": 2]))
        #expect(try answer(second, 1, row: 2, text) == "replayed")
    }

    @Test func `a payload that is refused leaves no row`() throws {
        let text = try Self.envelopes(1)[0]
        let first = try opener().process
        #expect(try answer(first, 1, row: 1, String(text.dropLast(4))) == "notOpened")
        #expect(try answer(first, 2, row: 1, "v1.AAAA") == "tooShort")
        #expect(try bytes(0).count == 24)
    }

    @Test(.enabled(if: isRoot, "needs root to count another process's writes"))
    func `requests that wait together cost one write`() throws {
        let texts = try Self.envelopes(64)
        let opener = try opener().process
        func writes() throws -> Int {
            let file = try #require(FileHandle(forReadingAtPath: "/proc/\(opener.identifier)/io"))
            let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
        let before = try writes()
        kill(opener.identifier, SIGSTOP)
        for (index, text) in texts.enumerated() { try opener.send(request(UInt64(index), row: 1, text)) }
        kill(opener.identifier, SIGCONT)
        for index in texts.indices { #expect(try opener.receive()?.id == UInt64(index)) }
        #expect(try writes() - before == 1)
        #expect(try bytes(0).count == 24 + 64 * 24)
    }

    // MARK: No room

    /// No file grows beyond 512 bytes, which is a head and 20 rows.
    private static let wrapper = ["/bin/dash", "-c", #"trap '' XFSZ; ulimit -S -f 1; exec "$0""#]

    @Test func `without room nothing is opened, and nothing is remembered as opened`() throws {
        let texts = try Self.envelopes(24)
        let first = try opener(wrapper: Self.wrapper).process
        for index in 0..<20 { #expect(try answer(first, 1, row: Int64(index), texts[index]) == "opened") }
        for index in 20..<24 {
            try first.send(request(9, row: Int64(index), texts[index]))
            let reason: JSON = "the replay files cannot be written: file too large"
            #expect(try first.receive() == Packet(.unavailable, id: 9, body: ["reason": reason]))
        }
        // Refusals need no room, and are what they were.
        #expect(try answer(first, 1, row: 30, texts[3]) == "replayed")
        #expect(try bytes(0).count == 24 + 20 * 24)
        first.closeSocket()
        #expect(first.exitCode() == 0)
        let second = try opener().process
        for index in 20..<24 { #expect(try answer(second, 1, row: 100, texts[index]) == "opened") }
        #expect(try answer(second, 1, row: 100, texts[19]) == "replayed")
    }

    @Test(.enabled(if: isRoot, "needs root to give another process room"))
    func `with room again the same process goes on`() throws {
        let texts = try Self.envelopes(21)
        let opener = try opener(wrapper: Self.wrapper).process
        for index in 0..<20 { #expect(try answer(opener, 1, row: Int64(index), texts[index]) == "opened") }
        #expect(try answer(opener, 1, row: 20, texts[20]) == "unavailable")
        let arguments = ["--pid", "\(opener.identifier)", "--fsize=1048576:"]
        let command = try Process.run(URL(filePath: "/usr/bin/prlimit"), arguments: arguments)
        command.waitUntilExit()
        try #require(command.terminationStatus == 0)
        #expect(try answer(opener, 1, row: 21, texts[20]) == "opened")
        #expect(try answer(opener, 1, row: 22, texts[20]) == "replayed")
    }

    @Test func `files without room for what they hold are refused at the start`() throws {
        let texts = try Self.envelopes(21)
        let first = try opener().process
        for index in 0..<21 { #expect(try answer(first, 1, row: Int64(index), texts[index]) == "opened") }
        first.closeSocket()
        #expect(first.exitCode() == 0)
        let second = try OpenerProcess(keyFiles: [keyFile], replayFiles: replayFiles, wrapper: Self.wrapper)
        try second.greet([:], replays: [5, 6])
        let body: JSONObject = ["descriptor": 5, "reason": "it cannot be written: file too large"]
        #expect(try second.receive() == Packet(.rejected, body: body))
        #expect(second.exitCode() == 1)
        let third = try opener().process
        #expect(try answer(third, 1, row: 100, texts[20]) == "replayed")
    }
}
