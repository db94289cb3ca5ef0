// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The places in which an extension can keep something from one notification to the next.
enum Memory {
    /// Adds one in each place and tells the counts: in memory, in UserDefaults, in the keychain, in a file of the home.
    static func countUp(inMemory: Int) -> String {
        let defaults = UserDefaults.standard.integer(forKey: "count") + 1
        UserDefaults.standard.set(defaults, forKey: "count")
        UserDefaults.standard.synchronize()
        let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("count")
        let inHome = count(in: try? Data(contentsOf: file)) + 1
        try? Data("\(inHome)".utf8).write(to: file)
        return "\(inMemory) \(defaults) \(countUpInKeychain()) \(inHome)"
    }

    private static func countUpInKeychain() -> Int {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "count",
        ]
        var found: CFTypeRef?
        let wanted = item.merging([kSecReturnData as String: true]) { $1 }
        SecItemCopyMatching(wanted as CFDictionary, &found)
        let next = count(in: found as? Data) + 1
        SecItemDelete(item as CFDictionary)
        let new = item.merging([kSecValueData as String: Data("\(next)".utf8)]) { $1 }
        return SecItemAdd(new as CFDictionary, nil) == errSecSuccess ? next : -1
    }

    private static func count(in data: Data?) -> Int {
        data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
}
