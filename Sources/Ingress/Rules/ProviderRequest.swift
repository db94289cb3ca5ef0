// SPDX-License-Identifier: Apache-2.0

/// The head of a request as a provider sent it, reduced to what decides about a push; nothing is judged yet.
///
/// The first value of a header sent twice stands, and `repeatsHeader` is set.
package struct ProviderRequest: Sendable, Equatable {
    package var method: String
    /// The path with its query, if there is one.
    package var path: String
    package var authorization: String?
    package var id: String?
    package var topic: String?
    package var pushType: String?
    package var priority: String?
    package var expiration: String?
    package var collapseID: String?
    /// Bytes announced; nil when absent or no number.
    package var contentLength: Int?
    /// `authorization` or a header of APNs stands here more than once.
    package private(set) var repeatsHeader = false

    private var otherHeaders: [String] = []

    package init(method: String, path: String) {
        self.method = method
        self.path = path
    }

    /// Takes one header, its name in lower case; one that decides nothing is dropped.
    package mutating func add(_ name: String, _ value: String) {
        switch name {
        case "apns-id": set(\.id, to: value)
        case "apns-topic": set(\.topic, to: value)
        case "apns-push-type": set(\.pushType, to: value)
        case "apns-priority": set(\.priority, to: value)
        case "apns-expiration": set(\.expiration, to: value)
        case "apns-collapse-id": set(\.collapseID, to: value)
        case "content-length": contentLength = Int(value)
        case "authorization": set(\.authorization, to: value)
        default:
            guard name.hasPrefix("apns-") else { return }
            if otherHeaders.contains(name) { repeatsHeader = true } else { otherHeaders.append(name) }
        }
    }

    private mutating func set(_ header: WritableKeyPath<Self, String?>, to value: String) {
        if self[keyPath: header] == nil { self[keyPath: header] = value } else { repeatsHeader = true }
    }

    /// The sender's `apns-id` where a response may repeat it: 1…128 printable ASCII bytes, well formed or not.
    package var repeatableID: String? {
        guard let id, (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        return id
    }
}
