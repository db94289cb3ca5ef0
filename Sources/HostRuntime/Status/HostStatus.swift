// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The status of a running host for its operator, put together from its metrics.
package struct HostStatus: Sendable {
    private let metrics: HostMetrics
    private let readiness: Readiness
    private let activity: (any ActivityReporting)?
    private let clock: HostClock
    private let start: Duration

    /// Make it when the host starts: it counts the time from then on.
    package init(metrics: HostMetrics, readiness: Readiness, activity: (any ActivityReporting)?, clock: HostClock) {
        self.metrics = metrics
        self.readiness = readiness
        self.activity = activity
        self.clock = clock
        start = clock.now
    }

    /// Source: docs/operate.md, "How do I watch a host?".
    package var json: JSONObject {
        get async {
            let activity = await activity?.activity
            var object: JSONObject = [
                "state": .string(readiness.state.rawValue),
                "keepsState": .bool(readiness.keepsState),
                "uptimeSeconds": .integer((clock.now - start).components.seconds),
                "backlog": [
                    "pushes": .integer(Int64(metrics.pushes.backlog.value)),
                    "bytes": .integer(Int64(metrics.pushes.backlogBytes.value)),
                    "oldestMilliseconds": .integer(Int64(metrics.pushes.backlogOldest.value / 1_000_000)),
                ],
                "journal": [
                    "bytes": .integer(Int64(metrics.journal.bytes.value)),
                    "synchronous": .integer(Int64(metrics.journal.synchronous.value)),
                ],
                "outboxes": .array(outboxes),
                "connections": .object(connections),
            ]
            if let activity { Self.add(activity, to: &object) }
            return object
        }
    }

    /// The metrics as text, those of the extensions included.
    package var text: MetricsText {
        get async {
            var text = MetricsText()
            metrics.write(to: &text)
            await activity?.activity.write(to: &text)
            return text
        }
    }

    package var state: Readiness.State { readiness.state }

    /// `{"state":"ready","keepsState":true}`.
    package var readinessJSON: JSONObject {
        ["state": .string(readiness.state.rawValue), "keepsState": .bool(readiness.keepsState)]
    }

    private var outboxes: [JSON] {
        let dead = Dictionary(metrics.outbox.deadLetters.all.map { ($0.labels, $0.metric.value) }) { $1 }
        let inFlight = Dictionary(metrics.outbox.inFlight.all.map { ($0.labels, $0.metric.value) }) { $1 }
        return metrics.outbox.records.all.map { labels, records in
            [
                "sink": .string(labels.first ?? ""),
                "records": .integer(Int64(records.value)),
                "inFlight": .integer(Int64(inFlight[labels] ?? 0)),
                "deadLetters": .integer(Int64(dead[labels] ?? 0)),
            ]
        }
    }

    private var connections: JSONObject {
        var object: JSONObject = [:]
        for (labels, gauge) in metrics.ingress.connections.all {
            object[labels.first ?? ""] = .integer(Int64(gauge.value))
        }
        return object
    }

    private static func add(_ activity: HostActivity, to object: inout JSONObject) {
        object["workers"] = [
            "starting": .integer(Int64(activity.workers.starting)),
            "ready": .integer(Int64(activity.workers.ready)),
            "serving": .integer(Int64(activity.workers.serving)),
            "retiring": .integer(Int64(activity.workers.retiring)),
            "waiting": .integer(Int64(activity.waiting)),
        ]
        var apps: JSONObject = [:]
        for (app, counts) in activity.apps.sorted(by: { $0.key < $1.key }) {
            var rows: JSONObject = [:]
            for (name, value) in counts.rows { rows[name] = .integer(Int64(value)) }
            apps[app] = .object(rows)
        }
        object["apps"] = .object(apps)
    }
}

extension HostActivity {
    /// The same numbers as in `status`, with the app's bundle identifier, which the configuration gives.
    func write(to text: inout MetricsText) {
        text.describe("nestbox_workers", type: "gauge", help: "Worker processes by what they are at.")
        let workers = [
            ("starting", workers.starting), ("ready", workers.ready), ("serving", workers.serving),
            ("retiring", workers.retiring),
        ]
        for (state, count) in workers {
            text.append(MetricName("nestbox_workers", labels: [("state", state)]), "\(count)")
        }
        text.describe("nestbox_worker_waits", type: "gauge", help: "Notifications that wait for a worker.")
        text.append(MetricName("nestbox_worker_waits"), "\(waiting)")
        let events = "nestbox_extension_events_total"
        text.describe(events, type: "counter", help: "What the extensions of an app did.")
        for (app, counts) in apps.sorted(by: { $0.key < $1.key }) {
            for (event, count) in counts.rows {
                text.append(MetricName(events, labels: [("app", app), ("event", event)]), "\(count)")
            }
        }
    }
}
