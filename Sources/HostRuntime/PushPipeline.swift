// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

package import struct Foundation.Date

/// Takes one accepted push to its one outcome: decide, open, extend, conclude.
///
/// Source: ARCHITECTURE.md, "The life of one push".
package struct PushPipeline: Sendable {
    /// The longest time for opening, whatever the opener does: twice its answer, with a start between the two.
    static let openingLimit = Duration.seconds(15)

    private let apps: [String: HostedApp]
    private let opener: any PayloadOpening
    private let runner: any ExtensionRunning
    private let store: (any AttachmentKeeping)?
    private let files: SealedFileDelivery?
    private let clock: HostClock
    private let wallTime: @Sendable () -> Date
    /// The apps for which no extension runs; `nil` means that there are none.
    private var gates: AlertGates?
    /// The memory of opened envelopes; `nil` means that the opener's own is the only one.
    private var envelopes: (any EnvelopeMemory)?

    /// `wallTime` decides only whether a push's own expiration has passed; budgets run on `clock`.
    package init(
        apps: [HostedApp],
        opener: any PayloadOpening,
        runner: any ExtensionRunning,
        store: (any AttachmentKeeping)? = nil,
        files: SealedFileDelivery? = nil,
        clock: HostClock,
        wallTime: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.apps = Dictionary(apps.map { ($0.topic, $0) }) { first, _ in first }
        self.opener = opener
        self.runner = runner
        self.store = store
        self.files = files
        self.clock = clock
        self.wallTime = wallTime
    }

    /// The same pipeline, for which an app's extension does not run while its alerts are off.
    package func gated(by gates: AlertGates) -> PushPipeline {
        var pipeline = self
        pipeline.gates = gates
        return pipeline
    }

    /// The same pipeline, which asks a memory before it does anything with what an envelope held.
    package func remembering(in envelopes: (any EnvelopeMemory)?) -> PushPipeline {
        var pipeline = self
        pipeline.envelopes = envelopes
        return pipeline
    }

    /// Concludes a push; never throws and never loses one.
    ///
    /// Returns `nil` if the memory of envelopes says that the push is another host's now. A cancelled call concludes
    /// early with whatever the opener or the runner answers to cancellation.
    package func conclude(_ push: IncomingPush) async -> DeliveryRecord? {
        let start = clock.now
        let app = apps[push.topic]
        let texts = app?.texts ?? LocalizedTexts()
        var progress = Progress(payload: push.payload.withoutForgedEncryption.localized(by: texts))
        guard let outcome = await outcome(of: push, app: app, start: start, progress: &progress) else { return nil }
        return DeliveryRecord(
            id: push.id,
            topic: push.topic,
            owner: push.owner,
            pushType: push.pushType,
            sender: push.sender,
            identifier: push.identifier,
            date: push.receivedAt,
            outcome: outcome,
            remark: progress.remark,
            payload: progress.payload,
            attachments: progress.attachments,
            timings: .init(
                open: progress.openTime,
                wait: progress.waitTime,
                extension: progress.extensionTime,
                total: clock.now - start
            ),
            worker: progress.worker
        )
    }

    /// Lets go of the files of a record that nobody gets.
    package func discardFiles(of record: DeliveryRecord) { store?.discard(record.attachments.kept) }

    /// The state of a push on its way through the pipeline.
    private struct Progress {
        var payload: Payload
        var remark: DeliveryRecord.Remark?
        var attachments = Attachments()
        var openTime: Duration?
        var waitTime: Duration?
        var extensionTime: Duration?
        var worker: WorkerUse?
    }

    private func outcome(
        of push: IncomingPush,
        app: HostedApp?,
        start: Duration,
        progress: inout Progress
    ) async -> Outcome? {
        if push.isExpired(at: wallTime()) { return .suppressed(.expired) }
        guard push.pushType == .alert, push.payload.isMutable, push.payload.hasDisplayableAlert else {
            return .original(.notMutable)
        }
        guard let app else { return .original(.noExtension) }
        if gates?.isShut(OwnedApp(topic: push.topic, owner: push.owner)) == true { return .original(.alertsOff) }

        var isOpened = false
        var named: [NamedFile] = []
        if SealedField.first(in: push.payload.object, among: app.sealedFields) != nil {
            let result = await opener.open(
                OpenRequest(push: push, app: app.topic),
                deadline: start + Self.openingLimit
            )
            progress.openTime = clock.now - start
            switch result {
            case .opened(let payload, let usesRetiredKey, let files, let mark):
                if let mark, let envelopes {
                    switch await envelopes.remember(mark, of: push) {
                    case .own: break
                    case .replay: return .original(.refused(.replayed))
                    case .over: return nil
                    }
                }
                progress.payload = payload.localized(by: app.texts)
                named = files
                progress.remark = usesRetiredKey ? .retiredKey : nil
            case .refused(let refusal): return .original(.refused(refusal))
            case .unavailable: return .original(.openerUnavailable)
            }
            isOpened = true
        }

        let opened = clock.now
        guard let service = app.extension else {
            progress.attachments = await bring(named, for: push, app, until: opened + app.budget)
            return isOpened ? .opened : .original(.noExtension)
        }
        // Nearly every payload names no files, and then there is nothing to do beside the extension.
        let result: ExtensionResult
        if named.isEmpty {
            result = await extend(push, app, progress: &progress)
        } else {
            // Beside the extension, or for a while before it.
            let arrivals = SealedFileArrivals()
            async let brought = bring(named, for: push, app, until: opened + app.budget, arrivals)
            var given: [Attachment] = []
            if service.seesSealedFiles, let deadlines = files?.deadlines {
                given = await arrivals.wait(until: opened + (app.budget - app.grace) / 2, on: deadlines)
            }
            result = await extend(push, app, files: given, progress: &progress)
            progress.attachments = await brought
        }
        return conclude(result, service, allowsCriticalAlerts: app.allowsCriticalAlerts, progress: &progress)
    }

    private func extend(
        _ push: IncomingPush,
        _ app: HostedApp,
        files: [Attachment] = [],
        progress: inout Progress
    ) async -> ExtensionResult {
        let start = clock.now
        let request = ExtensionRequest(push: push, app: app.topic, payload: progress.payload, files: files)
        let time = ExtensionTime(wait: app.wait, budget: app.budget, grace: app.grace)
        let result = await runner.run(request, within: time)
        let end = clock.now
        progress.waitTime = (result.taken ?? end) - start
        progress.extensionTime = result.taken.map { end - $0 }
        progress.worker = result.worker
        return result
    }

    /// The files that an opened payload names, in as much time as the extension has, counted from the opening: they
    /// come while the notification waits for a worker as well as beside the extension.
    private func bring(
        _ named: [NamedFile],
        for push: IncomingPush,
        _ app: HostedApp,
        until end: Duration,
        _ arrivals: SealedFileArrivals = SealedFileArrivals()
    ) async -> Attachments {
        guard let files else { return Attachments() }
        return await files.deliver(named, of: push, app: app.topic, deadline: end, arrivals: arrivals)
    }

    /// Decides the outcome of a push from the result of its extension, and puts the content into `progress`.
    private func conclude(
        _ result: ExtensionResult,
        _ service: HostedExtension,
        allowsCriticalAlerts: Bool,
        progress: inout Progress
    ) -> Outcome {
        switch result.conclusion {
        case .failed(let failure): return .original(.failed(failure))
        case .content(let content, _) where content.isEmpty:
            store?.discard(result.attachments.kept.filter { !progress.attachments.kept.contains($0) })
            guard service.filtersNotifications else { return .original(.emptyContent) }
            store?.discard(progress.attachments.kept)
            progress.attachments = Attachments()
            return .suppressed(.filtered)
        case .content(let content, let isLate):
            progress.payload = content.authorised(by: progress.payload, allowsCriticalAlerts: allowsCriticalAlerts)
            let attachments = Self.attachments(of: result, brought: progress.attachments)
            store?.discard(progress.attachments.kept.filter { !attachments.kept.contains($0) })
            progress.attachments = attachments
            return .modified(late: isLate)
        }
    }

    /// The extension's own word on what is attached, if it has one.
    ///
    /// One that only hands on what it was given has said nothing of files that came later.
    private static func attachments(of result: ExtensionResult, brought: Attachments) -> Attachments {
        let named = result.attachments
        if named.isEmpty, result.given.isEmpty { return brought }
        guard !named.isEmpty, named.refused.isEmpty, named.kept.allSatisfy(result.given.contains) else { return named }
        let later = brought.kept.filter { !result.given.contains($0) }
        return Attachments(kept: named.kept + later, refused: brought.refused)
    }
}
