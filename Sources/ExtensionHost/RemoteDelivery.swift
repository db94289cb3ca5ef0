// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import NotificationPayload
import Sinks

/// The remote sinks of a host, each with its sender: records leave the journal here.
struct RemoteDelivery {
    private struct Route {
        let webhook: HostConfiguration.Webhook
        let sink: WebhookSink
        let sender: OutboxSender
    }

    private let routes: [Route]

    /// Makes clients, and with them threads: the host must be confined already.
    ///
    /// `targetGone` is told the device token of a record whose target no longer exists.
    init(
        _ configuration: HostConfiguration,
        _ webhooks: [WebhookConfiguration],
        queue: PushQueue,
        targetGone: @escaping @Sendable (String) async -> Void = { _ in },
        clock: HostClock,
        metrics: Metrics,
        logger: Logger
    ) throws(CommandError) {
        var routes: [Route] = []
        for (webhook, settings) in zip(configuration.webhooks, webhooks) {
            let sink: WebhookSink
            do { sink = try WebhookSink(settings, journalName: queue.journal.name) } catch {
                throw CommandError(error.message)
            }
            let sender = OutboxSender(
                sink: sink,
                journal: queue.journal,
                settle: { await queue.settle($0) },
                targetGone: targetGone,
                concurrency: webhook.concurrency,
                clock: clock,
                metrics: metrics,
                logger: logger
            )
            routes.append(Route(webhook: webhook, sink: sink, sender: sender))
        }
        self.routes = routes
    }

    /// The end of a push for the journal: its record goes to the sinks that take its topic.
    func conclusion(of push: IncomingPush, _ record: DeliveryRecord) -> Conclusion {
        let sinks = routes.map(\.webhook).filter { $0.takes(topic: record.topic) }.map(\.name)
        return Conclusion(
            number: push.number ?? 0,
            record: sinks.isEmpty ? nil : record.json.serialized,
            deviceToken: push.deviceToken,
            sinks: sinks
        )
    }

    /// There are new records in the journal.
    func wake() {
        for route in routes { route.sender.wake() }
    }

    /// Sends until `drain`, or until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for route in routes { group.addTask { await route.sender.run() } }
        }
        for route in routes { await route.sink.close() }
    }

    /// `run` returns when nothing is due any more, and after `limit` at the latest; the rest stays in the journal.
    func drain(within limit: Duration) {
        for route in routes { route.sender.drain(within: limit) }
    }
}
