// SPDX-License-Identifier: Apache-2.0

import FoundationCompatibility
import Keychain
import NotificationPayload

/// A dictionary of a SecItem call, taken apart.
struct KeychainQuery {
    /// The class among them.
    private(set) var attributes: [String: AttributeValue] = [:]
    private(set) var secret: Data?
    private(set) var itemKey: String?
    private(set) var wantsData = false
    private(set) var wantsAttributes = false
    private(set) var wantsPersistentReference = false
    /// The largest number of items to find.
    private(set) var limit = 1

    /// The status of a call that fails: a wrong parameter, a class or result that is not there, or a broken keychain.
    struct Refusal: Error {
        let status: OSStatus
    }

    /// The classes that are kept, and what makes an item of them one beside the access group.
    private static let identity: [String: [String]] = [
        "genp": ["acct", "svce"],
        "inet": ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"],
        "keys": ["kcls", "klbl", "atag", "type", "bsiz", "esiz"],
    ]

    init(_ dictionary: CFDictionary) throws(Refusal) {
        for (key, value) in dictionary {
            guard let name = key as? String else { throw Refusal(status: errSecParam) }
            try read(name, value)
        }
        if case .text(let name)? = attributes["class"], Self.identity[name] == nil {
            throw Refusal(status: errSecUnimplemented)
        }
    }

    private mutating func read(_ name: String, _ value: Any) throws(Refusal) {
        switch name {
        case "v_Data":
            guard let data = value as? Data else { throw Refusal(status: errSecParam) }
            secret = data
        case "v_PersistentRef":
            guard let data = value as? Data else { throw Refusal(status: errSecParam) }
            itemKey = String(decoding: data, as: UTF8.self)
        case "v_Ref": throw Refusal(status: errSecUnimplemented)
        case "r_Ref":
            if Self.isTrue(value) { throw Refusal(status: errSecUnimplemented) }
        case "r_Data": wantsData = Self.isTrue(value)
        case "r_Attributes": wantsAttributes = Self.isTrue(value)
        case "r_PersistentRef": wantsPersistentReference = Self.isTrue(value)
        case "m_Limit":
            if value as? String == "m_LimitAll" {
                limit = .max
            } else if let number = value as? NSNumber {
                limit = max(1, number.intValue)
            }
        // Not synchronised is the same as nothing said.
        case "sync" where value as? String == "syna" || !Self.isTrue(value): break
        case "accc", "nleg": break
        case _ where name.hasPrefix("m_") || name.hasPrefix("u_"): break
        default:
            guard let attribute = AttributeValue(value) else { throw Refusal(status: errSecParam) }
            attributes[name] = attribute
        }
    }

    private static func isTrue(_ value: Any) -> Bool { (value as? NSNumber)?.boolValue ?? false }

    var hasClass: Bool { attributes["class"] != nil }

    /// Tells whether an item has all attributes of the query, and its key if the query names one.
    func matches(_ item: KeychainItem) -> Bool {
        if let itemKey, itemKey != item.key { return false }
        return attributes.allSatisfy { name, value in item.attributes[name].flatMap(AttributeValue.init) == value }
    }

    /// The item of these attributes; nil without a class.
    static func item(_ attributes: [String: AttributeValue]) -> KeychainItem? {
        guard case .text(let name)? = attributes["class"], let parts = identity[name] else { return nil }
        let names = ["agrp", "sync"] + parts
        let identity = JSON.array([.string(name)] + names.map { attributes[$0]?.json ?? .null })
        var key: [UInt8] = []
        identity.write(to: &key)
        let object = JSONObject(attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        return KeychainItem(key: String(decoding: key, as: UTF8.self), attributes: object)
    }
}

extension KeychainItem {
    var values: [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for member in attributes.members { values[member.key] = AttributeValue(member.value) }
        return values
    }
}
