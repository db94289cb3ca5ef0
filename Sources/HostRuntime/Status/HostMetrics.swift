// SPDX-License-Identifier: Apache-2.0

/// Everything the host counts: its parts increment the members, the admin port reads them as text.
///
/// One for a host; a part that was given none counts in one of its own that nobody reads. Labels come from closed sets
/// or from the configuration, never from a push.
package final class HostMetrics: Sendable {
    package let ingress: IngressMetrics
    package let journal: JournalMetrics
    package let pushes: PushMetrics
    package let outbox: OutboxMetrics
    package let fleet: FleetMetrics
    private let writers: [@Sendable (inout MetricsText) -> Void]

    package init() {
        var catalogue = MetricCatalogue()
        ingress = IngressMetrics(&catalogue)
        journal = JournalMetrics(&catalogue)
        pushes = PushMetrics(&catalogue)
        outbox = OutboxMetrics(&catalogue)
        fleet = FleetMetrics(&catalogue)
        writers = catalogue.writers
    }

    /// All of them, in the text format of Prometheus.
    package func write(to text: inout MetricsText) {
        for writer in writers { writer(&text) }
    }
}

/// The metrics of the requests that arrive, and of the answers to their senders.
package struct IngressMetrics: Sendable {
    /// `source` (`apns`, `web-push`, `ndjson`), `status`, `reason` (`none` when accepted).
    package let requests: MetricFamily<Counter>
    /// `rule`: `id` or `body`.
    package let duplicates: MetricFamily<Counter>
    /// `quirk`: what a lenient listener let pass.
    package let quirks: MetricFamily<Counter>
    /// `protocol`: `h2`, `h2c`, `http1`, `socket`.
    package let connections: MetricFamily<Gauge>
    package let streams: Gauge
    /// `reason`.
    package let goaways: MetricFamily<Counter>
    package let bodyBytes: Histogram
    /// `result`: `cached`, `valid`, or why it was refused.
    package let providerTokenChecks: MetricFamily<Counter>
    package let unregisteredAnswers: Counter
    /// The time from the headers of a request to its answer.
    package let acceptSeconds: Histogram

    init(_ catalogue: inout MetricCatalogue) {
        requests = catalogue.counters(
            "nestbox_ingress_requests_total",
            ["source", "status", "reason"],
            "Answered requests."
        )
        duplicates = catalogue.counters("nestbox_ingress_duplicates_total", ["rule"], "Repeats of a known push.")
        quirks = catalogue.counters("nestbox_ingress_quirks_total", ["quirk"], "Deviations that were let pass.")
        connections = catalogue.gauges("nestbox_ingress_connections", ["protocol"], "Open connections.")
        streams = catalogue.gauge("nestbox_ingress_streams", "Open HTTP/2 streams.")
        goaways = catalogue.counters("nestbox_ingress_goaway_total", ["reason"], "Connections told to end.")
        bodyBytes = catalogue.histogram("nestbox_ingress_body_bytes", .bytes, "Bodies of requests.")
        providerTokenChecks = catalogue.counters(
            "nestbox_provider_token_checks_total",
            ["result"],
            "Checks of a sender's token."
        )
        unregisteredAnswers = catalogue.counter(
            "nestbox_unregistered_answers_total",
            "Pushes to device tokens that were removed."
        )
        acceptSeconds = catalogue.histogram(
            "nestbox_accept_seconds",
            .seconds,
            unit: .seconds,
            "From the headers of a request to its answer."
        )
    }
}

/// The disk.
package struct JournalMetrics: Sendable {
    package let commitSeconds: Histogram
    package let batchRows: Histogram
    package let checkpointSeconds: Summary
    /// The database with its log.
    package let bytes: Gauge
    /// Memory of the host in which pushes of the last day are known.
    package let keyBytes: Gauge
    /// SQLite's `synchronous` as it reads back: 2, or what was acknowledged may be lost.
    package let synchronous: Gauge

    init(_ catalogue: inout MetricCatalogue) {
        commitSeconds = catalogue.histogram(
            "nestbox_journal_commit_seconds",
            .seconds,
            unit: .seconds,
            "Transactions of the journal."
        )
        batchRows = catalogue.histogram(
            "nestbox_journal_batch_rows",
            .rows,
            "Arrivals, endings and settlements in one transaction."
        )
        checkpointSeconds = catalogue.summary(
            "nestbox_journal_checkpoint_seconds",
            unit: .seconds,
            "Checkpoints of the journal's log."
        )
        bytes = catalogue.gauge("nestbox_journal_bytes", "Size of the journal on the disk.")
        keyBytes = catalogue.gauge("nestbox_journal_key_bytes", "Memory in which the newest pushes are known.")
        synchronous = catalogue.gauge("nestbox_journal_synchronous", "SQLite's synchronous; must be 2.")
    }
}

/// Pushes between acceptance and outcome.
package struct PushMetrics: Sendable {
    package let backlog: Gauge
    package let backlogBytes: Gauge
    /// The time that the oldest push without an outcome has waited.
    package let backlogOldest: Gauge
    /// `outcome`, `reason` (`none` where it needs none).
    private let outcomes: MetricFamily<Counter>
    /// `outcome`.
    private let seconds: MetricFamily<Histogram>
    /// The time from acceptance to the start.
    package let laneWaitSeconds: Histogram
    package let expired: Counter

    init(_ catalogue: inout MetricCatalogue) {
        backlog = catalogue.gauge("nestbox_backlog_pushes", "Accepted pushes without an outcome.")
        backlogBytes = catalogue.gauge("nestbox_backlog_bytes", "Bodies of those.")
        backlogOldest = catalogue.gauge("nestbox_backlog_oldest_seconds", unit: .seconds, "Age of the oldest of those.")
        outcomes = catalogue.counters("nestbox_outcomes_total", ["outcome", "reason"], "Concluded pushes.")
        seconds = catalogue.histograms(
            "nestbox_push_seconds",
            ["outcome"],
            .seconds,
            unit: .seconds,
            "From acceptance to outcome."
        )
        laneWaitSeconds = catalogue.histogram(
            "nestbox_lane_wait_seconds",
            .seconds,
            unit: .seconds,
            "From acceptance to the start of the push."
        )
        expired = catalogue.counter("nestbox_expired_total", "Pushes whose own expiration passed before they started.")
    }

    /// Counts a push that has its outcome, `duration` after it was accepted.
    package func concluded(_ outcome: Outcome, after duration: Duration) {
        let name = LabelValue(known: outcome.name)
        outcomes.with(name, outcome.reason.map { LabelValue(known: $0) } ?? "none").increment()
        seconds.with(name).observe(duration)
        if outcome == .suppressed(.expired) { expired.increment() }
    }
}

/// Records on their way to remote sinks; `sink` is the name the configuration gives it.
package struct OutboxMetrics: Sendable {
    /// Records that wait.
    package let records: MetricFamily<Gauge>
    /// `result`: `delivered`, `failed`, `refused`, `gone`, `givenUp`.
    package let attempts: MetricFamily<Counter>
    package let attemptSeconds: MetricFamily<Histogram>
    package let inFlight: MetricFamily<Gauge>
    package let deadLetters: MetricFamily<Gauge>

    init(_ catalogue: inout MetricCatalogue) {
        records = catalogue.gauges("nestbox_outbox_records", ["sink"], "Records that wait for a remote sink.")
        attempts = catalogue.counters(
            "nestbox_outbox_attempts_total",
            ["sink", "result"],
            "Attempts to hand one over."
        )
        attemptSeconds = catalogue.histograms(
            "nestbox_outbox_attempt_seconds",
            ["sink"],
            .seconds,
            unit: .seconds,
            "Time of an attempt."
        )
        inFlight = catalogue.gauges("nestbox_outbox_in_flight", ["sink"], "Attempts that are under way.")
        deadLetters = catalogue.gauges("nestbox_dead_letters", ["sink"], "Records that were given up and are kept.")
    }
}

/// The host's part in a fleet; a host without one has zeros.
package struct FleetMetrics: Sendable {
    /// 1 while the host has a session.
    package let member: Gauge
    package let partitions: Gauge
    /// `from`: `free`, or `gone` of a host that was.
    package let taken: MetricFamily<Counter>
    /// `reason`: `fenced`, `unheard`.
    package let sessionsEnded: MetricFamily<Counter>

    init(_ catalogue: inout MetricCatalogue) {
        member = catalogue.gauge("nestbox_fleet_member", "1 while the host is a member of its fleet.")
        partitions = catalogue.gauge("nestbox_fleet_partitions", "Partitions of the fleet that this host holds.")
        taken = catalogue.counters("nestbox_fleet_partitions_taken_total", ["from"], "Partitions that it took.")
        sessionsEnded = catalogue.counters(
            "nestbox_fleet_sessions_ended_total",
            ["reason"],
            "Sessions that ended against the host's will."
        )
    }
}
