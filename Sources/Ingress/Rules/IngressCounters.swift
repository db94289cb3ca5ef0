// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The counters of one listener's connections, on its event loop; each is looked up in the metrics once.
final class IngressCounters {
    private struct Answer: Hashable {
        let source: LabelValue
        let status: Int
        let reason: String
    }

    let metrics: IngressMetrics
    private var answers: [Answer: Counter] = [:]
    /// The answer that was counted last, which most equal.
    private var last: (answer: Answer, counter: Counter)?
    private var quirks: [Quirk: Counter] = [:]
    private var tokenChecks: [String: Counter] = [:]

    init(_ metrics: IngressMetrics) {
        self.metrics = metrics
    }

    /// Counts an answer so many nanoseconds after the request's headers; without a `reason` it was accepted.
    func answered(_ source: LabelValue, status: Int, reason: String?, after nanoseconds: Int) {
        let key = Answer(source: source, status: status, reason: reason ?? "none")
        counter(of: key).increment()
        metrics.acceptSeconds.observe(nanoseconds)
        if status == 410 { metrics.unregisteredAnswers.increment() }
    }

    private func counter(of answer: Answer) -> Counter {
        if let last, last.answer == answer { return last.counter }
        let counter =
            answers[answer]
            ?? metrics.requests.with(answer.source, LabelValue(answer.status), LabelValue(known: answer.reason))
        answers[answer] = counter
        last = (answer, counter)
        return counter
    }

    func saw(_ seen: [Quirk]) {
        for quirk in seen {
            let counter = quirks[quirk] ?? metrics.quirks.with(LabelValue(quirk))
            quirks[quirk] = counter
            counter.increment()
        }
    }

    /// `result` is of a closed set: `cached`, `valid`, or a reason.
    func checkedToken(_ result: String) {
        let counter = tokenChecks[result] ?? metrics.providerTokenChecks.with(LabelValue(known: result))
        tokenChecks[result] = counter
        counter.increment()
    }
}
