// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// An item of an app's keychain without its secret.
package struct KeychainItem: Sendable, Equatable {
    package enum Limit {
        package static let keyByteCount = 4096
        /// The limit of the attributes, in bytes of JSON.
        package static let attributeByteCount = 8192
        package static let secretByteCount = 16_384
        package static let itemCount = 256
    }

    /// The item's identity: two items of an app never share a key.
    package var key: String
    /// The attributes that module Security wrote; nobody else reads them.
    package var attributes: JSONObject

    package init(key: String, attributes: JSONObject) {
        self.key = key
        self.attributes = attributes
    }

    var json: JSON { ["key": .string(key), "attributes": .object(attributes)] }

    /// Reads an item; returns `nil` unless key and attributes are there, within the limits.
    init?(_ object: JSONObject?) {
        guard let object, let key = object["key"]?.string, let attributes = object["attributes"]?.object else {
            return nil
        }
        self.init(key: key, attributes: attributes)
        guard isWithinLimits else { return nil }
    }

    package var isWithinLimits: Bool {
        var bytes: [UInt8] = []
        attributes.write(to: &bytes)
        return !key.isEmpty && key.utf8.count <= Limit.keyByteCount && bytes.count <= Limit.attributeByteCount
    }
}

extension JSONObject {
    /// Bytes in base64; nil for anything else, and for more than a secret may have.
    func secret(_ name: String) -> [UInt8]? {
        guard let text = self[name]?.string, let bytes = Base64.standard.decode(text),
            bytes.count <= KeychainItem.Limit.secretByteCount
        else { return nil }
        return bytes
    }
}
