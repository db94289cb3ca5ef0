// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Metrics

/// Everything the centre counts: its parts increment the members, and the socket for metrics tells them as text.
///
/// Labels come from closed sets or from the host's configuration: never an owner, and never a name that only an app or
/// a notification says.
package final class CenterMetrics: Sendable {
    let link: LinkMetrics
    let notifications: NotificationMetrics
    let store: StoreMetrics
    let apps: AppMetrics
    let readers: ReaderMetrics
    private let writers: [@Sendable (inout MetricsText) -> Void]

    init() {
        var catalogue = MetricCatalogue()
        link = LinkMetrics(&catalogue)
        notifications = NotificationMetrics(&catalogue)
        store = StoreMetrics(&catalogue)
        apps = AppMetrics(&catalogue)
        readers = ReaderMetrics(&catalogue)
        writers = catalogue.writers
    }

    /// All of them, in the text format of Prometheus.
    var text: String {
        var text = MetricsText()
        for writer in writers { writer(&text) }
        return text.text
    }

    /// Counts what maintenance has done.
    func count(_ upkeep: Upkeep) {
        notifications.removed[.retention].increment(by: upkeep.removed)
        apps.responses[.givenUp].increment(by: upkeep.expired.count)
    }

    /// Has the gauges ask the parts of a centre.
    func watch(_ center: Center) {
        let (data, pictures, host) = (center.store, center.pictures, center.host)
        let (announcements, appNews) = (center.announcements, center.appNews)
        link.hosts.compute { host.isAbsent ? 0 : 1 }
        store.stored.compute { data.statistics.stored }
        store.bytes.compute { data.statistics.byteCount }
        store.pending.compute { data.statistics.pending }
        store.boardBytes.compute { pictures.byteCount }
        readers.watchers.with("events").compute { announcements.watcherCount }
        readers.watchers.with("app").compute { appNews.count }
    }
}

/// The metrics of the link to the host.
struct LinkMetrics: Sendable {
    let hosts: Gauge
    /// Records that were read and have no answer yet.
    let inFlight: Gauge
    private let refused: MetricFamily<Counter>

    init(_ catalogue: inout MetricCatalogue) {
        hosts = catalogue.gauge("nestbox_center_link_hosts", "Hosts that are connected: none or one.")
        inFlight = catalogue.gauge("nestbox_center_link_inflight", "Records that were read and not answered yet.")
        refused = catalogue.counters(
            "nestbox_center_link_refused_total",
            ["reason"],
            "Records that became dead letters of the host."
        )
    }

    /// Counts a record that cannot be taken.
    func refuse(_ reason: UnfitReason) { refused.with(LabelValue(reason)).increment() }
}

/// The metrics of what is stored, and of the disk.
struct StoreMetrics: Sendable {
    private let commitSeconds: Histogram
    private let batchRows: Histogram
    let stored: Gauge
    let bytes: Gauge
    let pending: Gauge
    /// Memory of the stacks that are kept for front pages.
    let boardBytes: Gauge

    init(_ catalogue: inout MetricCatalogue) {
        commitSeconds = catalogue.histogram(
            "nestbox_center_commit_seconds",
            .seconds,
            unit: .seconds,
            "Transactions in which work was done."
        )
        batchRows = catalogue.histogram("nestbox_center_batch_rows", .rows, "Pieces of work in one transaction.")
        stored = catalogue.gauge("nestbox_center_stored", "Notifications in the lists of all owners.")
        bytes = catalogue.gauge("nestbox_center_bytes", "Their contents, those of the history included.")
        pending = catalogue.gauge("nestbox_center_pending", "Requests that wait for their triggers.")
        boardBytes = catalogue.gauge("nestbox_center_boards_bytes", "Memory of the stacks that are kept.")
    }

    /// Counts a transaction that is on the disk.
    func committed(_ count: Int, in time: Duration) {
        commitSeconds.observe(time)
        batchRows.observe(count)
    }
}

/// The metrics of what apps ask, are asked, and are told.
struct AppMetrics: Sendable {
    /// The way of a person's answer to its app.
    enum Response: String, CaseIterable {
        case answered, dismissed, completed, returned, givenUp
    }

    /// The way on which a call came.
    enum Carrier: String {
        case http
        case app
        /// A call of an app's extension, by the link.
        case link
    }

    let responses: CounterSet<Response>
    /// The time from a person's answer until an app has it.
    let responseWait: Histogram
    private let presentation: MetricFamily<Histogram>
    private let calls: MetricFamily<Counter>

    init(_ catalogue: inout MetricCatalogue) {
        responses = catalogue.counters("nestbox_center_responses_total", "result", "What became of people's answers.")
        responseWait = catalogue.histogram(
            "nestbox_center_response_wait_seconds",
            .seconds,
            unit: .seconds,
            "From a person's answer until its app has it."
        )
        presentation = catalogue.histograms(
            "nestbox_center_will_present_seconds",
            ["result"],
            .seconds,
            unit: .seconds,
            "From a question to an app in front to its answer."
        )
        calls = catalogue.counters(
            "nestbox_center_calls_total",
            ["call", "carrier", "result"],
            "Calls of apps and their extensions."
        )
    }

    /// Counts a question to an app in front, which was answered or not.
    func asked(isAnswered: Bool, after time: Duration) {
        presentation.with(isAnswered ? "answered" : "unanswered").observe(time)
    }

    func answered(_ call: CallName, by carrier: Carrier, _ answer: CallAnswer) {
        calls.with(LabelValue(call), LabelValue(carrier), answer.result).increment()
    }
}

extension CallAnswer {
    /// The word for it among the counts: a failure of the app's own making is a refusal.
    fileprivate var result: LabelValue {
        switch self {
        case .failed(.disk), .failed(.unanswered), .failed(.noHost): "failed"
        case .failed: "refused"
        case .done, .granted, .settings, .categories, .pending, .delivered, .token: "done"
        }
    }
}

/// The metrics of those who read, and of all requests over HTTP.
struct ReaderMetrics: Sendable {
    /// `kind`: `events` of owners, or connections of an `app`.
    let watchers: MetricFamily<Gauge>
    let watchersDropped: Counter
    /// The time from a commit until the first who watches has what it changed.
    private let eventSeconds: Histogram
    private let requests: MetricFamily<Counter>
    private let refused: MetricFamily<Counter>

    init(_ catalogue: inout MetricCatalogue) {
        watchers = catalogue.gauges("nestbox_center_watchers", ["kind"], "Who is told of what comes.")
        watchersDropped = catalogue.counter(
            "nestbox_center_watchers_dropped_total",
            "Streams that ended because their reader must load everything anew."
        )
        eventSeconds = catalogue.histogram(
            "nestbox_center_event_seconds",
            .seconds,
            unit: .seconds,
            "From a commit until the first who watches has it."
        )
        // Every route with every status is a few more than families have.
        requests = catalogue.counters(
            "nestbox_center_http_requests_total",
            ["route", "status"],
            limit: 512,
            "Answered requests over HTTP."
        )
        refused = catalogue.counters("nestbox_center_refused_total", ["reason"], "Requests that were refused.")
    }

    /// Counts events that are written for the first of those who watch, and that were told of at `start`.
    func wrote(since start: Duration, _ now: Duration) { eventSeconds.observe(now - start) }

    func answered(_ route: APIRoute, _ status: Int) {
        requests.with(LabelValue(route), LabelValue(status)).increment()
    }

    func refuse(_ error: APIError) { refused.with(LabelValue(known: error.reason)).increment() }
}
