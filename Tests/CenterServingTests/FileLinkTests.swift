// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NotificationPayload
import PacketSockets
import Testing

@testable import CenterLink
@testable import CenterServing

/// The files of records, from the host's folder to the centre's.
@Suite(.timeLimit(.minutes(2)))
struct FileLinkTests {
    private let bench: Bench
    private let store: BenchFiles

    init() throws {
        bench = try Bench()
        store = try BenchFiles(in: bench.folder)
    }

    /// A record with files, of each the name and the type that the record says.
    private func record(_ number: Int64, _ files: (name: String, type: String)...) throws -> OutboxRecord {
        var object = try JSONObject(parsing: Bench.record(number).record.span)
        object["attachments"] = .array(
            files.map { name, type in
                [
                    "identifier": .string(name), "path": .string("/somewhere/\(name)"), "type": .string(type),
                    "size": 5,
                ]
            }
        )
        return Bench.record(number, object.serialized)
    }

    private func attachments() throws -> [ContentAttachment] {
        try #require(bench.list().first?.content).attachments
    }

    /// The bytes of what is kept of a notification, in its order.
    private func bytes() throws -> [[UInt8]?] {
        try attachments().compactMap(\.file).map { bench.center.store.files.open($0)?.read(from: 0, atMost: 99) }
    }

    @Test func `a file of a record is the centre's own, whatever becomes of the host's`() async throws {
        try store.put("photo", BenchFiles.jpeg)
        try store.put("sound", Array("ID3 la".utf8))
        try await bench.withLink(files: store) { link in
            let record = try record(1, ("photo", "public.jpeg"), ("sound", "public.mp3"))
            #expect(await link.send(record))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        try store.remove("photo")
        #expect(try attachments().map(\.identifier) == ["photo", "sound"])
        #expect(try bytes() == [BenchFiles.jpeg, Array("ID3 la".utf8)])
    }

    @Test func `a file that is gone or bad is named with its reason, and the others are shown`() async throws {
        try store.put("photo", BenchFiles.jpeg)
        try store.put("page", Array("<html>".utf8))
        try store.put("note", Array("text".utf8))
        try await bench.withLink(files: store) { link in
            let record = try record(
                1,
                ("gone", "public.jpeg"),
                ("page", "public.jpeg"),
                ("note", "public.text"),
                ("photo", "public.jpeg")
            )
            #expect(await link.send(record))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        #expect(
            try attachments().map { attachment in
                if case .refused(let reason) = attachment.state { "\(attachment.identifier) \(reason)" } else { "kept" }
            } == ["page wrongContent", "note unknownType", "kept", "gone notFound"]
        )
        #expect(try bytes() == [BenchFiles.jpeg])
    }

    @Test func `a record that comes again keeps the files of the first, and none twice`() async throws {
        try store.put("photo", BenchFiles.jpeg)
        for _ in 1...2 {
            try await bench.withLink(files: store) { link in
                let record = try record(1, ("photo", "public.jpeg"))
                #expect(await link.send(record))
                #expect(await link.answers(to: 1) == [.taken(1...1)])
            }
        }
        #expect(try bytes() == [BenchFiles.jpeg])
        #expect(try bench.keptFiles().count == 1)
    }

    @Test func `no file is kept of an app that is not allowed`() async throws {
        try store.put("photo", BenchFiles.jpeg)
        try await bench.withLink(Bench.registry(.ask), files: store) { link in
            let record = try record(1, ("photo", "public.jpeg"))
            #expect(await link.send(record))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        #expect(try bench.list().isEmpty)
        #expect(try bench.keptFiles().isEmpty)
    }

    @Test func `many records with many files arrive, in their order`() async throws {
        for place in 0..<10 { try store.put("photo\(place)", BenchFiles.jpeg) }
        let ten = (0..<10).map { (name: "photo\($0)", type: "public.jpeg") }
        try await bench.withLink(files: store) { link in
            async let answers = link.answers(to: 40)
            for number in Int64(1)...40 {
                var object = try JSONObject(parsing: record(number).record.span)
                object["attachments"] = .array(
                    ten.map {
                        [
                            "identifier": .string($0.name), "path": .string("/\($0.name)"), "type": "public.jpeg",
                            "size": 5,
                        ]
                    }
                )
                let record = Bench.record(number, object.serialized)
                #expect(await link.send(record))
            }
            _ = await answers
        }
        #expect(try bench.list().map { $0.content?.identifier } == (1...40).reversed().map { "push-\($0)" })
        #expect(try bench.list().allSatisfy { $0.content?.files.count == 10 })
        #expect(try bench.keptFiles().count == 400)
    }

    @Test func `eleven descriptors, or some that no file is named for, end the link and leave none open`() async throws
    {
        for count in [1, 11] {
            let (host, other) = try PacketSocket.pair()
            let session = LinkSession(bench.center, other, clock: ContinuousClock())
            async let ended: Void = session.run()
            let null = try (0..<count).map { _ in try #require(PassedFile(path: "/proc/self/status")) }
            let hello = HostLinkMessage.hello(LinkHello(journal: "0a1b2c3d", floor: 0))
            #expect(host.send(try hello.packet.encoded(), files: null) == (count == 1))
            host.shutDown()
            await ended
        }
        #expect(try bench.keptFiles().isEmpty)
    }
}

/// The files of a host, by the last part of their paths.
final class BenchFiles: AttachmentKeeping {
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    private let folder: String

    init(in folder: String) throws {
        self.folder = folder + "/host"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    }

    func put(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder + "/" + name) }

    func open(_ attachment: HostRuntime.Attachment) -> HeldFile? {
        let file = Foundation.open(folder + "/" + (attachment.path.split(separator: "/").last ?? ""), O_RDONLY)
        return file >= 0 ? HeldFile(file) : nil
    }

    func folder(for pushID: String) -> AttachmentFolder { AttachmentFolder(name: pushID) }
    func keep(
        _ offer: AttachmentOffer,
        from descriptor: Int32,
        in folder: AttachmentFolder
    ) async throws(AttachmentRefusal) -> HostRuntime.Attachment { throw .storeFailed }
    func viewFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? { nil }

    func temporaryFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? { nil }
    func discard(_ attachments: [HostRuntime.Attachment]) {}
}

extension Bench {
    /// The files in the centre's folder, below their runs' folders.
    func keptFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/files").filter { $0.contains("/") }
    }
}
