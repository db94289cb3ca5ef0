// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Glibc
import HostRuntime
import Locking
import Logging
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// Files that views name, on their way out of their processes' folders.
@Suite(.timeLimit(.minutes(5)))
struct ViewFileTests {
    private func withHarness(
        profile: Character = "A",
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        try await SupervisorHarness.withHarness(
            script: ShownView.script,
            role: .content,
            profile: profile,
            folder: folder,
            logger: logger,
            body
        )
    }

    private func file(_ number: Int64, _ path: String, _ content: String? = nil) -> JSON {
        [.integer(number), .string(path), content.map(JSON.string) ?? nil]
    }

    private func bytes(of picture: ShownFile) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: picture.byteCount)
        let count = unsafe pread(picture.file.descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    @Test(arguments: AttachmentTests.profiles)
    func `pictures of tmp and of what is stored are told of as copies, and no path is`(profile: Character) async throws
    {
        try await withHarness(profile: profile) { harness in
            let files: JSON = [file(1, "tmp/a.png", "png(2, 3)"), file(3, "home/b.png", "png(4, 5, 100)")]
            let view = try #require(await ShownView("files", files: files, harness))
            await view.until { $0.count(where: \.isPicture) == 2 }
            #expect(view.pictures.map(\.number) == [1, 3])
            #expect(view.pictures.map(\.type.identifier) == ["public.png", "public.png"])
            #expect(view.pictures.map(\.byteCount) == [33, 100])
            #expect(view.pictures.allSatisfy { bytes(of: $0).starts(with: [0x89] + Array("PNG".utf8)) })
            #expect(try view.scene[10]?.kind.source == 1)
            for case .scene(let update) in view.all { #expect(update.files.isEmpty) }
            await harness.supervisor.closeView(view.number)
            #expect(try await view.end() == .closed)
        }
    }

    @Test func `what is no picture is refused with its reason, and the view goes on`() async throws {
        let lines = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in RecordingHandler(lines: lines, logLevel: .debug) }
        try await withHarness(logger: logger) { harness in
            let files: JSON = [
                file(1, "tmp/none.png"), file(2, "../a.png"), file(3, "tmp/a.png", "b'<svg/>'"),
                file(4, "tmp/b.png", "b''"),
                file(5, "tmp/c.png", "png(4001, 4000)"), file(6, "tmp/d.png", "png(0, 9)"),
                file(7, "tmp/e.png", "png(1, 1, (10 << 20) + 1)"), file(8, "tmp/f.png", "png(4000, 4000)"),
            ]
            let view = try #require(await ShownView("files", files: files, harness))
            await view.until { $0.contains(where: \.isPicture) }
            #expect(view.pictures.map(\.number) == [8])
            #expect(view.ends == [])
            let refused = lines.withLock { $0.compactMap(Self.refusal) }
            #expect(
                refused == [
                    "1 notFound", "2 badName", "3 wrongContent", "4 wrongContent", "5 tooLarge", "6 wrongContent",
                    "7 tooLarge",
                ]
            )
        }
    }

    /// Returns the number of a file and the reason in a line of the log, as one text; `nil` for any other line.
    private static func refusal(in line: String) -> String? {
        guard line.hasPrefix("file of a view refused"), let number = line.firstMatch(of: #/"file": ([0-9]+)/#),
            let reason = line.firstMatch(of: #/"reason": ([a-zA-Z]+)/#)
        else { return nil }
        return "\(number.1) \(reason.1)"
    }

    @Test(arguments: ["1, 1", "2, 1"])
    func `a number that does not rise ends the view`(numbers: String) async throws {
        try await withHarness { harness in
            let files = numbers.split(separator: ",").compactMap { Int64($0.trimmed) }
            let view = try #require(
                await ShownView("files", files: .array(files.map { file($0, "tmp/a\($0).png") }), harness)
            )
            #expect(try await view.end() == .protocolViolation)
        }
    }

    @Test(arguments: AttachmentTests.profiles)
    func `a view that names a hundred files at once goes on`(profile: Character) async throws {
        try await withHarness(profile: profile) { harness in
            let files = (1...100).map { file($0, "tmp/\($0).png", "png(1, 1)") }
            let view = try #require(await ShownView("files", files: .array(files), harness))
            await view.until { $0.count(where: \.isPicture) >= 16 }
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0.4)))), toView: view.number)
            await view.until { $0.contains(where: \.isAnswer) }
            #expect(view.ends == [])
            await harness.supervisor.closeView(view.number)
            #expect(try await view.end() == .closed)
        }
    }

    @Test func `the seventeenth picture takes the place of the oldest that no node names`() async throws {
        try await withHarness { harness in
            // Odd ones are named.
            let files = (1...17).map { file($0, "tmp/\($0).png", "png(1, 1)") }
            let view = try #require(await ShownView("files", files: .array(files), harness))
            await view.until { $0.count(where: \.isPicture) == 17 }
            let gone = view.all.compactMap { report -> [UInt32]? in
                if case .picture(let picture, let gone) = report, picture.number == 17 { gone } else { nil }
            }
            #expect(gone == [[2]])
        }
    }
}

/// The shelf of one view, as a value.
struct ViewShelfTests {
    private func picture(_ number: UInt32, _ byteCount: Int) throws -> ShownFile {
        ShownFile(
            number: number,
            type: try #require(AttachmentType(identifier: "public.png")),
            byteCount: byteCount,
            file: HeldFile(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
        )
    }

    @Test func `one file is copied at a time, and of those beyond sixty-four the oldest that no node names goes`() {
        var shelf = ViewShelf()
        let files = (1...66).map { SceneFile(number: $0, path: "tmp/\($0)") }
        shelf.want(Array(files.prefix(64)))
        var next = shelf.next(now: .zero)
        #expect(next == .copy(files[0]))
        next = shelf.next(now: .zero)
        #expect(next == .rest)
        shelf.want([files[64]])
        var excess = shelf.takeExcess { [] }
        #expect(excess == [])
        shelf.want([files[65]])
        excess = shelf.takeExcess { [2, 3] }
        #expect(excess == [files[3]])
        shelf.settle()
        next = shelf.next(now: .zero)
        #expect(next == .copy(files[1]))
        shelf.want([files[0], files[3]])
        excess = shelf.takeExcess { Set(1...66) }
        #expect(excess == [files[2]])
        let left = shelf.clear()
        #expect(left.count == 64)
    }

    @Test func `a view that names many gets eight a second`() {
        var shelf = ViewShelf()
        shelf.want((1...64).map { SceneFile(number: $0, path: "tmp/\($0)") })
        var copied = 0
        for _ in 1...34 {
            if case .copy = shelf.next(now: .zero) { copied += 1 }
            shelf.settle()
        }
        #expect(copied == 32)
        let early = shelf.next(now: .milliseconds(124))
        #expect(early == .pause)
        let busy = shelf.next(now: .seconds(1))
        #expect(busy == .rest)
        shelf.settle()
        let next = shelf.next(now: .milliseconds(125))
        #expect(next == .copy(SceneFile(number: 33, path: "tmp/33")))
    }

    @Test func `what was named last is kept longest`() throws {
        var shelf = ViewShelf()
        for number in 1...16 as ClosedRange<UInt32> {
            let gone = shelf.keep(try picture(number, 1), named: [])
            #expect(gone == [])
        }
        shelf.note { [1, 2] }
        var gone = shelf.keep(try picture(17, 1), named: [])
        #expect(gone == [3])
        gone = shelf.keep(try picture(18, 1), named: [4])
        #expect(gone == [5])
    }

    @Test func `as many bytes are kept as a view may have, and named pictures stay`() throws {
        var shelf = ViewShelf()
        let most = SceneLimits.fileByteCount
        for number in 1...6 as ClosedRange<UInt32> {
            let gone = shelf.keep(try picture(number, most), named: [])
            #expect(gone == [])
        }
        var gone = shelf.keep(try picture(7, most), named: [1])
        #expect(gone == [2])
        gone = shelf.keep(try picture(8, most), named: [1, 3, 4, 5, 6, 7])
        #expect(gone == nil)
        gone = shelf.keep(try picture(9, 4 << 20), named: [1, 3, 4, 5, 6, 7])
        #expect(gone == [])
    }
}

extension ViewReport {
    /// True for the update that takes in the first event.
    fileprivate var isAnswer: Bool { if case .scene(let update) = self { update.acknowledged == 1 } else { false } }

    fileprivate var isPicture: Bool { if case .picture = self { true } else { false } }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
