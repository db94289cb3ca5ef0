// SPDX-License-Identifier: Apache-2.0

public import FoundationCompatibility
import Keychain

// The keychain of the app. The host keeps it, one for each app, encrypted on its disk: all extensions of the app share
// it, whatever the access group, and no other app reads it. Each call asks the host and waits for the answer.

/// Adds an item, a password of the app's own or of a server, or a key as bytes.
///
/// `errSecDuplicateItem` when one is there that Apple counts as the same; `errSecAllocate` beyond 256 items of an app,
/// 16 KiB of a secret or 8 KiB of attributes; `errSecIO` when the host cannot read or write its file.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    KeychainCalls.status { () throws(KeychainQuery.Refusal) in
        let query = try KeychainQuery(attributes)
        let now = AttributeValue.date(Date().timeIntervalSinceReferenceDate)
        let values = query.attributes.merging(["cdat": now, "mdat": now]) { given, _ in given }
        guard let item = KeychainQuery.item(values) else { return errSecParam }
        guard item.isWithinLimits else { return errSecAllocate }
        let secret = [UInt8](query.secret ?? Data())
        guard secret.count <= KeychainItem.Limit.secretByteCount else { return errSecAllocate }
        let status = KeychainCalls.status(of: .add(item, secret: secret))
        if status == errSecSuccess, let result, let object = query.result(of: item, { Data(secret) }) {
            unsafe result.pointee = object
        }
        return status
    }
}

/// Finds items: the first one, or all of them with `kSecMatchLimitAll`, as secret, attributes or both.
///
/// `errSecItemNotFound` when none matches. All items are readable at any time: there is no lock screen.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    KeychainCalls.status { () throws(KeychainQuery.Refusal) in
        let query = try KeychainQuery(query)
        guard query.hasClass || query.itemKey != nil else { return errSecParam }
        let found = try KeychainCalls.items(matching: query).prefix(query.limit)
        guard !found.isEmpty else { return errSecItemNotFound }
        var objects: [AnyObject] = []
        for item in found {
            var secret = Data()
            if query.wantsData {
                // Another extension of the app may have taken it away meanwhile.
                guard case .secret(let bytes) = HostKeychain.answer(to: .read(key: item.key)) else { continue }
                secret = Data(bytes)
            }
            if let object = query.result(of: item, { secret }) { objects.append(object) }
        }
        guard let result, query.wantsData || query.wantsAttributes || query.wantsPersistentReference else {
            return errSecSuccess
        }
        guard !objects.isEmpty else { return errSecItemNotFound }
        unsafe result.pointee = query.limit == 1 ? objects[0] : objects as NSArray
        return errSecSuccess
    }
}

/// Changes all items that match.
///
/// `errSecItemNotFound` when none does; `errSecDuplicateItem` when one would become the same as another.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    KeychainCalls.status { () throws(KeychainQuery.Refusal) in
        let query = try KeychainQuery(query)
        let change = try KeychainQuery(attributesToUpdate)
        guard query.hasClass || query.itemKey != nil, !change.hasClass else { return errSecParam }
        let secret = change.secret.map { [UInt8]($0) }
        guard secret.map({ $0.count <= KeychainItem.Limit.secretByteCount }) ?? true else { return errSecAllocate }
        let found = try KeychainCalls.items(matching: query)
        guard !found.isEmpty else { return errSecItemNotFound }
        for item in found {
            var values = item.values.merging(change.attributes) { $1 }
            if change.attributes["mdat"] == nil { values["mdat"] = .date(Date().timeIntervalSinceReferenceDate) }
            guard let changed = KeychainQuery.item(values), changed.isWithinLimits else { return errSecAllocate }
            let status = KeychainCalls.status(of: .replace(key: item.key, with: changed, secret: secret))
            guard status == errSecSuccess else { return status }
        }
        return errSecSuccess
    }
}

/// Removes all items that match; `errSecItemNotFound` when none does.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    KeychainCalls.status { () throws(KeychainQuery.Refusal) in
        let query = try KeychainQuery(query)
        guard query.hasClass || query.itemKey != nil else { return errSecParam }
        let found = try KeychainCalls.items(matching: query)
        guard !found.isEmpty else { return errSecItemNotFound }
        for item in found {
            let status = KeychainCalls.status(of: .remove(key: item.key))
            guard status == errSecSuccess || status == errSecItemNotFound else { return status }
        }
        return errSecSuccess
    }
}

enum KeychainCalls {
    static func status(_ body: () throws(KeychainQuery.Refusal) -> OSStatus) -> OSStatus {
        do { return try body() } catch { return error.status }
    }

    static func status(of call: KeychainCall) -> OSStatus {
        switch HostKeychain.answer(to: call) {
        case .done, .items, .secret: errSecSuccess
        case .absent: errSecItemNotFound
        case .duplicate: errSecDuplicateItem
        case .full: errSecAllocate
        case .failed: errSecIO
        }
    }

    /// All items of the query, in the order of the keychain.
    static func items(matching query: KeychainQuery) throws(KeychainQuery.Refusal) -> [KeychainItem] {
        var found: [KeychainItem] = []
        var last: String?
        while true {
            guard case .items(let items, let hasMore) = HostKeychain.answer(to: .list(after: last)) else {
                throw KeychainQuery.Refusal(status: errSecIO)
            }
            found += items.filter(query.matches)
            guard hasMore, let next = items.last?.key else { return found }
            last = next
        }
    }
}

extension KeychainQuery {
    /// Returns the object that the caller asked for; nil if it asked for none.
    fileprivate func result(of item: KeychainItem, _ secret: () -> Data) -> AnyObject? {
        let reference = Data(item.key.utf8) as NSData
        guard wantsAttributes || wantsData && wantsPersistentReference else {
            if wantsData { return secret() as NSData }
            return wantsPersistentReference ? reference : nil
        }
        var values: [String: Any] = wantsAttributes ? item.values.mapValues(\.value) : [:]
        if wantsData { values["v_Data"] = secret() as NSData }
        if wantsPersistentReference { values["v_PersistentRef"] = reference }
        return values as NSDictionary
    }
}
