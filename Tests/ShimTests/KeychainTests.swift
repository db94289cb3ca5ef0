// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Keychain
import Security
import Testing

extension LogTests {
    /// Tests that have, besides the log, the keychain of the process to themselves; outside a worker it is in memory.
    struct KeychainTests {
        init() {
            HostKeychain.redirect(to: nil)
            _ = recordingLog { SecItemDelete([kSecClass as String: kSecClassGenericPassword] as CFDictionary) }
        }

        private func add(_ account: String, _ secret: String, service: String = "chat") -> OSStatus {
            let attributes: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrSynchronizable as String: false,
                kSecValueData as String: Data(secret.utf8),
            ]
            return SecItemAdd(attributes as CFDictionary, nil)
        }

        private func secret(_ account: String, service: String = "chat") -> String? {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            var item: CFTypeRef?
            guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let data = item as? Data else {
                return nil
            }
            return String(decoding: data, as: UTF8.self)
        }

        @Test func `a password is added, found, changed and removed`() {
            #expect(add("alice", "one") == errSecSuccess)
            #expect(add("alice", "two") == errSecDuplicateItem)
            #expect(add("alice", "other", service: "mail") == errSecSuccess)
            #expect(secret("alice") == "one")
            #expect(secret("bob") == nil)

            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "chat", kSecAttrAccount: "alice",
            ]
            let change = [kSecValueData as String: Data("two".utf8)] as CFDictionary
            #expect(SecItemUpdate(query as CFDictionary, change) == errSecSuccess)
            #expect(secret("alice") == "two")
            #expect(secret("alice", service: "mail") == "other")

            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            #expect(SecItemDelete(query as CFDictionary) == errSecItemNotFound)
            #expect(SecItemUpdate(query as CFDictionary, change) == errSecItemNotFound)
            #expect(secret("alice") == nil)
        }

        @Test func `all items come as a list of attributes, with their secrets where asked for`() throws {
            for name in ["b", "a", "c"] { #expect(add(name, "secret \(name)") == errSecSuccess) }
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecMatchLimit as String: kSecMatchLimitAll,
                kSecReturnAttributes as String: true,
                kSecReturnData as String: kCFBooleanTrue as Any,
            ]
            var result: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            let items = try #require(result as? [[String: Any]])
            #expect(items.map { $0[kSecAttrAccount as String] as? String } == ["a", "b", "c"])
            #expect(items.first?[kSecValueData as String] as? Data == Data("secret a".utf8))
            #expect(items.first?[kSecAttrAccessible as String] as? String == "ck")
            #expect(items.first?[kSecAttrCreationDate as String] is Date)
        }

        @Test func `a persistent reference finds its item`() throws {
            let attributes: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: "example.com",
                kSecAttrPort as String: 443,
                kSecValueData as String: Data("x".utf8),
                kSecReturnPersistentRef as String: true,
            ]
            var reference: AnyObject?
            #expect(SecItemAdd(attributes as CFDictionary, &reference) == errSecSuccess)
            let data = try #require(reference as? Data)
            var found: AnyObject?
            let query: [String: Any] = [kSecValuePersistentRef as String: data, kSecReturnData as String: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found as? Data == Data("x".utf8))
            #expect(SecItemDelete([kSecValuePersistentRef as String: data] as CFDictionary) == errSecSuccess)
        }

        @Test func `a key is kept as bytes, by its tag`() {
            let tag = Data("com.example.key".utf8)
            let attributes: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag,
                kSecValueData as String: Data([1, 2, 3]),
            ]
            #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
            let query: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag,
                kSecReturnData as String: true,
            ]
            var item: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
            #expect(item as? Data == Data([1, 2, 3]))
            #expect(SecItemDelete([kSecClass as String: kSecClassKey] as CFDictionary) == errSecSuccess)
        }

        @Test func `what is not there is refused, and so is what does not fit`() {
            let reference = [kSecClass as String: kSecClassKey, kSecReturnRef as String: true] as CFDictionary
            #expect(SecItemCopyMatching(reference, nil) == errSecUnimplemented)
            let certificate = [kSecClass as String: kSecClassCertificate] as CFDictionary
            #expect(SecItemAdd(certificate, nil) == errSecUnimplemented)
            #expect(SecItemAdd([kSecAttrAccount as String: "a"] as CFDictionary, nil) == errSecParam)
            #expect(SecItemCopyMatching([kSecAttrAccount as String: "a"] as CFDictionary, nil) == errSecParam)
            #expect(add("large", String(repeating: "x", count: 16_385)) == errSecAllocate)
            #expect(add(String(repeating: "x", count: 9000), "a") == errSecAllocate)
            #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) != nil)
        }

        @Test func `a host that fails is an input error, and one that has no room says so`() {
            HostKeychain.redirect { _ in .failed }
            #expect(add("a", "b") == errSecIO)
            #expect(secret("a") == nil)
            HostKeychain.redirect { _ in .full }
            #expect(add("a", "b") == errSecAllocate)
            HostKeychain.redirect(to: nil)
        }

        @Test func `more items than fit an answer come in several`() throws {
            let filler = String(repeating: "f", count: 1000)
            for number in 0..<60 { #expect(add("\(number)", "s", service: filler) == errSecSuccess) }
            var result: AnyObject?
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecReturnAttributes as String: true,
                kSecMatchLimit as String: kSecMatchLimitAll,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect((result as? [Any])?.count == 60)
        }

        @Test func `without a host the log says once that items are kept in memory`() {
            let lines = recordingLog { _ = add("a", "b") }
            #expect(lines.count <= 1)
            #expect(lines.allSatisfy { $0.message.hasPrefix("no host keeps a keychain") })
        }
    }
}

struct SecRandomTests {
    @Test func `random bytes fill their place, each time with others`() {
        var first = [UInt8](repeating: 0, count: 32)
        var second = first
        #expect(SecRandomCopyBytes(kSecRandomDefault, first.count, &first) == errSecSuccess)
        #expect(SecRandomCopyBytes(kSecRandomDefault, second.count, &second) == errSecSuccess)
        #expect(first != second)
        #expect(SecRandomCopyBytes(nil, 1, nil) == errSecParam)
    }
}
