// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// All items of an app, and what a call does to them; a pure value.
package struct KeychainItems: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var item: KeychainItem
        var secret: [UInt8]
    }

    /// In the order of keys.
    private var entries: [Entry] = []

    package init() {}

    package var count: Int { entries.count }

    /// True when a call may change the items.
    package static func isChange(_ call: KeychainCall) -> Bool {
        switch call {
        case .list, .read: false
        case .add, .replace, .remove: true
        }
    }

    /// Carries a call out; the items are as before unless the answer is `done`.
    package mutating func carryOut(_ call: KeychainCall) -> KeychainAnswer {
        switch call {
        case .list(let after): return page(after: after)
        case .read(let key): return place(of: key).map { .secret(entries[$0].secret) } ?? .absent
        case .add(let item, let secret): return insert(Entry(item: item, secret: secret))
        case .replace(let key, let item, let secret):
            guard let place = place(of: key) else { return .absent }
            guard key == item.key || self.place(of: item.key) == nil else { return .duplicate }
            let old = entries.remove(at: place)
            return insert(Entry(item: item, secret: secret ?? old.secret))
        case .remove(let key):
            guard let place = place(of: key) else { return .absent }
            entries.remove(at: place)
            return .done
        }
    }

    private func place(of key: String) -> Int? { entries.firstIndex { $0.item.key == key } }

    private mutating func insert(_ entry: Entry) -> KeychainAnswer {
        guard place(of: entry.item.key) == nil else { return .duplicate }
        guard entries.count < KeychainItem.Limit.itemCount else { return .full }
        entries.insert(entry, at: entries.firstIndex { $0.item.key > entry.item.key } ?? entries.endIndex)
        return .done
    }

    /// Returns the items that fit 32 KiB, one at least: with the longest item a packet has room for that.
    private func page(after key: String?) -> KeychainAnswer {
        let rest = entries.drop { entry in key.map { entry.item.key <= $0 } ?? false }
        var items: [KeychainItem] = []
        var byteCount = 0
        for entry in rest {
            var bytes: [UInt8] = []
            entry.item.json.write(to: &bytes)
            byteCount += bytes.count
            guard items.isEmpty || byteCount <= 32 << 10 else { return .items(items, hasMore: true) }
            items.append(entry.item)
        }
        return .items(items, hasMore: false)
    }

    // MARK: As bytes

    package var json: JSONObject {
        let items = entries.map { entry -> JSON in
            ["item": entry.item.json, "secret": .string(Base64.standard.encode(entry.secret))]
        }
        return ["items": .array(items)]
    }

    /// Reads what `json` wrote; returns `nil` for anything else.
    package init?(_ object: JSONObject) {
        guard let items = object["items"]?.array else { return nil }
        for element in items {
            guard let item = KeychainItem(element.object?["item"]?.object),
                let secret = element.object?.secret("secret"), insert(Entry(item: item, secret: secret)) == .done
            else { return nil }
        }
    }
}
