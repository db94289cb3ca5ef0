// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
package import HostRuntime
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Posts each record to a URL, signed.
///
/// One request an attempt: no redirect is followed, no cookie kept, no proxy asked. What the answer means is
/// `WebhookAnswer`'s table. At most 16 KiB of an answer's body are read, within the attempt's time, and none is kept.
/// Source: PROTOCOL.md, "Webhooks".
package final class WebhookSink: RemoteSink {
    private static let answerByteLimit = 16 << 10

    private let configuration: WebhookConfiguration
    private let client: HTTPClient
    private let wallTime: @Sendable () -> Int64

    /// Makes a client with connections of its own; end it with `close`.
    ///
    /// `wallTime` tells Unix seconds, for the receiver to judge the age of a request by.
    ///
    /// - Throws: `SinkError` when the configured authorities are no certificates.
    package init(
        _ configuration: WebhookConfiguration,
        wallTime: @escaping @Sendable () -> Int64 = WebhookSink.unixTime
    ) throws(SinkError) {
        self.configuration = configuration
        self.wallTime = wallTime
        client = HTTPClient(
            eventLoopGroup: .singletonMultiThreadedEventLoopGroup,
            configuration: try configuration.client()
        )
    }

    package var name: String { configuration.name }

    /// Closes the connections; nothing may be under way.
    package func close() async {
        try? await client.shutdown()
    }

    package func send(_ record: OutboxRecord) async -> Sending {
        let timestamp = "\(wallTime())"
        var request = HTTPClientRequest(url: configuration.url)
        request.method = .POST
        request.headers = [
            "content-type": "application/json",
            "user-agent": "nestbox",
            "nestbox-delivery": record.delivery.description,
            "nestbox-timestamp": timestamp,
            "nestbox-signature": configuration.secret.signature(of: record.record, at: timestamp),
        ]
        request.body = .bytes(record.record, length: .known(Int64(record.record.count)))
        do {
            let deadline = NIODeadline.now() + .nanoseconds(Int64(configuration.timeout.nanoseconds))
            let response = try await client.execute(request, deadline: deadline)
            await Self.drop(response.body, until: deadline)
            return WebhookAnswer.sending(
                status: Int(response.status.code),
                retryAfter: response.headers.first(name: "retry-after"),
                now: wallTime()
            )
        } catch {
            return .failed(reason: WebhookAnswer.reason(of: error), after: nil)
        }
    }

    /// Read to its end, a short one leaves the connection usable; the rest of a long or slow one closes it.
    ///
    /// The client's own deadline is over with the head, and its limit of reading begins again with each piece.
    private static func drop(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) async {
        let rest = deadline - NIODeadline.now()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await WebhookSink.drop(body) }
            group.addTask { try? await Task.sleep(for: .nanoseconds(max(0, rest.nanoseconds))) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func drop(_ body: HTTPClientResponse.Body) async {
        var byteCount = 0
        do {
            for try await part in body {
                byteCount += part.readableBytes
                if byteCount > answerByteLimit { break }
            }
        } catch {
            // The status has been heard, and that is the answer.
        }
    }
}
