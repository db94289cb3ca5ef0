// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct HostMetricsTests {
    private enum Source: String { case apns }
    private enum End: String, CaseIterable { case taken, lost }

    private func lines(_ metrics: HostMetrics, about name: String) -> [String] {
        var text = MetricsText()
        metrics.write(to: &text)
        return text.text.split(separator: "\n").map(String.init).filter { $0.contains(name) }
    }

    @Test func `a counter tells what it is, then its samples, in the order of their labels`() {
        let metrics = HostMetrics()
        metrics.ingress.requests.with(LabelValue(Source.apns), LabelValue(400), "BadTopic").increment()
        metrics.ingress.requests.with(LabelValue(Source.apns), LabelValue(200), "none").increment(by: 2)
        metrics.ingress.requests.with("apns", LabelValue(200), "none").increment()
        #expect(
            lines(metrics, about: "nestbox_ingress_requests_total") == [
                "# HELP nestbox_ingress_requests_total Answered requests.",
                "# TYPE nestbox_ingress_requests_total counter",
                #"nestbox_ingress_requests_total{source="apns",status="200",reason="none"} 3"#,
                #"nestbox_ingress_requests_total{source="apns",status="400",reason="BadTopic"} 1"#,
            ]
        )
    }

    @Test func `a gauge is set, moved, or asked for`() {
        let metrics = HostMetrics()
        metrics.pushes.backlog.set(5)
        metrics.pushes.backlog.add(-2)
        metrics.pushes.backlogOldest.set(.milliseconds(1500))
        metrics.journal.bytes.compute { 4096 }
        #expect(lines(metrics, about: "nestbox_backlog_pushes").last == "nestbox_backlog_pushes 3")
        #expect(lines(metrics, about: "nestbox_backlog_oldest").last == "nestbox_backlog_oldest_seconds 1.5")
        #expect(lines(metrics, about: "nestbox_journal_bytes").last == "nestbox_journal_bytes 4096")
    }

    @Test func `a histogram counts up to each bound, the bound included`() {
        let metrics = HostMetrics()
        for amount in [1, 2, 3, 4, 300] { metrics.journal.batchRows.observe(amount) }
        #expect(
            lines(metrics, about: "nestbox_journal_batch_rows").dropFirst(2) == [
                #"nestbox_journal_batch_rows_bucket{le="1"} 1"#, #"nestbox_journal_batch_rows_bucket{le="2"} 2"#,
                #"nestbox_journal_batch_rows_bucket{le="4"} 4"#, #"nestbox_journal_batch_rows_bucket{le="8"} 4"#,
                #"nestbox_journal_batch_rows_bucket{le="16"} 4"#, #"nestbox_journal_batch_rows_bucket{le="32"} 4"#,
                #"nestbox_journal_batch_rows_bucket{le="64"} 4"#, #"nestbox_journal_batch_rows_bucket{le="128"} 4"#,
                #"nestbox_journal_batch_rows_bucket{le="256"} 4"#, #"nestbox_journal_batch_rows_bucket{le="+Inf"} 5"#,
                "nestbox_journal_batch_rows_sum 310", "nestbox_journal_batch_rows_count 5",
            ]
        )
    }

    @Test func `durations are told in seconds`() {
        let metrics = HostMetrics()
        metrics.journal.commitSeconds.observe(.microseconds(1200))
        metrics.journal.commitSeconds.observe(.seconds(60))
        let text = lines(metrics, about: "nestbox_journal_commit_seconds")
        #expect(text.contains(#"nestbox_journal_commit_seconds_bucket{le="0.0001"} 0"#))
        #expect(text.contains(#"nestbox_journal_commit_seconds_bucket{le="0.001"} 0"#))
        #expect(text.contains(#"nestbox_journal_commit_seconds_bucket{le="0.002"} 1"#))
        #expect(text.contains(#"nestbox_journal_commit_seconds_bucket{le="30"} 1"#))
        #expect(
            text.suffix(2) == ["nestbox_journal_commit_seconds_sum 60.0012", "nestbox_journal_commit_seconds_count 2"]
        )
    }

    @Test func `what a part counts itself is asked for`() {
        let metrics = HostMetrics()
        metrics.journal.checkpointSeconds.compute { (3, 1_500_000) }
        metrics.ingress.duplicates.with("id").compute { 7 }
        #expect(
            lines(metrics, about: "nestbox_journal_checkpoint_seconds").dropFirst() == [
                "# TYPE nestbox_journal_checkpoint_seconds summary", "nestbox_journal_checkpoint_seconds_sum 0.0015",
                "nestbox_journal_checkpoint_seconds_count 3",
            ]
        )
        #expect(metrics.ingress.duplicates.with("id").value == 7)
    }

    @Test func `an outcome is counted with its reason, and one that expired besides`() {
        let metrics = HostMetrics()
        metrics.pushes.concluded(.modified(late: true), after: .seconds(1))
        metrics.pushes.concluded(.suppressed(.expired), after: .seconds(1))
        #expect(
            lines(metrics, about: "nestbox_outcomes_total").dropFirst(2) == [
                #"nestbox_outcomes_total{outcome="modified",reason="none"} 1"#,
                #"nestbox_outcomes_total{outcome="suppressed",reason="expired"} 1"#,
            ]
        )
        #expect(lines(metrics, about: "nestbox_expired_total").last == "nestbox_expired_total 1")
        #expect(metrics.pushes.expired.value == 1)
    }

    @Test func `a name of the operator's cannot break a line`() {
        let metrics = HostMetrics()
        metrics.outbox.records.with(LabelValue(configured: "a\"b\\c\nd")).set(1)
        #expect(lines(metrics, about: "nestbox_outbox_records").last == #"nestbox_outbox_records{sink="a\"b\\c\nd"} 1"#)
    }

    @Test func `labels beyond the limit are one`() {
        let metrics = HostMetrics()
        for number in 0..<300 { metrics.ingress.goaways.with(LabelValue(number)).increment() }
        let text = lines(metrics, about: "nestbox_ingress_goaway_total").dropFirst(2)
        #expect(text.count == 257)
        #expect(text.contains(#"nestbox_ingress_goaway_total{reason="other"} 44"#))
    }

    @Test func `counters of a closed set are there before anything is counted`() {
        var catalogue = MetricCatalogue()
        let ends: CounterSet<End> = catalogue.counters("ends_total", "end", "Ends.")
        ends[.taken].increment(by: 2)
        var text = MetricsText()
        for writer in catalogue.writers { writer(&text) }
        #expect(
            text.text == """
                # HELP ends_total Ends.
                # TYPE ends_total counter
                ends_total{end="lost"} 0
                ends_total{end="taken"} 2

                """
        )
    }

    @Test func `nothing is lost between threads`() async {
        let metrics = HostMetrics()
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 {
                        metrics.ingress.unregisteredAnswers.increment()
                        metrics.ingress.bodyBytes.observe(100)
                    }
                }
            }
        }
        #expect(metrics.ingress.unregisteredAnswers.value == 80_000)
        #expect(metrics.ingress.bodyBytes.count == 80_000)
    }
}
