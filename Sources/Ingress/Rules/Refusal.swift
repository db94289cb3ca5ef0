// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Date

/// A refusal as one sender gets it: reason, status and what only this answer carries.
///
/// Each interface has a table of its own reasons; on the way out they are alike.
package struct Refusal: Error, Sendable, Equatable {
    /// The text in the answer, in logs and in metrics; one of a closed set.
    package let reason: String
    package let status: Int
    /// Seconds the sender should wait; nil where a repeat would be refused again.
    package let retryAfter: Int?
    /// The further headers that the status demands, names in lower case.
    package let headers: [String: String]
    /// The response's body.
    package let json: String

    package init(reason: String, status: Int, retryAfter: Int?, headers: [String: String] = [:], json: String) {
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
        self.headers = headers
        self.json = json
    }

    func addHeaders(to headers: inout some AnswerHeaders) {
        headers.add("content-type", "application/json")
        headers.add("content-length", String(json.utf8.count))
        if let retryAfter { headers.add("retry-after", String(retryAfter)) }
        for (name, value) in self.headers { headers.add(name, value) }
    }
}

extension Refusal {
    package init(_ reason: RefusalReason) {
        self.init(reason, retryAfter: reason.retryAfter)
    }

    /// Makes a refusal with another wait than the reason's.
    package init(_ reason: RefusalReason, retryAfter: Int?) {
        self.init(reason: reason.rawValue, status: reason.status, retryAfter: retryAfter, json: reason.json)
    }

    /// 410: the token was removed at `date`, which a sender compares with its own registration.
    ///
    /// The timestamp counts whole milliseconds, since clients parse an integer and nothing else.
    /// Source: Apple, "Handling notification responses from APNs".
    package init(unregisteredAt date: Date) {
        let reason = RefusalReason.unregistered
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        self.init(
            reason: reason.rawValue,
            status: reason.status,
            retryAfter: nil,
            json: #"{"reason":"\#(reason.rawValue)","timestamp":\#(milliseconds)}"#
        )
    }
}
