// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NotificationPayload
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// The files of notifications on their way from the centre's disk to a host's view.
@Suite(.timeLimit(.minutes(2)))
struct ViewAttachmentTests {
    private static let sound = Array("ID3 la".utf8)

    /// The bytes of a file, from the place at which its reader is.
    private func bytes(of file: HeldFile) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 99)
        let count = unsafe read(file.descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// A record of the category that has a view, with a picture and a sound that the host keeps.
    private func record(_ number: Int64, replacing identifier: String = "lunch") throws -> OutboxRecord {
        let record = Bench.record(number, aps: ["category": "photo"], identifier: identifier)
        var object = try JSONObject(parsing: record.record.span)
        object["attachments"] = .array(
            [("photo", "public.jpeg"), ("la", "public.mp3")].map { name, type in
                ["identifier": .string(name), "path": .string("/away/\(name)"), "type": .string(type), "size": 7]
            }
        )
        return Bench.record(number, object.serialized)
    }

    private static let named: JSON = [
        ["identifier": "photo", "type": "public.jpeg", "size": 7],
        ["identifier": "la", "type": "public.mp3", "size": 6],
    ]

    @Test("a view has the files of its notification, whether they lie open or sealed", arguments: [false, true])
    func open(isSealed: Bool) async throws {
        let key = try #require([UInt8](repeating: 7, count: 32).withUnsafeBytes { StoreKey($0) })
        let views = try ViewBench(key: isSealed ? key : nil)
        let store = try BenchFiles(in: views.bench.folder)
        try store.put("photo", BenchFiles.jpeg)
        try store.put("la", Self.sound)
        try await views.withHost(files: store) { link in
            #expect(await link.send(try record(3)))
            while try views.bench.list().count < 3 { try await Task.turn() }
            let number = try #require(views.bench.list().first).head.number
            #expect(try await views.open(number).status == 201)
            let wish = await views.host.next()
            #expect(wish.view.notification["attachments"] == Self.named)
            #expect(wish.files.map(bytes) == [BenchFiles.jpeg, Self.sound])
            // One that was sealed is not open on the disk.
            let kept = try views.bench.keptFiles().map { "\(views.bench.folder)/files/\($0)" }
            let lies = try kept.contains { try Array(Data(contentsOf: URL(filePath: $0))) == Self.sound }
            #expect(lies == !isSealed)
        }
    }

    @Test("a newer version of the notification comes with its files")
    func replaced() async throws {
        let views = try ViewBench()
        let store = try BenchFiles(in: views.bench.folder)
        try store.put("photo", BenchFiles.jpeg)
        try store.put("la", Self.sound)
        try await views.withHost(files: store) { link in
            try await views.withUpkeep {
                #expect(await link.send(try record(3)))
                while try views.bench.list().count < 3 { try await Task.turn() }
                let number = try #require(views.bench.list().first).head.number
                #expect(try await views.open(number).status == 201)
                #expect(await views.host.next().files.count == 2)
                try store.put("la", Array("ID3 so".utf8))
                #expect(await link.send(try record(4)))
                let newer = try #require(await views.host.nextEventWithFiles())
                #expect(newer.event["notification"]?.object?["attachments"] == Self.named)
                #expect(newer.files.map(bytes) == [BenchFiles.jpeg, Array("ID3 so".utf8)])
            }
        }
    }

    @Test("a file that is gone from the disk is left out, and the view has the others")
    func missing() async throws {
        let views = try ViewBench()
        let store = try BenchFiles(in: views.bench.folder)
        try store.put("photo", BenchFiles.jpeg)
        try store.put("la", Self.sound)
        try await views.withHost(files: store) { link in
            #expect(await link.send(try record(3)))
            while try views.bench.list().count < 3 { try await Task.turn() }
            for path in try views.bench.keptFiles() {
                let place = URL(filePath: "\(views.bench.folder)/files/\(path)")
                if try Array(Data(contentsOf: place)) == Self.sound { try FileManager.default.removeItem(at: place) }
            }
            let number = try #require(views.bench.list().first).head.number
            #expect(try await views.open(number).status == 201)
            let wish = await views.host.next()
            #expect(
                wish.view.notification["attachments"] == [["identifier": "photo", "type": "public.jpeg", "size": 7]]
            )
            #expect(wish.files.map(bytes) == [BenchFiles.jpeg])
        }
    }
}
