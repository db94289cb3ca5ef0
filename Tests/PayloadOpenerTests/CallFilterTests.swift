// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import E2ECrypto

/// The opener's own system-call filter: no memory is asked for after `ready`, whatever comes.
@Suite(.timeLimit(.minutes(10)), .disabled(if: dlsym(nil, "__tsan_init") != nil, "a sanitizer needs calls of its own"))
struct CallFilterTests {
    private let folder: KeyFolder

    init() throws {
        folder = try KeyFolder()
    }

    private func opener(formats: JSON = ["v1", "sealed-box"]) throws -> OpenerProcess {
        let key = try folder.file("ring.key", KeyFolder.recipient)
        let files = ["a", "b"].map { folder.url.appending(path: $0).path }
        let opener = try OpenerProcess(keyFiles: [key], replayFiles: files)
        try opener.greet(["accept": formats], replays: [5, 6])
        #expect(try opener.receive()?.type == .ready)
        return opener
    }

    private func status(_ field: String, of process: pid_t) throws -> String {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(field + ":") })
        return line.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces)
    }

    @Test func `the kernel counts one filter more on an opener that is ready`() throws {
        let opener = try opener()
        let own = try #require(Int(try status("Seccomp_filters", of: getpid())))
        #expect(try status("Seccomp_filters", of: opener.identifier) == "\(own + 1)")
        #expect(try status("NoNewPrivs", of: opener.identifier) == "1")
        #expect(try status("Threads", of: opener.identifier) == "1")
    }

    @Test(arguments: [
        ("nothing", 0), ("once", 0), ("wake", 0), ("wake of all processes", 0),
        ("wait", SIGSYS), ("requeue", SIGSYS), ("memory", SIGSYS),
    ])
    func `a wake is answered without the kernel, and nothing else that is not listed`(
        _ attempt: String,
        _ signal: Int32
    ) throws {
        let probe = Process()
        probe.executableURL = URL(filePath: OpenerProcess.program).deletingLastPathComponent()
            .appending(path: "filter-probe")
        probe.arguments = [attempt]
        try probe.run()
        probe.waitUntilExit()
        #expect(probe.terminationStatus == signal)
        #expect(probe.terminationReason == (signal == 0 ? .exit : .uncaughtSignal))
    }

    /// Bodies that make most of few bytes, each as the middle of a JSON text that is filled to the limit.
    static let shapes: [(name: String, open: String, part: String, close: String)] = [
        ("one text", "\"", "x", "\""),
        ("a text of escapes", "\"", "\\u00e9", "\""),
        ("numbers", "[0", ",0", "]"),
        ("fractions", "[0", ",0.1e-9", "]"),
        ("empty lists", "[[]", ",[]", "]"),
        ("lists of one", "[[0]", ",[0]", "]"),
        ("nested lists", "[0", ",[[[[[[[[0]]]]]]]]", "]"),
        ("empty objects", "[{}", ",{}", "]"),
        ("objects of one", "[0", ",{\"\":0}", "]"),
        ("short texts", "[\"\"", ",\"\"", "]"),
        ("texts beyond a word", "[\"\"", ",\"abcdefghijklmnopq\"", "]"),
    ]

    /// An `open` of exactly the largest size.
    private func request(_ id: UInt64, filler: (Int) -> String) throws -> [UInt8] {
        let head = #"{"app":"com.example.chat","topic":"com.example.chat","requestID":"r","row":"#
        let start = head + "\(id)" + #","payload":{"aps":{"alert":"New"},"encrypted-content":"AAAA","x":"#
        let room = Packet.maximumByteCount - Packet.headerByteCount - start.utf8.count - 2
        var bytes = try Packet(.open, id: id).encoded().prefix(Packet.headerByteCount)
        let text = start + filler(room) + "}}"
        bytes += Array(text.utf8)
        #expect(bytes.count <= Packet.maximumByteCount && bytes.count > Packet.maximumByteCount - 32)
        return Array(bytes) + [UInt8](repeating: 0x20, count: Packet.maximumByteCount - bytes.count)
    }

    private static func fill(_ shape: (name: String, open: String, part: String, close: String), _ room: Int) -> String
    {
        let count = (room - shape.open.utf8.count - shape.close.utf8.count) / shape.part.utf8.count
        return shape.open + String(repeating: shape.part, count: count) + shape.close
    }

    private static func members(_ room: Int) -> String {
        var text = "{\"first\":0"
        var number = 0
        while text.utf8.count < room - 20 {
            number += 1
            text += ",\"\(String(number, radix: 36))\":0"
        }
        return text + "}"
    }

    @Test func `no packet of the largest size makes an opener leave its reserve`() throws {
        let opener = try opener()
        let before = try status("VmData", of: opener.identifier)
        let fillers = Self.shapes.map { shape in { @Sendable (room: Int) in Self.fill(shape, room) } } + [Self.members]
        var id: UInt64 = 0
        for _ in 0..<3 {
            for filler in fillers {
                // As many as wait at once, so that batches form.
                let ids = (id + 1)...(id + 3)
                for id in ids { opener.send(bytes: try request(id, filler: filler)) }
                for id in ids {
                    let answer = try #require(try opener.receive(), "the opener is gone: \(opener.exitCode())")
                    #expect(answer.type == .refused && answer.id == id)
                }
                id = ids.upperBound
            }
        }
        #expect(try status("VmData", of: opener.identifier) == before)
    }

    @Test func `what opens is answered from the reserve too, at its largest`() throws {
        let arena = try SecretArena()
        let ring = try KeyRing.generate(in: arena)
        let path = folder.url.appending(path: "own.key").path
        try KeyFile.create(path: path, ring: ring, created: 1_795_228_800_000)
        let opener = try OpenerProcess(keyFiles: [path])
        try opener.greet(["accept": ["sealed-box"], "keepClear": ["x"]])
        #expect(try opener.receive()?.type == .ready)
        let sealer = Sealer(to: try #require(ring.publicKeys.first), in: arena)
        let before = try status("VmData", of: opener.identifier)
        for id in 1...200 as ClosedRange<UInt64> {
            let content = Array((#"{"title":"\#(id)","list":[0"# + String(repeating: ",0", count: 1000) + "]}").utf8)
            let text = try sealer.sealBox(content.span)
            let clear = Self.fill(Self.shapes[Int(id) % Self.shapes.count], 50_000)
            let head = #"{"app":"com.example.chat","topic":"com.example.chat","requestID":"r","row":\#(id),"#
            let body = head + #""payload":{"aps":{"alert":"New"},"encrypted-content":"\#(text)","x":\#(clear)}}"#
            opener.send(bytes: try Packet(.open, id: id).encoded().prefix(9) + Array(body.utf8))
            let answer = try #require(try opener.receive(), "the opener is gone: \(opener.exitCode())")
            #expect(answer.type == .opened && answer.id == id, "\(answer)")
        }
        #expect(try status("VmData", of: opener.identifier) == before)
    }
}
