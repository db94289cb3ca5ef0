// SPDX-License-Identifier: Apache-2.0

import Metrics
import NIOHTTP1

/// The counts of the centre as an answer: `/metrics` of the operator's socket.
struct MetricsPage {
    private let metrics: CenterMetrics

    init(_ metrics: CenterMetrics) {
        self.metrics = metrics
    }

    /// `nil` means that a request is for something else.
    func answer(to head: HTTPRequestHead) -> APIAnswer? {
        guard head.uri.prefix(while: { $0 != "?" }) == "/metrics" else { return nil }
        guard head.method == .GET || head.method == .HEAD else { return APIError.method(allowed: "GET").answer }
        return APIAnswer(.ok, Array(metrics.text.utf8), type: MetricsText.contentType)
    }
}
