// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import UserNotifications

struct Keychain {
    let service: String

    func save(_ data: Data, account: String) -> OSStatus {
        var query = base(account)
        SecItemDelete(query as CFDictionary)
        query[kSecValueData as String] = data
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(query as CFDictionary, nil)
    }

    func load(account: String) -> Data? {
        var query = base(account)
        query[kSecReturnData as String] = kCFBooleanTrue!
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? Data
    }

    private func base(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }
}

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let keychain = Keychain(service: "com.example.chat.keys")
        let missing = keychain.load(account: "push") == nil

        var bytes = [UInt8](repeating: 0, count: 32)
        let made = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess && bytes.contains { $0 != 0 }
        let saved = keychain.save(Data(bytes), account: "push")
        content.subtitle = "\(missing) \(made) \(saved) \(keychain.load(account: "push") == Data(bytes))"
        contentHandler(content)
    }
}
