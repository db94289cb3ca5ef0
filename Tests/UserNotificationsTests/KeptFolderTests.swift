// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import Locking
import PacketSockets
import Testing

@testable import UserNotifications

/// The folder of the files that a process has fetched: its bound, and its end.
struct KeptFolderTests {
    private let parent: String

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    }

    private func names(below path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: parent + path).sorted()
    }

    private static func file(
        _ number: Int,
        _ byteCount: Int64 = 3,
        _ type: String = "public.jpeg"
    ) -> StoredRequest.File {
        StoredRequest.File(identifier: "photo", type: type, byteCount: byteCount, name: "\(number)")
    }

    /// A centre that writes so many bytes, and counts how often it was asked.
    private final class Centre: Sendable {
        let asked = Locked(0)
        private let byteCount: Int

        init(_ byteCount: Int = 3) { self.byteCount = byteCount }

        func fetch(_ name: StoredFileName, _ file: PassedFile) -> Bool {
            asked.withLock { $0 += 1 }
            return ftruncate(file.descriptor, off_t(byteCount)) == 0
        }
    }

    private func path(_ files: KeptFiles, _ file: StoredRequest.File) -> String {
        files.path(of: file, StoredFileName(request: "lunch", file: file.name ?? ""))
    }

    @Test func `a file is fetched once, into a folder that nobody else may read`() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let centre = Centre()
        let files = KeptFiles(in: parent, fetch: centre.fetch)
        #expect(try names() == [])
        let first = path(files, Self.file(1))
        #expect(path(files, Self.file(1)) == first)
        #expect(centre.asked.withLock(\.self) == 1)
        let folder = try #require(try names().first)
        #expect(first == "\(parent)/\(folder)/1.jpg")
        for (path, mode) in [("\(parent)/\(folder)", 0o700), (first, 0o600)] {
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(found?.intValue == mode)
        }
        // An app that moves the file away has it fetched anew.
        try FileManager.default.removeItem(atPath: first)
        #expect(path(files, Self.file(1)) == "\(parent)/\(folder)/2.jpg")
        try FileManager.default.removeItem(atPath: "\(parent)/\(folder)")
        let next = path(files, Self.file(1))
        #expect(FileManager.default.fileExists(atPath: next) && next.hasSuffix("/3.jpg"))
    }

    @Test(arguments: [(1, 2, true), (0, 1, false)])
    func `a file that a centre has begun to write and did not end is asked for once more`(
        begun: Int,
        times: Int,
        isThere: Bool
    ) {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let asked = Locked(0)
        let files = KeptFiles(in: parent) { _, file in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            return ftruncate(file.descriptor, off_t(count == 1 ? begun : 3)) == 0 && count > 1
        }
        #expect(FileManager.default.fileExists(atPath: path(files, Self.file(1))) == isThere)
        #expect(asked.withLock(\.self) == times)
    }

    @Test func `the oldest files beyond the bound are removed`() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let files = KeptFiles(in: parent, fetch: Centre().fetch)
        let paths = (0...KeptFiles.countLimit).map { path(files, Self.file($0)) }
        #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [false] + Array(repeating: true, count: 64))
        // Six films of 50 MB are more than the folder has room for; they take none on the disk here.
        let films = KeptFiles(in: parent, fetch: Centre(50 << 20).fetch)
        let places = (0..<6).map { path(films, Self.file($0, 50 << 20, "public.mpeg-4")) }
        #expect(places.map { FileManager.default.fileExists(atPath: $0) } == [false] + Array(repeating: true, count: 5))
    }

    @Test(
        arguments: [
            (2, "public.jpeg", 1), (4, "public.jpeg", 1), (0, "public.jpeg", 0), (3, "public.html", 0),
            ((10 << 20) + 1, "public.jpeg", 0), (.max, "public.mpeg-4", 0), (3, "../../etc/passwd", 0),
        ] as [(Int64, String, Int)]
    )
    func `a file of another length or type than there may be has no place`(
        byteCount: Int64,
        type: String,
        asked: Int
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let centre = Centre()
        let files = KeptFiles(in: parent, fetch: centre.fetch)
        let found = path(files, Self.file(1, byteCount, type))
        #expect(["/dev/null/file.jpg", "/dev/null/file.mp4", "/dev/null/file.data"].contains(found))
        #expect(centre.asked.withLock(\.self) == asked)
        for folder in try names() { #expect(try names(below: "/" + folder) == []) }
    }

    @Test func `a file that the centre does not write leaves nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let files = KeptFiles(in: parent) { _, _ in false }
        #expect(path(files, Self.file(1)) == "/dev/null/file.jpg")
        #expect(try names(below: "/" + #require(try names().first)) == [])
        let nowhere = KeptFiles(in: parent + "/absent", fetch: Centre().fetch)
        #expect(path(nowhere, Self.file(1)) == "/dev/null/file.jpg")
    }

    // MARK: The end

    @Test func `a folder goes with its owner, and one that a process left goes with the next`() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let left = parent + "/nestbox-files-killed"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: left + "/1.jpg"))
        // Another one's, and what only looks like one.
        let other = parent + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: other + "/1.jpg"))
        try FileManager.default.createSymbolicLink(atPath: parent + "/nestbox-files-link", withDestinationPath: other)
        do {
            let first = try #require(ProcessFolder(in: parent))
            let second = try #require(ProcessFolder(in: parent))
            let mine = [first.path, second.path].map { String($0.dropFirst(parent.count + 1)) }
            #expect(try Set(names()) == Set(mine + ["nestbox-files-link", "other"]))
            #expect(first.isThere && second.isThere)
        }
        #expect(try names() == ["nestbox-files-link", "other"])
        #expect(try names(below: "/other") == ["1.jpg"])
    }

    @Test func `a process that exits leaves no folder, and one that is killed leaves one for the next`() async throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        await #expect(processExitsWith: .exitCode(0)) { [parent = parent as String] in
            let files = KeptFiles(in: parent) { _, file in ftruncate(file.descriptor, 3) == 0 }
            let path = files.path(of: KeptFolderTests.file(1), StoredFileName(request: "lunch", file: "1"))
            // A file at the place, and a folder that its owner does not let go before the exit.
            guard access(path, R_OK) == 0 else { exit(2) }
            withExtendedLifetime(files) {}
            exit(0)
        }
        #expect(try names() == [])
        await #expect(processExitsWith: .signal(SIGKILL)) { [parent = parent as String] in
            let folder = ProcessFolder(in: parent)
            withExtendedLifetime(folder) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(try names().count == 1)
        let next = try #require(ProcessFolder(in: parent))
        #expect(try names() == [String(next.path.dropFirst(parent.count + 1))])
    }
}
