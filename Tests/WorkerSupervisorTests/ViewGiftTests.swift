// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import HostRuntime
import Locking
import Logging
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// The files of notifications in the folders of the views that show them.
@Suite(.timeLimit(.minutes(5)))
struct ViewGiftTests {
    private func withHarness(
        profile: Character = "A",
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (SupervisorHarness, HostFolder) async throws -> Void
    ) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        try await SupervisorHarness.withHarness(
            script: ShownView.script,
            role: .content,
            profile: profile,
            folder: folder,
            logger: logger
        ) { try await body($0, folder) }
    }

    /// A file with these bytes that is in no folder any more.
    private func gift(_ identifier: String, _ bytes: String, claiming count: Int? = nil) throws -> ViewAttachment {
        let path = "/tmp/gift-\(UUID().uuidString)"
        try Data(bytes.utf8).write(to: URL(filePath: path))
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        unsafe unlink(path)
        return ViewAttachment(
            identifier: identifier,
            type: try #require(AttachmentType(identifier: "public.mp3")),
            byteCount: count ?? bytes.utf8.count,
            file: HeldFile(file)
        )
    }

    private func text(of view: ShownView, after count: Int) async throws -> String? {
        await view.until { $0.count(where: \.hasNodes) > count }
        return try view.text(4)
    }

    @Test("a view reads the files of its notification, and those of a newer one", arguments: AttachmentTests.profiles)
    func given(profile: Character) async throws {
        try await withHarness(profile: profile) { harness, folder in
            let gifts = [try gift("a", "ID3 one"), try gift("b", "ID3 two")]
            let view = try #require(await ShownView("gifts", gifts: gifts, harness))
            #expect(
                try await text(of: view, after: 1)
                    == #"[["a", "public.mp3", "ID3 one"], ["b", "public.mp3", "ID3 two"]]"#
            )
            var newer = ShownView.opening("gifts").notification
            newer.identifier = "newer"
            let more = [try gift("c", "ID3 three")]
            await harness.supervisor.pass(.notification(newer), more, numbered: 1, toView: view.number)
            #expect(try await text(of: view, after: 2) == #"[["c", "public.mp3", "ID3 three"]]"#)
            await harness.supervisor.closeView(view.number)
            #expect(try await view.end() == .closed)
            // Nothing of them is left on the host's disk.
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("shown-") }
            #expect(left == [])
        }
    }

    @Test(
        "the files of what is shown and of the one before stay, and older ones go",
        arguments: AttachmentTests.profiles
    )
    func room(profile: Character) async throws {
        try await withHarness(profile: profile) { harness, _ in
            let view = try #require(await ShownView("list", gifts: [try gift("a", "ID3 0")], harness))
            #expect(try await text(of: view, after: 1) == "1")
            for (number, count) in [(1, "2"), (2, "3"), (3, "3"), (4, "3")] as [(UInt64, String)] {
                let newer = ViewWord.notification(ShownView.opening("list").notification)
                let gifts = [try gift("a", "ID3 \(number)")]
                await harness.supervisor.pass(newer, gifts, numbered: number, toView: view.number)
                #expect(try await text(of: view, after: Int(number) + 1) == count)
            }
        }
    }

    @Test("a notification that fits no packet with all its files has fewer of them")
    func packets() async throws {
        try await withHarness { harness, _ in
            let gifts = try (0..<10).map { number in try gift(String(repeating: "\(number)", count: 4096), "ID3") }
            var opening = ShownView.opening("gifts")
            opening.notification.payload = Payload([
                "aps": [:], "behave": "count", "long": .string(String(repeating: "a", count: 50_000)),
            ])
            let reports = ShownView.Reports([])
            let number = await harness.supervisor.openView(opening, gifts, of: SupervisorHarness.app) { report in
                reports.withLock { $0.append(report) }
            }
            await harness.until { _ in reports.withLock { $0.count(where: \.hasNodes) == 2 } }
            var scene = SceneTree()
            for case .scene(let update) in reports.withLock({ $0 }) { try scene.apply(update) }
            guard case .text(let text) = scene[4]?.kind else { throw CancellationError() }
            #expect(text.plain == "3")
            await harness.supervisor.closeView(try #require(number))
        }
    }

    @Test("a view has thirty open files, and all views have 256")
    func places() throws {
        let places = GiftPlaces()
        let files = try (0..<10).map { try gift("\($0)", "ID3") }
        var held: [[ViewAttachment]] = []
        for view in 1...9 as ClosedRange<UInt64> {
            for _ in 1...4 { held.append(files.admitted(to: places, of: view)) }
        }
        #expect(held.map(\.count).reduce(0, +) == GiftPlaces.limit)
        #expect(held.prefix(4).map(\.count) == [10, 10, 10, 0])
        held.removeFirst()
        let again = files.admitted(to: places, of: 1)
        #expect(again.map(\.identifier) == files.map(\.identifier))
    }

    @Test("files that the view has not taken in stay, however many notifications come")
    func shelf() throws {
        let file = try gift("a", "ID3")
        var shelf = GiftShelf()
        for event in 0...3 as ClosedRange<UInt64> {
            let old = shelf.begin(event: event, acknowledged: 0)
            #expect(old == [])
            shelf.add(file, at: "tmp/shown-\(event).mp3")
        }
        #expect(shelf.gift(at: "tmp/shown-1.mp3") == file)
        let old = shelf.begin(event: 4, acknowledged: 3)
        #expect(old == ["tmp/shown-0.mp3", "tmp/shown-1.mp3"])
        #expect(shelf.paths == ["tmp/shown-2.mp3", "tmp/shown-3.mp3"])
        #expect(shelf.gift(at: "tmp/shown-1.mp3") == nil)
    }

    @Test("words behind a notification with files wait for it, in their order")
    func order() async throws {
        try await withHarness { harness, _ in
            let view = try #require(await ShownView("gifts", harness))
            _ = try await text(of: view, after: 1)
            let newer = ShownView.opening("gifts").notification
            await harness.supervisor.pass(
                .notification(newer),
                [try gift("a", "ID3")],
                numbered: 1,
                toView: view.number
            )
            let slid = ViewWord.event(.node(3, .value(.number(0.5))))
            await harness.supervisor.pass(slid, numbered: 2, toView: view.number)
            await view.until { $0.acknowledged.contains(2) }
            #expect(view.all.acknowledged == [1, 2])
            #expect(try view.text(4) == #"[["a", "public.mp3", "ID3"]]"#)
        }
    }

    @Test("a number that does not rise is ignored while the files of the notification before it are on their way")
    func numbers() async throws {
        try await withHarness { harness, _ in
            let view = try #require(await ShownView("gifts", harness))
            _ = try await text(of: view, after: 1)
            let newer = ViewWord.notification(ShownView.opening("gifts").notification)
            let slid = ViewWord.event(.node(3, .value(.number(0.5))))
            let files = [try gift("a", "ID3")]
            await view.pass([(newer, files, 5), (slid, [], 5), (slid, [], 3), (slid, [], 6)], in: harness.supervisor)
            await view.until { $0.acknowledged.contains(6) }
            #expect(view.all.acknowledged == [5, 6])
        }
    }

    @Test("a file that is shorter or longer than it says is left out, and the log says so without its name")
    func unfit() async throws {
        let lines = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in RecordingHandler(lines: lines, logLevel: .debug) }
        try await withHarness(logger: logger) { harness, _ in
            let gifts = [
                try gift("short-canary", "ID3", claiming: 4), try gift("long-canary", "ID3 one", claiming: 3),
                try gift("whole", "ID3"),
            ]
            let view = try #require(await ShownView("gifts", gifts: gifts, harness))
            #expect(try await text(of: view, after: 1) == #"[["whole", "public.mp3", "ID3"]]"#)
            let said = lines.withLock { $0 }
            #expect(said.count { $0.contains("file of the notification not given to the view") } == 2)
            #expect(!said.contains { $0.contains("canary") })
        }
    }

    @Test("a newer notification before the view is open takes the place of the first one and its files")
    func amended() async throws {
        try await withHarness { harness, _ in
            let newer = ViewWord.notification(ShownView.opening("gifts").notification)
            let (number, reports) = await ShownView.open(
                ShownView.opening("gifts"),
                [try gift("old", "ID3")],
                andPass: newer,
                [try gift("new", "ID3 new")],
                in: harness.supervisor
            )
            await harness.until { _ in
                reports.withLock { $0.count(where: \.hasNodes) == 2 }
            }
            var scene = SceneTree()
            for case .scene(let update) in reports.withLock({ $0 }) { try scene.apply(update) }
            guard case .text(let text) = scene[4]?.kind else { throw CancellationError() }
            #expect(text.plain == #"[["new", "public.mp3", "ID3 new"]]"#)
            await harness.supervisor.closeView(number)
        }
    }
}

extension [ViewReport] {
    /// The numbers of the events that the view has taken in, in the order in which it says so.
    fileprivate var acknowledged: [UInt64] {
        compactMap { if case .scene(let update) = $0 { update.acknowledged } else { nil } }
    }
}

extension ShownView {
    /// Passes words with their files and numbers on, in one turn of the loop.
    fileprivate func pass(
        _ words: [(word: ViewWord, files: [ViewAttachment], number: UInt64)],
        in supervisor: isolated WorkerSupervisor
    ) {
        for (word, files, number) in words { supervisor.pass(word, files, numbered: number, toView: self.number) }
    }

    /// Opens a view with files and passes a newer notification on, in one turn of the loop.
    fileprivate static func open(
        _ opening: ViewOpening,
        _ files: [ViewAttachment],
        andPass word: ViewWord,
        _ more: [ViewAttachment],
        in supervisor: isolated WorkerSupervisor
    ) -> (number: UInt64, reports: Reports) {
        let reports = Reports([])
        let opened = supervisor.openView(opening, files, of: SupervisorHarness.app) { report in
            reports.withLock { $0.append(report) }
        }
        supervisor.pass(word, more, numbered: 1, toView: opened ?? 0)
        return (opened ?? 0, reports)
    }
}
