// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A worker's call to its app's keychain.
///
/// Source: PROTOCOL.md, "The keychain".
package enum KeychainCall: Sendable, Equatable {
    /// The items whose keys come after a key, in the order of keys, as many as fit an answer.
    case list(after: String?)
    /// The secret of an item.
    case read(key: String)
    case add(KeychainItem, secret: [UInt8])
    /// Puts an item in the place of the one with the key; nil keeps the secret.
    case replace(key: String, with: KeychainItem, secret: [UInt8]?)
    case remove(key: String)

    package var body: JSONObject {
        switch self {
        case .list(let after):
            var body: JSONObject = ["call": "list"]
            body["after"] = after.map(JSON.string)
            return body
        case .read(let key): return ["call": "read", "key": .string(key)]
        case .add(let item, let secret):
            return ["call": "add", "item": item.json, "secret": .string(Base64.standard.encode(secret))]
        case .replace(let key, let item, let secret):
            var body: JSONObject = ["call": "replace", "key": .string(key), "item": item.json]
            body["secret"] = secret.map { .string(Base64.standard.encode($0)) }
            return body
        case .remove(let key): return ["call": "remove", "key": .string(key)]
        }
    }

    /// Reads a call; returns `nil` for what is no call, and for one beyond the limits.
    package init?(_ body: JSONObject) {
        let key = body["key"]?.string
        switch body["call"]?.string {
        case "list": self = .list(after: body["after"]?.string)
        case "read":
            guard let key else { return nil }
            self = .read(key: key)
        case "add":
            guard let item = KeychainItem(body["item"]?.object), let secret = body.secret("secret") else { return nil }
            self = .add(item, secret: secret)
        case "replace":
            guard let key, let item = KeychainItem(body["item"]?.object) else { return nil }
            let secret = body.secret("secret")
            guard secret != nil || body["secret"] == nil else { return nil }
            self = .replace(key: key, with: item, secret: secret)
        case "remove":
            guard let key else { return nil }
            self = .remove(key: key)
        default: return nil
        }
    }
}

/// The host's answer to a call to a keychain.
package enum KeychainAnswer: Sendable, Equatable {
    case items([KeychainItem], hasMore: Bool)
    case secret([UInt8])
    case done
    /// No item has that key.
    case absent
    /// An item has that key already.
    case duplicate
    /// There is no room for it.
    case full
    /// The keychain cannot be read or written, or there is none.
    case failed

    package var body: JSONObject {
        switch self {
        case .items(let items, let hasMore):
            ["answer": "items", "items": .array(items.map(\.json)), "more": .bool(hasMore)]
        case .secret(let secret): ["answer": "secret", "secret": .string(Base64.standard.encode(secret))]
        case .done: ["answer": "done"]
        case .absent: ["answer": "absent"]
        case .duplicate: ["answer": "duplicate"]
        case .full: ["answer": "full"]
        case .failed: ["answer": "failed"]
        }
    }

    /// Reads an answer; returns `nil` for what is none.
    package init?(_ body: JSONObject) {
        switch body["answer"]?.string {
        case "items":
            guard let array = body["items"]?.array, let hasMore = body["more"]?.bool else { return nil }
            let items = array.compactMap { KeychainItem($0.object) }
            guard items.count == array.count else { return nil }
            self = .items(items, hasMore: hasMore)
        case "secret":
            guard let secret = body.secret("secret") else { return nil }
            self = .secret(secret)
        case "done": self = .done
        case "absent": self = .absent
        case "duplicate": self = .duplicate
        case "full": self = .full
        case "failed": self = .failed
        default: return nil
        }
    }
}
