// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import E2ECrypto

/// Files in, files out: what is promised of whole calls.
struct AttachmentTests {
    private let folder: TemporaryFolder
    private let label: AttachmentLabel

    init() throws {
        folder = try TemporaryFolder()
        label = try AttachmentLabel(id: "photo", url: "https://files.example/p", type: "image/jpeg", name: "door.jpg")
    }

    @discardableResult
    private func seal(_ bytes: [UInt8]) throws -> AttachmentEntry {
        try Attachment.seal(file: try folder.write("plain", bytes), to: folder.path("sealed"), as: label)
    }

    private func openingError(_ entry: AttachmentEntry) -> AttachmentError? {
        do {
            try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened"))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 9, 65535, 65536, 65537, 131_071, 131_072, 131_073, 300_000, 64 * 65536 + 1])
    func `a file comes out as it went in`(_ count: Int) throws {
        let entry = try seal(pattern(count))
        #expect(entry.size == count)
        #expect(entry.sealedByteCount == (try folder.read("sealed").count))
        let read = try AttachmentEntry(parsing: Array(entry.json.utf8).span)
        #expect(openingError(read) == nil)
        #expect(try folder.read("opened") == pattern(count))
        #expect(folder.names == ["opened", "plain", "sealed"])
    }

    @Test func `both files are their owner's alone`() throws {
        #expect(openingError(try seal([1])) == nil)
        for name in ["sealed", "opened"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `every file has a key and a header of its own`() throws {
        let first = try seal([1, 2, 3])
        let firstBytes = try folder.read("sealed")
        try FileManager.default.removeItem(atPath: folder.path("sealed"))
        let second = try seal([1, 2, 3])
        #expect(first.key.text != second.key.text)
        #expect(firstBytes[8..<32] != (try folder.read("sealed"))[8..<32])
        #expect(openingError(first) == .notOpened)
    }

    @Test func `a pipe of unknown length is sealed, and a pipe is opened`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(pattern(60_000)))
        try pipe.fileHandleForWriting.close()
        let sealed = Pipe()
        let entry = try Attachment.seal(
            from: pipe.fileHandleForReading.fileDescriptor,
            to: sealed.fileHandleForWriting.fileDescriptor,
            as: label
        )
        try sealed.fileHandleForWriting.close()
        try Attachment.open(entry, from: sealed.fileHandleForReading.fileDescriptor, to: folder.path("opened"))
        #expect(try folder.read("opened") == pattern(60_000))
    }

    @Test func `descriptors are used from their position on`() throws {
        let plain = try FileHandle(forReadingFrom: URL(filePath: try folder.write("plain", pattern(100))))
        try plain.seek(toOffset: 40)
        try folder.write("sealed", [])
        let sealed = try FileHandle(forUpdating: folder.url.appending(path: "sealed"))
        try sealed.seek(toOffset: 7)
        let entry = try Attachment.seal(from: plain.fileDescriptor, to: sealed.fileDescriptor, as: label)
        #expect(entry.size == 60)
        try sealed.seek(toOffset: 7)
        try Attachment.open(entry, from: sealed.fileDescriptor, to: folder.path("opened"))
        #expect(try folder.read("opened") == Array(pattern(100)[40...]))
    }

    // MARK: What is refused leaves nothing

    @Test func `an existing file is never overwritten`() throws {
        let plain = try folder.write("plain", [1])
        let sealed = try folder.write("sealed", [7])
        #expect(throws: AttachmentError.exists) { try Attachment.seal(file: plain, to: sealed, as: label) }
        #expect(try folder.read("sealed") == [7])
        try FileManager.default.removeItem(atPath: sealed)
        let entry = try seal([1])
        try folder.write("opened", [8])
        #expect(openingError(entry) == .exists)
        #expect(try folder.read("opened") == [8])
    }

    @Test func `a link that leads nowhere counts as a file`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("opened"), withDestinationPath: "nowhere")
        #expect(openingError(try seal([1])) == .exists)
        #expect(folder.names == ["opened", "plain", "sealed"])
    }

    @Test func `a name taken meanwhile stays with who took it`() throws {
        let plain = try folder.write("plain", pattern(70_000))
        #expect(throws: AttachmentError.exists) {
            try Attachment.seal(file: plain, to: folder.path("sealed"), as: label) { _ in
                _ = try? folder.write("sealed", [9])
                return .proceed
            }
        }
        #expect(try folder.read("sealed") == [9])
        #expect(folder.names == ["plain", "sealed"])
    }

    @Test func `nothing is seen before the end`() throws {
        let entry = try seal(pattern(200_000))
        var steps = 0
        try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened")) { _ in
            steps += 1
            #expect(!folder.names.contains("opened"))
            return .proceed
        }
        #expect(steps == 4)
        #expect(folder.names == ["opened", "plain", "sealed"])
    }

    @Test func `a bad last chunk leaves nothing of the good ones`() throws {
        let entry = try seal(pattern(200_000))
        var bytes = try folder.read("sealed")
        bytes[bytes.count - 1] ^= 1
        try folder.write("sealed", bytes)
        #expect(openingError(entry) == .notOpened)
        #expect(folder.names == ["plain", "sealed"])
    }

    @Test func `another length than the entry's is refused unread`() throws {
        let entry = try seal(pattern(100))
        let bytes = try folder.read("sealed")
        for changed in [bytes.dropLast(), bytes + [0], []] {
            try folder.write("sealed", Array(changed))
            #expect(openingError(entry) == .wrongSize(needed: 153, got: changed.count))
        }
        #expect(folder.names == ["plain", "sealed"])
    }

    @Test func `a receiver's own limit is held before anything is read`() throws {
        let entry = try seal(pattern(100))
        #expect(throws: AttachmentError.tooLarge(limit: 99)) {
            try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened"), sizeLimit: 99)
        }
        try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened"), sizeLimit: 100)
    }

    @Test func `a file over a gibibyte is not sealed`() throws {
        let plain = try folder.write("plain", [])
        #expect(truncate(plain, (1 << 30) + 1) == 0)
        #expect(throws: AttachmentError.tooLarge(limit: 1 << 30)) {
            try Attachment.seal(file: plain, to: folder.path("sealed"), as: label)
        }
        #expect(folder.names == ["plain"])
    }

    @Test func `system errors say which file`() throws {
        let plain = try folder.write("plain", [1])
        let cases: [(String, String, AttachmentError)] = [
            ("nowhere", "sealed", .system(.source, ENOENT)), (".", "sealed", .system(.source, EISDIR)),
            ("plain", "nowhere/sealed", .system(.target, ENOENT)), ("plain", "sealed/", .system(.target, EISDIR)),
            ("plain", "plain/sealed", .system(.target, ENOTDIR)),
        ]
        for (source, target, error) in cases {
            #expect(throws: error) {
                try Attachment.seal(file: folder.path(source), to: folder.url.path + "/" + target, as: label)
            }
        }
        let source = try FileHandle(forReadingFrom: URL(filePath: plain))
        #expect(throws: AttachmentError.system(.target, EBADF)) {
            try Attachment.seal(from: source.fileDescriptor, to: source.fileDescriptor, as: label)
        }
        #expect(folder.names == ["plain"])
    }

    // MARK: Progress

    @Test func `progress grows to the whole, on both ways`() throws {
        let plain = try folder.write("plain", pattern(150_000))
        var sealing: [Int] = []
        let entry = try Attachment.seal(file: plain, to: folder.path("sealed"), as: label) { progress in
            #expect(progress.totalByteCount == 150_000)
            sealing.append(progress.completedByteCount)
            return .proceed
        }
        #expect(sealing == [65536, 131_072, 150_000])
        var opening: [Int] = []
        try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened")) { progress in
            #expect(progress.totalByteCount == entry.sealedByteCount)
            opening.append(progress.completedByteCount)
            return .proceed
        }
        #expect(opening == [32 + 65553, 32 + 2 * 65553, entry.sealedByteCount])
    }

    @Test func `cancelling ends both ways at once and leaves nothing`() throws {
        let plain = try folder.write("plain", pattern(150_000))
        var steps = 0
        #expect(throws: AttachmentError.cancelled) {
            try Attachment.seal(file: plain, to: folder.path("sealed"), as: label) { _ in
                steps += 1
                return steps == 2 ? .cancel : .proceed
            }
        }
        #expect(steps == 2)
        #expect(folder.names == ["plain"])
        let entry = try seal(pattern(150_000))
        #expect(throws: AttachmentError.cancelled) {
            try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened")) { _ in .cancel }
        }
        #expect(folder.names == ["plain", "sealed"])
    }
}

/// Target files on a file system that knows no files without a name.
struct TargetFileTests {
    @Test func `a file with a hidden name gets its own, and loses the hidden one`() throws {
        let folder = try TemporaryFolder()
        try publish(folder)
        #expect(folder.names == ["file"])
    }

    private func publish(_ folder: TemporaryFolder) throws {
        let file = try TargetFile(path: folder.path("file"), named: true)
        #expect(folder.names.count == 1)
        #expect(folder.names.first?.hasPrefix(".nsea-") == true)
        try file.publish()
        #expect(folder.names.last == "file")
    }

    @Test func `a hidden file goes when it is given up, and when its name was taken`() throws {
        let folder = try TemporaryFolder()
        do { _ = try TargetFile(path: folder.path("file"), named: true) }
        #expect(folder.names.isEmpty)
        #expect(throws: AttachmentError.exists) {
            let file = try TargetFile(path: folder.path("file"), named: true)
            try folder.write("file", [1])
            try file.publish()
        }
        #expect(folder.names == ["file"])
        #expect(try folder.read("file") == [1])
    }
}
