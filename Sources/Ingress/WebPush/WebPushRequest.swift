// SPDX-License-Identifier: Apache-2.0

internal import NotificationPayload

/// The head of a request as a Web Push sender sent it, reduced to what decides about a push; nothing is judged yet.
package struct WebPushRequest: Sendable, Equatable {
    /// A header that may stand once.
    package enum Field: Sendable, Equatable {
        case absent
        /// The header's value, without spaces around it.
        case once(String)
        case repeated

        fileprivate mutating func add(_ value: String) {
            self = self == .absent ? .once(value.trimmingSpaces) : .repeated
        }
    }

    package var method: String
    /// The path with its query, if there is one.
    package var path: String
    package private(set) var authorization = Field.absent
    package private(set) var timeToLive = Field.absent
    package private(set) var topic = Field.absent
    package private(set) var urgency = Field.absent
    package private(set) var contentEncoding = Field.absent
    /// Bytes announced; nil when absent or no number.
    package private(set) var contentLength: Int?

    package init(method: String, path: String) {
        self.method = method
        self.path = path
    }

    /// Takes one header, its name in lower case; one that decides nothing is dropped.
    package mutating func add(_ name: String, _ value: String) {
        switch name {
        case "authorization": authorization.add(value)
        case "ttl": timeToLive.add(value)
        case "topic": topic.add(value)
        case "urgency": urgency.add(value)
        case "content-encoding": contentEncoding.add(value)
        case "content-length": contentLength = Int(value)
        default: break
        }
    }

    /// The capability that the path names; nil: it names none.
    ///
    /// 27 characters of base64url behind `/push/`, and nothing else.
    package var capability: Substring.UTF8View? {
        guard path.hasPrefix(WebPushOrigin.subscriptionPath) else { return nil }
        let capability = path.utf8.dropFirst(WebPushOrigin.subscriptionPath.utf8.count)
        guard capability.count == WebPushOrigin.capabilityLength, capability.allSatisfy(\.isBase64URLDigit) else {
            return nil
        }
        return capability
    }
}

extension String {
    /// The text without spaces and tabs around it, which RFC 9110, section 5.5, leaves out of a value.
    var trimmingSpaces: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard utf8.first.map(isSpace) == true || utf8.last.map(isSpace) == true else { return self }
        var rest = Substring(self).utf8
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
