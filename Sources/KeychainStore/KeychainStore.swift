// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
package import Keychain
import Locking
import NotificationPayload

/// The keychains of all apps and their owners, a sealed file each, below the host's folder.
///
/// Shape of a file: "NBK1", 12 bytes nonce, ciphertext, 16 bytes tag: ChaCha20-Poly1305 (RFC 8439) under a key of the
/// keychain's own, made by HKDF-SHA256 from the key of all keychains; the names of app and owner are authenticated with
/// it. A file that does not open is left as it is, and its owner has no keychain of the app until somebody looks.
package final class KeychainStore: Sendable {
    private static let magic = Data("NBK1".utf8)

    /// Longest file that is read: all items at their limits.
    static let maximumByteCount = 16 << 20

    private let folder: String?
    private let key: KeychainKey
    /// One call at a time: a change is read, made and written as one.
    private let turn: Locked<[KeychainName: KeychainItems]>

    /// Keychains below the host's folder, in folders that must exist; nil keeps them in memory.
    package init(folder: String?, key: KeychainKey) {
        self.folder = folder
        self.key = key
        turn = Locked([:])
    }

    /// Carries out a call of a worker of an app's owner; blocks while the disk does.
    ///
    /// `owner` is `nil` for the app's first one.
    package func answer(_ call: KeychainCall, of app: String, owner: String? = nil) -> KeychainAnswer {
        guard let name = KeychainName(app: app, owner: owner) else { return .failed }
        return turn.withLock { inMemory in
            guard let folder else { return inMemory[name, default: KeychainItems()].carryOut(call) }
            let path = name.path(in: folder)
            guard var items = read(path, name) else { return .failed }
            let answer = items.carryOut(call)
            guard answer == .done, KeychainItems.isChange(call) else { return answer }
            return write(items, path, name) ? .done : .failed
        }
    }

    // MARK: The file

    /// Returns the keychain's items.
    ///
    /// `nil` means that there is a file, and it does not open.
    private func read(_ path: String, _ name: KeychainName) -> KeychainItems? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT ? KeychainItems() : nil }
        defer { close(file) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
        guard let sealed = try? handle.read(upToCount: Self.maximumByteCount + 1),
            sealed.count <= Self.maximumByteCount, sealed.starts(with: Self.magic),
            let box = try? ChaChaPoly.SealedBox(combined: sealed.dropFirst(Self.magic.count)),
            let text = try? ChaChaPoly.open(box, using: key.key(of: name), authenticating: name.identity),
            let object = try? JSONObject(parsing: Array(text).span, depthLimit: 8)
        else { return nil }
        return KeychainItems(object)
    }

    /// A new file in the place of the old one, on the disk before this returns.
    private func write(_ items: KeychainItems, _ path: String, _ name: KeychainName) -> Bool {
        var text: [UInt8] = []
        items.json.write(to: &text)
        guard
            let box = try? ChaChaPoly.seal(text, using: key.key(of: name), authenticating: name.identity),
            box.combined.count + Self.magic.count <= Self.maximumByteCount
        else { return false }
        return PrivateFile.replace(path, with: Self.magic + box.combined)
    }
}
