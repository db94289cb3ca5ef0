// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import TestClock
import Testing

/// Sealed files that come before the extension: what it gets, for how long it waits, and whose word counts afterwards.
struct SealedFilesBeforeTests {
    private typealias FakeFiles = SealedFileDeliveryTests.FakeFiles

    private let clock = ManualClock()
    /// Identifiers of what the extension was given, once it was.
    private let given = Journal<[String]>()

    private static func attachment(_ id: String) -> HostRuntime.Attachment { SealedFileDeliveryTests.attachment(id) }

    private func conclude(
        _ files: [String],
        _ fakes: FakeFiles,
        seesSealedFiles: Bool = true,
        filters: Bool = false,
        answer: @escaping @Sendable (ExtensionRequest) -> ExtensionResult
    ) async -> DeliveryRecord {
        let deadlines = DeadlineQueue(clock: HostClock(clock))
        let runner = FakeRunner.answering { [given] request in
            given.note(request.files.map(\.identifier))
            return answer(request)
        }
        let pipeline = PushPipeline(
            apps: [.sample(filters: filters, seesSealedFiles: seesSealedFiles)],
            opener: FakeOpener {
                .opened(
                    PushPipelineTests.openedPayload,
                    files: files.map { SealedFileDeliveryTests.file($0) }
                )
            },
            runner: runner,
            store: fakes,
            files: SealedFileDelivery(fetcher: fakes, opener: fakes, store: fakes, deadlines: deadlines),
            clock: HostClock(clock),
            wallTime: { IncomingPush.received }
        )
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await deadlines.run() }
            defer { group.cancelAll() }
            let record = await pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
            #expect(deadlines.count == 0)
            return record
        }
    }

    /// Hands on these of the request's files, in its order, and its own.
    private static func answer(
        _ request: ExtensionRequest,
        handingOn names: Set<String>,
        own: [String] = []
    ) -> ExtensionResult {
        let kept = request.files.filter { names.contains($0.identifier) } + own.map(attachment)
        return ExtensionResult(
            .content(PushPipelineTests.worked, late: false),
            attachments: Attachments(kept: kept),
            given: request.files,
            worker: nil
        )
    }

    @Test func `an extension that asks for them gets all that are there at once, without a wait`() async {
        let record = await conclude(["a", "b"], FakeFiles()) { Self.answer($0, handingOn: ["a", "b"]) }
        #expect(await given.next(1) == [["a", "b"]])
        #expect(record.attachments == Attachments(kept: ["a", "b"].map(Self.attachment)))
        #expect(record.outcome == .modified(late: false))
        #expect(record.timings.total == .zero)
    }

    @Test func `an extension that does not ask gets none, and waits for none`() async {
        let fakes = FakeFiles(arrivals: ["a": .seconds(20)], clock: HostClock(clock))
        async let record = conclude(["a"], fakes, seesSealedFiles: false) { Self.answer($0, handingOn: []) }
        #expect(await given.next(1) == [[]])
        await clock.sleeper(until: .seconds(20))
        clock.advance(to: .seconds(20))
        #expect(await record.attachments == Attachments(kept: [Self.attachment("a")]))
    }

    @Test func `after half of its time it goes without, and the file comes after it`() async {
        let fakes = FakeFiles(arrivals: ["slow": .seconds(20)], clock: HostClock(clock))
        async let record = conclude(["slow"], fakes) { _ in
            ExtensionResult(.content(PushPipelineTests.worked, late: false), worker: nil)
        }
        await clock.sleeper(until: .seconds(20))
        // Budget 30 s, grace 2 s.
        await clock.sleeper(until: .seconds(14))
        clock.advance(to: .seconds(14))
        #expect(await given.next(1) == [[]])
        clock.advance(to: .seconds(20))
        #expect(await record.attachments == Attachments(kept: [Self.attachment("slow")]))
        #expect(fakes.discarded == [])
    }

    @Test func `a late file is not added to an extension's own`() async {
        let fakes = FakeFiles(arrivals: ["slow": .seconds(20)], clock: HostClock(clock))
        async let record = conclude(["slow"], fakes) { Self.answer($0, handingOn: [], own: ["own"]) }
        await clock.sleeper(until: .seconds(20))
        await clock.sleeper(until: .seconds(14))
        clock.advance(to: .seconds(14))
        _ = await given.next(1)
        clock.advance(to: .seconds(20))
        #expect(await record.attachments == Attachments(kept: [Self.attachment("own")]))
        #expect(fakes.discarded == ["slow"])
    }

    @Test func `who waits gets what came by then, in the order of the payload`() async {
        let deadlines = DeadlineQueue(clock: HostClock(clock))
        let arrivals = SealedFileArrivals()
        arrivals.add(Self.attachment("third"), at: 2)
        arrivals.add(Self.attachment("first"), at: 0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await deadlines.run() }
            async let seen = arrivals.wait(until: .seconds(14), on: deadlines)
            await clock.sleeper(until: .seconds(14))
            clock.advance(to: .seconds(14))
            #expect(await seen.map(\.identifier) == ["first", "third"])
            group.cancelAll()
        }
    }

    @Test func `a file that fails is no reason to wait`() async {
        let record = await conclude(["a", "b"], FakeFiles(["a": .notFetched])) { Self.answer($0, handingOn: ["b"]) }
        #expect(await given.next(1) == [["b"]])
        #expect(
            record.attachments
                == Attachments(
                    kept: [Self.attachment("b")],
                    refused: [.init(identifier: "a", reason: .notFetched)]
                )
        )
    }

    @Test func `of several files with one identifier the extension gets the first, and none without one`() async {
        let fakes = FakeFiles()
        let record = await conclude(["a", "", "a", "b"], fakes) { Self.answer($0, handingOn: ["a", "b"]) }
        #expect(await given.next(1) == [["a", "b"]])
        #expect(record.attachments.kept.map(\.identifier).contains(""))
        #expect(fakes.discarded == [])
    }

    // MARK: Whose word counts

    @Test(
        arguments: [
            (["a", "b"], [], ["a", "b"], []),
            (["b"], [], ["b"], ["a"]),
            ([], [], [], ["a", "b"]),
            ([], ["own"], ["own"], ["a", "b"]),
            (["a"], ["own"], ["a", "own"], ["b"]),
        ] as [([String], [String], [String], [String])]
    )
    func `what the extension hands on is delivered, and what it removed is not`(
        handedOn: [String],
        own: [String],
        kept: [String],
        discarded: [String]
    ) async {
        let fakes = FakeFiles()
        let record = await conclude(["a", "b"], fakes) { Self.answer($0, handingOn: Set(handedOn), own: own) }
        #expect(record.attachments == Attachments(kept: kept.map(Self.attachment)))
        #expect(fakes.discarded == discarded)
    }

    @Test func `a content that says nothing of files goes with all of them`() async {
        let fakes = FakeFiles()
        let record = await conclude(["a", "b"], fakes) { _ in
            ExtensionResult(.content(PushPipelineTests.worked, late: false), worker: nil)
        }
        #expect(record.attachments == Attachments(kept: ["a", "b"].map(Self.attachment)))
        #expect(fakes.discarded == [])
    }

    @Test func `a file that could not be given is added like one that came later`() async {
        let fakes = FakeFiles()
        let record = await conclude(["a", "b"], fakes) { request in
            ExtensionResult(
                .content(PushPipelineTests.worked, late: false),
                attachments: Attachments(kept: [request.files[0]]),
                given: [request.files[0]],
                worker: nil
            )
        }
        #expect(record.attachments == Attachments(kept: ["a", "b"].map(Self.attachment)))
        #expect(fakes.discarded == [])
    }

    @Test func `an extension that fails loses none of them`() async {
        let fakes = FakeFiles()
        let record = await conclude(["a"], fakes) { _ in ExtensionResult(.failed(.crashed(signal: 6)), worker: nil) }
        #expect(record.outcome == .original(.failed(.crashed(signal: 6))))
        #expect(record.attachments == Attachments(kept: [Self.attachment("a")]))
        #expect(fakes.discarded == [])
    }

    @Test(arguments: [false, true])
    func `an empty content leaves the original with its files, or nothing`(filters: Bool) async {
        let fakes = FakeFiles()
        let record = await conclude(["a"], fakes, filters: filters) { request in
            ExtensionResult(
                .content(Payload([:]), late: false),
                attachments: Attachments(kept: request.files + [Self.attachment("own")]),
                given: request.files,
                worker: nil
            )
        }
        #expect(record.outcome == (filters ? .suppressed(.filtered) : .original(.emptyContent)))
        #expect(record.attachments.kept == (filters ? [] : [Self.attachment("a")]))
        #expect(fakes.discarded == (filters ? ["a", "own"] : ["own"]))
    }
}
