// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NIOCore
import NIOHTTP1
import NotificationPayload

@testable import CenterLink
@testable import CenterServing

/// The API of a bench's centre, asked without a socket.
extension Bench {
    /// Returns the status and the body of an answer; status 0 is a stream, and 404 also a target that cannot be read.
    func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String? = nil,
        headers: HTTPHeaders = [:]
    ) async throws -> (status: UInt, body: JSONObject) {
        var headers = headers
        if body != nil { headers.add(name: "content-type", value: "application/json") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        guard let request = APIRequest(head, body: Array((body ?? "").utf8)) else { return (404, [:]) }
        guard case .answer(let answer) = await api().reply(to: request) else { return (0, [:]) }
        return (answer.status.code, try Self.object(of: answer))
    }

    /// The object in the body of an answer; an empty one where there is no body.
    static func object(of answer: APIAnswer) throws -> JSONObject {
        var bytes: [UInt8] = []
        for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
            bytes += Array(buffer: buffer)
        }
        return bytes.isEmpty ? [:] : try JSONObject(parsing: bytes.span, depthLimit: 64)
    }

    /// Has the centre take these records, in their order.
    func deliver(_ records: [OutboxRecord]) async throws {
        try await withLink { link in
            for record in records { _ = await link.send(record) }
            _ = await link.answers(to: records.count)
        }
    }
}

extension CenterAPI {
    /// Answers the owner, who may do everything.
    func reply(to request: APIRequest) async -> Reply { await reply(to: request, as: .full(owner)) }
}
