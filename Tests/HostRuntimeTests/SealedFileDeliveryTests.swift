// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Locking
import NotificationPayload
import TestClock
import Testing

/// The sealed files of a payload that the host brings, and the notification with them and without.
struct SealedFileDeliveryTests {
    /// Fetches and opens what it is told to, and keeps what it gets.
    final class FakeFiles: SealedFileFetching, SealedFileOpening, AttachmentKeeping {
        let refusals: [String: AttachmentRefusal]
        /// The instants at which files have come, by their identifiers; a file without an instant comes at once.
        private let arrivals: [String: Duration]
        private let clock: HostClock
        private let state = Locked((fetched: [String](), made: [Int](), kept: [String](), discarded: [String]()))

        init(
            _ refusals: [String: AttachmentRefusal] = [:],
            arrivals: [String: Duration] = [:],
            clock: HostClock = HostClock(ManualClock())
        ) {
            self.refusals = refusals
            self.arrivals = arrivals
            self.clock = clock
        }

        var fetched: [String] { state.withLock { $0.fetched.sorted() } }
        /// Sizes of the files that were made for what is on its way.
        var made: [Int] { state.withLock { $0.made } }
        var kept: [String] { state.withLock { $0.kept.sorted() } }
        var discarded: [String] { state.withLock { $0.discarded.sorted() } }

        func fetch(
            _ file: SealedFile,
            for app: String,
            into target: @escaping @Sendable () -> HeldFile?,
            deadline: Duration
        ) async throws(AttachmentRefusal) -> HeldFile {
            state.withLock { $0.fetched.append(file.identifier) }
            if let instant = arrivals[file.identifier] { try? await clock.sleep(until: instant) }
            if let refusal = refusals[file.identifier], refusal != .notOpened { throw refusal }
            guard let target = target() else { throw .storeFailed }
            return target
        }

        func open(
            _ file: SealedFile,
            for app: String,
            from sealed: HeldFile,
            into target: @escaping @Sendable () -> HeldFile?,
            deadline: Duration
        ) async throws(AttachmentRefusal) -> HeldFile {
            if let refusal = refusals[file.identifier] { throw refusal }
            guard let target = target() else { throw .storeFailed }
            return target
        }

        func folder(for pushID: String) -> AttachmentFolder { AttachmentFolder(name: pushID) }

        func viewFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? { nil }

        func temporaryFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? {
            state.withLock { $0.made.append(byteCount) }
            return HeldFile(Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
        }

        func keep(
            _ offer: AttachmentOffer,
            from descriptor: Int32,
            in folder: AttachmentFolder
        ) async throws(AttachmentRefusal) -> HostRuntime.Attachment {
            state.withLock { $0.kept.append(offer.identifier) }
            return SealedFileDeliveryTests.attachment(offer.identifier, type: offer.type)
        }

        func open(_ attachment: HostRuntime.Attachment) -> HeldFile? { nil }

        func discard(_ attachments: [HostRuntime.Attachment]) {
            state.withLock { $0.discarded += attachments.map(\.identifier) }
        }
    }

    static func attachment(_ id: String, type: String = "public.png") -> HostRuntime.Attachment {
        HostRuntime.Attachment(identifier: id, path: "/" + id, type: type, byteCount: 1)
    }

    static func file(
        _ id: String,
        url: String? = "https://a.example/1",
        type: String? = "image/png",
        name: String? = nil,
        size: Int = 100,
        sealedSize: Int? = nil
    ) -> NamedFile {
        .sealed(
            SealedFile(
                identifier: id,
                url: url,
                type: type,
                name: name,
                byteCount: size,
                sealedByteCount: sealedSize ?? size + 49,
                number: .init(payload: 1, index: 0)
            )
        )
    }

    private static func delivery(_ fakes: FakeFiles) -> SealedFileDelivery {
        SealedFileDelivery(
            fetcher: fakes,
            opener: fakes,
            store: fakes,
            deadlines: DeadlineQueue(clock: HostClock(ManualClock()))
        )
    }

    private func deliver(_ files: [NamedFile], _ fakes: FakeFiles) async -> Attachments {
        await Self.delivery(fakes)
            .deliver(
                files,
                of: .sample(payload: PushPipelineTests.sealed),
                app: "com.example.chat",
                deadline: .seconds(30),
                arrivals: SealedFileArrivals()
            )
    }

    @Test func `what is brought stands in the order of the payload, and what is not has its reason`() async {
        let fakes = FakeFiles(["b": .notFetched, "c": .notOpened])
        let attachments = await deliver(["a", "b", "c", "d"].map { Self.file($0) } + [.unusable(.badEntry)], fakes)
        #expect(attachments.kept == ["a", "d"].map { Self.attachment($0) })
        #expect(
            attachments.refused == [
                .init(identifier: "b", reason: .notFetched), .init(identifier: "c", reason: .notOpened),
                .init(identifier: "", reason: .badEntry),
            ]
        )
        #expect(fakes.fetched == ["a", "b", "c", "d"])
        #expect(fakes.kept == ["a", "d"])
    }

    @Test func `what would be refused is not fetched`() async {
        let fakes = FakeFiles()
        let attachments = await deliver(
            [
                Self.file("no address", url: nil), Self.file("text", type: "text/plain"),
                Self.file("nameless", type: nil), Self.file("large image", size: 10 << 20 | 1),
                Self.file("by name", type: nil, name: "A.PNG"), Self.file("image", size: 10 << 20),
                Self.file("film", type: "VIDEO/mp4; codecs=x", size: 50 << 20),
                Self.file("one too many bytes", type: "public.mpeg-4", size: 5 << 20),
            ],
            fakes
        )
        #expect(attachments.refused.map(\.reason) == [.badEntry, .unknownType, .unknownType, .tooLarge, .tooLarge])
        #expect(attachments.refused.last?.identifier == "one too many bytes")
        #expect(fakes.fetched == ["by name", "film", "image"])
        #expect(attachments.kept.map(\.type) == ["public.png", "public.png", "public.mpeg-4"])
    }

    @Test func `no file is made for what is not fetched, and none of plaintext for what is not opened`() async {
        let fakes = FakeFiles(["a": .notListed, "b": .notFetched, "c": .notOpened])
        _ = await deliver(["a", "b", "c"].map { Self.file($0) }, fakes)
        #expect(fakes.made == [149])
    }

    @Test func `sizes of an opener that lies are too large, and nothing more`() async {
        let fakes = FakeFiles()
        let attachments = await deliver([Self.file("a"), Self.file("b", sealedSize: .max)], fakes)
        #expect(attachments.refused == [.init(identifier: "b", reason: .tooLarge)])
        #expect(fakes.fetched == ["a"])
    }

    @Test func `ten files are brought, and no more`() async {
        let fakes = FakeFiles()
        let attachments = await deliver((0..<12).map { Self.file("\($0)") }, fakes)
        #expect(attachments.kept.map(\.identifier) == (0..<10).map { "\($0)" })
        #expect(attachments.refused.map(\.reason) == [.tooMany, .tooMany])
    }

    // MARK: In the pipeline

    private func conclude(
        _ runner: FakeRunner,
        _ app: HostedApp = .sample(),
        _ fakes: FakeFiles
    ) async -> DeliveryRecord {
        let pipeline = PushPipeline(
            apps: [app],
            opener: FakeOpener { .opened(PushPipelineTests.openedPayload, files: [Self.file("a")]) },
            runner: runner,
            store: fakes,
            files: Self.delivery(fakes),
            clock: HostClock(ManualClock()),
            wallTime: { IncomingPush.received }
        )
        return await pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
    }

    @Test func `the files go with the content, whoever made it`() async {
        let content = PushPipelineTests.worked
        let cases: [(FakeRunner, HostedApp, Outcome)] = [
            (FakeRunner(.content(content, late: false)), .sample(), .modified(late: false)),
            (FakeRunner(.failed(.budgetExceeded)), .sample(), .original(.failed(.budgetExceeded))),
            (FakeRunner(.content(Payload([:]), late: false)), .sample(), .original(.emptyContent)),
            (FakeRunner(.failed(.launchFailed)), .sample(hasExtension: false), .opened),
        ]
        for (runner, app, outcome) in cases {
            let fakes = FakeFiles()
            let record = await conclude(runner, app, fakes)
            #expect(record.outcome == outcome)
            #expect(record.attachments == Attachments(kept: [Self.attachment("a")]))
            #expect(fakes.discarded == [])
        }
    }

    @Test func `the extension's own files come in their place`() async {
        let fakes = FakeFiles()
        let own = Attachments(kept: [Self.attachment("own")])
        let runner = FakeRunner { _ in
            ExtensionResult(.content(PushPipelineTests.worked, late: false), attachments: own, worker: nil)
        }
        #expect(await conclude(runner, .sample(), fakes).attachments == own)
        #expect(fakes.discarded == ["a"])
    }

    @Test func `a notification that is not shown keeps no file`() async {
        let fakes = FakeFiles()
        let record = await conclude(FakeRunner(.content(Payload([:]), late: false)), .sample(filters: true), fakes)
        #expect(record.outcome == .suppressed(.filtered))
        #expect(record.attachments == Attachments())
        #expect(fakes.discarded == ["a"])
    }
}
