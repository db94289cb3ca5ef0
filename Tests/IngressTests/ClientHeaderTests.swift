// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

/// The headers that clients send, and the metrics that count their requests.
struct ClientHeaderTests {
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `every client is taken, and its quirks counted`(_ transport: Transport) async throws {
        for client in ClientHeaders.all {
            let metrics = HostMetrics()
            try await withIngress(transport, authentication: TestSender.authentication, metrics: metrics) {
                _,
                address in
                try await withClient(transport, to: address) { send in
                    var request = client.request
                    // The client of these tests adds its own.
                    let own = [":authority", "host", "content-length"]
                    if transport == .http1 { request.headers.removeAll { own.contains($0.0) } }
                    let response = try await send(request)
                    #expect(response.status == 200, "\(client): \(response.body)")
                    if let id = request.headers.first(where: { $0.0 == "apns-id" })?.1 {
                        #expect(response.headers["apns-id"] == id)
                    }
                }
            }
            for quirk in Quirk.allCases {
                let count = metrics.value("nestbox_ingress_quirks_total{quirk=\"\(quirk.rawValue)\"}")
                #expect(count == (client.quirks.contains(quirk) ? "1" : nil), "\(client): \(quirk)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `answers, checks and connections are counted`(_ transport: Transport) async throws {
        let metrics = HostMetrics()
        let labels = [Transport.h2c: "h2c", .tls: "h2", .http1: "http1"]
        let connections = "nestbox_ingress_connections{protocol=\"\(labels[transport] ?? "")\"}"
        try await withIngress(transport, authentication: TestSender.authentication, metrics: metrics) { _, address in
            try await withClient(transport, to: address) { send in
                let good = PushRequest().authorized()
                for request in [good, good, good.with("apns-id", "42"), PushRequest().authorized("bearer x")] {
                    _ = try await send(request)
                }
                #expect(metrics.value(connections) == "1")
            }
        }
        let requests = "nestbox_ingress_requests_total{source=\"apns\",status="
        #expect(metrics.value(requests + "\"200\",reason=\"none\"}") == "2")
        #expect(metrics.value(requests + "\"400\",reason=\"BadMessageId\"}") == "1")
        #expect(metrics.value(requests + "\"403\",reason=\"InvalidProviderToken\"}") == "1")
        let checks = "nestbox_provider_token_checks_total{result="
        #expect(metrics.value(checks + "\"valid\"}") == "1")
        #expect(metrics.value(checks + "\"cached\"}") == "2")
        #expect(metrics.value(checks + "\"InvalidProviderToken\"}") == "1")
        #expect(metrics.value("nestbox_accept_seconds_count") == "4")
        #expect(metrics.value("nestbox_ingress_body_bytes_count") == "2")
        #expect(metrics.value(connections) == "0")
        #expect(metrics.value("nestbox_ingress_streams") == "0")
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a push that is known is answered like the first`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor(.repeated(id: Fixture.id.lowercased()))
        try await withIngress(transport, acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(PushRequest().with("apns-id", Fixture.id))
                #expect(response.status == 200)
                #expect(response.body.isEmpty)
                #expect(response.headers["apns-id"] == Fixture.id)
            }
        }
    }
}

extension HostMetrics {
    /// A value of the text that Prometheus reads; nil when it is not there.
    func value(_ name: String) -> String? {
        var text = MetricsText()
        write(to: &text)
        return text.text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }
}
