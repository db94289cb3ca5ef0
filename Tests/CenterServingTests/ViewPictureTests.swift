// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import HostRuntime
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// The pictures of views, from the host's descriptors to whoever shows them.
@Suite(.timeLimit(.minutes(2)))
struct ViewPictureTests {
    private let views: ViewBench

    init() throws {
        views = try ViewBench()
    }

    private var bench: Bench { views.bench }

    /// A file without a name that has these bytes.
    private func file(_ bytes: String) throws -> HeldFile {
        let path = bench.folder + "/\(UUID().uuidString)"
        try Data(bytes.utf8).write(to: URL(filePath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        return HeldFile(file)
    }

    private func picture(_ number: UInt32, gone: [UInt32] = []) throws -> LinkViewFile {
        LinkViewFile(number: number, type: try #require(AttachmentType(identifier: "public.png")), gone: gone)
    }

    private func read(
        _ path: String,
        _ headers: HTTPHeaders = [:],
        _ method: HTTPMethod = .GET
    ) async throws -> (status: UInt, headers: HTTPHeaders, body: String) {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let request = try #require(APIRequest(head, body: []))
        switch await bench.api().reply(to: request) {
        case .answer(let answer): return (answer.status.code, answer.headers, "")
        case .file(let file):
            var body = ""
            try await file.write(isHeadOnly: method == .HEAD, isLast: false) { part in
                guard case .body(.byteBuffer(let bytes)) = part else { return }
                body += String(buffer: bytes)
            }
            return (file.status.code, file.headers, body)
        default: return (0, [:], "")
        }
    }

    @Test func `a follower hears which pictures there are, before the scene and with each change`() async throws {
        try await views.withHost { _ in
            let number = try #require(try await views.open(views.numbers().shown).body["view"]?.string)
            let opened = await views.host.next()
            opened.report(.picture(try picture(1), try file("one")))
            opened.report(.scene([ViewBench.first]))
            let path = "/v1/views/\(number)/files"
            while try await read("\(path)/1").status != 200 { try await Task.turn() }
            try await views.follow(number) { events in
                await events.expect("event: files\ndata: {\"files\":[1]}")
                await events.expect(
                    "event: whole\ndata: \(String(decoding: ViewBench.first.serialized, as: UTF8.self))"
                )
                opened.report(.picture(try picture(3, gone: [1]), try file("three")))
                await events.expect("event: files\ndata: {\"files\":[3]}")
                #expect(try await read("\(path)/1").status == 404)
                #expect(try await read("\(path)/3").body == "three")
                opened.report(.ended(.closed))
                await events.expect("event: ended\ndata: {\"reason\":\"closed\"}")
                // What a view has shown is gone with it.
                #expect(try await read("\(path)/3").status == 404)
            }
        }
    }

    @Test func `a picture is read whole or in part, as what it is and nothing else`() async throws {
        try await views.withHost { _ in
            let number = try #require(try await views.open(views.numbers().shown).body["view"]?.string)
            let opened = await views.host.next()
            opened.report(.scene([ViewBench.first]))
            opened.report(.picture(try picture(7), try file("abcdef")))
            let path = "/v1/views/\(number)/files/7"
            while try await read(path).status != 200 { try await Task.turn() }
            let whole = try await read(path)
            #expect(whole.body == "abcdef")
            #expect(whole.headers["content-type"] == ["image/png"])
            #expect(whole.headers["cache-control"] == ["no-store"])
            #expect(whole.headers["content-security-policy"] == ["sandbox; default-src 'none'"])
            #expect(whole.headers["cross-origin-resource-policy"] == ["same-origin"])
            #expect(whole.headers["content-disposition"] == ["inline; filename=\"picture-7.png\""])
            let part = try await read(path, ["range": "bytes=2-3"])
            #expect(part.status == 206)
            #expect(part.body == "cd")
            let head = try await read(path, [:], .HEAD)
            #expect(head.headers["content-length"] == ["6"])
            #expect(head.body.isEmpty)
            #expect(try await read(path, ["range": "bytes=6-"]).status == 416)
            #expect(try await read(path, [:], .DELETE).status == 405)
            for wrong in ["0", "8", "x", "4294967303", "07", ""] {
                #expect(try await read("/v1/views/\(number)/files/\(wrong)").status == 404)
            }
            #expect(try await read("/v1/views/99/files/7").status == 404)
        }
    }

    @Test func `a host that goes takes its pictures with it`() async throws {
        try await views.withHost { link in
            let number = try #require(try await views.open(views.numbers().shown).body["view"]?.string)
            let opened = await views.host.next()
            opened.report(.scene([ViewBench.first]))
            opened.report(.picture(try picture(1), try file("one")))
            let path = "/v1/views/\(number)/files/1"
            while try await read(path).status != 200 { try await Task.turn() }
            await link.close()
            while try await read(path).status == 200 { try await Task.turn() }
            #expect(try await read(path).status == 404)
        }
    }

    @Test func `a host that tells of too many takes the oldest away`() async throws {
        try await views.withHost { _ in
            let number = try #require(try await views.open(views.numbers().shown).body["view"]?.string)
            let opened = await views.host.next()
            opened.report(.scene([ViewBench.first]))
            for each in 1...17 as ClosedRange<UInt32> {
                opened.report(.picture(try picture(each), try file("\(each)")))
            }
            let path = "/v1/views/\(number)/files"
            while try await read("\(path)/17").status != 200 { try await Task.turn() }
            #expect(try await read("\(path)/1").status == 404)
            #expect(try await read("\(path)/2").body == "2")
        }
    }
}
