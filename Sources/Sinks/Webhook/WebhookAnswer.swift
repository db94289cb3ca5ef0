// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
private import Glibc
internal import HostRuntime
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// The rules that turn the end of a request into the outcome of its record.
///
/// With a status of 2xx the record is delivered; with 410 its target is gone; with other statuses of 4xx, but for 408,
/// 425 and 429, it is refused. After everything else a later attempt may succeed: 5xx, a redirect that nobody follows,
/// a connection that did not come about.
enum WebhookAnswer {
    static func sending(status: Int, retryAfter: String?, now: Int64) -> Sending {
        let reason = "status \(status)"
        switch status {
        case 200..<300: return .delivered
        case 410: return .gone(reason: reason)
        case 408, 425, 429: return .failed(reason: reason, after: wait(retryAfter, now: now))
        case 400..<500: return .refused(reason: reason)
        default: return .failed(reason: reason, after: wait(retryAfter, now: now))
        }
    }

    /// `Retry-After`: seconds, or a date; nil when it is neither or lies in the past.
    ///
    /// Source: RFC 9110, 10.2.3 and 5.6.7, IMF-fixdate.
    static func wait(_ text: String?, now: Int64) -> Duration? {
        guard let text, text.utf8.count <= 64 else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text).map { min($0, 1 << 32) } ?? 1 << 32)
        }
        guard let seconds = date(text).map({ $0 - now }), seconds > 0 else { return nil }
        return .seconds(seconds)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` in Unix seconds.
    private static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", let day = Int32(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(where: { $0 == parts[2] }), let year = Int32(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int32($0) }
        guard clock.count == 3, zip(clock, [24, 60, 61]).allSatisfy({ $0 >= 0 && $0 < $1 }) else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, Int32(month), day)
        (time.tm_hour, time.tm_min, time.tm_sec) = (clock[0], clock[1], clock[2])
        return Int64(timegm(&time))
    }

    /// Returns a word of a closed set, so that what the other side says about itself does not get into logs.
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: reason(of: error)
        case is CancellationError: "cancelled"
        case is NIOConnectionError: "no connection"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: "TLS failed"
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        default: "request failed"
        }
    }

    private static func reason(of error: HTTPClientError) -> String {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout: "no connection in time"
        case .deadlineExceeded, .readTimeout, .writeTimeout: "no answer in time"
        case .remoteConnectionClosed: "connection closed"
        case .cancelled: "cancelled"
        default: "request failed"
        }
    }
}
