// SPDX-License-Identifier: Apache-2.0

import CenterLink
import HostRuntime
import Locking
import Logging
import NotificationPayload

/// A remote sink whose secrets are read; it is made once the host is confined.
struct PreparedSink: Sendable {
    let description: any RemoteSinkDescription
    let make: RemoteSinkMaker
}

/// The remote sinks of a host, as far as the life of a push knows them.
struct PreparedOutbox: Outbox {
    let descriptions: [any RemoteSinkDescription]

    func sinks(taking topic: String) -> [String] {
        descriptions.filter { $0.takes(topic: topic) }.map(\.name)
    }
}

/// The remote sinks of a host, each with its sender: records leave the journal here.
struct RemoteDelivery {
    private struct Route {
        let sender: any RecordSender
        let close: @Sendable () async -> Void
    }

    private let routes: [Route]
    /// Raised when there are records in the journal that did not come from here.
    private let othersWrote: Signal?

    /// Makes clients, and with them threads: the host must be confined already.
    ///
    /// `apps` are those of the host, `tokens` gives them device tokens, `gates` hears whose alerts are off, `calls` has
    /// what their workers ask of a notification centre, and `files` the files of records. `targetGone` is told the
    /// device token of a record whose target no longer exists, by a sink that may say so.
    init(
        _ sinks: [PreparedSink],
        apps: [AppConfiguration],
        tokens: any TokenIssuer,
        gates: AlertGates,
        calls: WorkerCalls,
        files: (any AttachmentKeeping)?,
        views: any ViewServing,
        keeping: any PushKeeping,
        targetGone: @escaping @Sendable (String) async -> Void = { _ in },
        clock: HostClock,
        metrics: HostMetrics,
        logger: Logger
    ) throws(CommandError) {
        var routes: [Route] = []
        let queue = keeping.queue
        for prepared in sinks {
            let description = prepared.description
            let site = RemoteSinkSite(
                journalName: keeping.journal?.name ?? "",
                apps: apps.filter { description.takes(topic: $0.topic) },
                tokens: tokens,
                gates: gates,
                calls: calls,
                files: files,
                views: views,
                clock: clock,
                logger: logger
            )
            switch try prepared.make(site) {
            case .sink(let sink):
                let sender = OutboxSender(
                    sink: sink,
                    journal: keeping.records,
                    settle: { await queue.settle($0) },
                    targetGone: { token in
                        if description.removesTokens { await targetGone(token) }
                    },
                    concurrency: description.concurrency,
                    clock: clock,
                    metrics: metrics,
                    logger: logger
                )
                routes.append(Route(sender: sender) { await sink.close() })
            case .stream(let stream, let limits):
                guard let journal = keeping.journal else {
                    throw CommandError("sink \"\(description.name)\" reads a journal, and a host in a fleet has none")
                }
                let sender = StreamSender(
                    stream: stream,
                    journal: journal,
                    settle: { await queue.settle($0) },
                    limits: limits,
                    clock: clock,
                    logger: logger
                )
                routes.append(Route(sender: sender) {})
            }
        }
        self.routes = routes
        othersWrote = keeping.othersWrote
    }

    /// There are new records in the journal.
    func wake() {
        for route in routes { route.sender.wake() }
    }

    /// Sends until `drain`, or until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await wakeForOthers() }
            await withDiscardingTaskGroup { senders in
                for route in routes { senders.addTask { await route.sender.run() } }
            }
            group.cancelAll()
        }
        await close()
    }

    /// Closes what was made, of a host that does not send after all.
    func close() async {
        for route in routes { await route.close() }
    }

    private func wakeForOthers() async {
        while let othersWrote, !Task.isCancelled {
            await othersWrote.wait()
            wake()
        }
    }

    /// `run` returns when nothing is due any more, and after `limit` at the latest; the rest stays in the journal.
    func drain(within limit: Duration) {
        for route in routes { route.sender.drain(within: limit) }
    }
}

/// Whatever takes records out of the journal for one sink.
private protocol RecordSender: Sendable {
    func wake()
    func run() async
    func drain(within limit: Duration)
}

extension OutboxSender: RecordSender {}
extension StreamSender: RecordSender {}
