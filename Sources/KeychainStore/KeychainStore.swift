// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
package import Keychain
import Locking
import NotificationPayload

/// The keychains of all apps, a sealed file each, below the host's folder.
///
/// Shape of a file: "NBK1", 12 bytes nonce, ciphertext, 16 bytes tag: ChaCha20-Poly1305 (RFC 8439) under a key of the
/// app's own, made by HKDF-SHA256 from the key of all keychains; the app's identifier is authenticated with it. A file
/// that does not open is left as it is, and its app has no keychain until somebody looks.
package final class KeychainStore: Sendable {
    private static let magic = Data("NBK1".utf8)

    /// Longest file that is read: all items at their limits.
    static let maximumByteCount = 16 << 20

    private let folder: String?
    private let key: KeychainKey
    /// One call at a time: a change is read, made and written as one.
    private let turn: Locked<[String: KeychainItems]>

    /// Keychains in a folder of the host's alone, which must exist; nil keeps them in memory.
    package init(folder: String?, key: KeychainKey) {
        self.folder = folder
        self.key = key
        turn = Locked([:])
    }

    /// Carries out a call of an app's worker; blocks while the disk does.
    package func answer(_ call: KeychainCall, of app: String) -> KeychainAnswer {
        turn.withLock { inMemory in
            guard let folder else { return inMemory[app, default: KeychainItems()].carryOut(call) }
            guard let path = Self.path(of: app, in: folder), var items = read(path, app) else { return .failed }
            let answer = items.carryOut(call)
            guard answer == .done, KeychainItems.isChange(call) else { return answer }
            return write(items, path, app) ? .done : .failed
        }
    }

    private static func path(of app: String, in folder: String) -> String? {
        guard !app.isEmpty, !app.contains("/"), !app.utf8.contains(0), app != ".", app != ".." else { return nil }
        return "\(folder)/\(app)"
    }

    // MARK: The file

    /// Returns the app's items.
    ///
    /// `nil` means that there is a file, and it does not open.
    private func read(_ path: String, _ app: String) -> KeychainItems? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT ? KeychainItems() : nil }
        defer { close(file) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
        guard let sealed = try? handle.read(upToCount: Self.maximumByteCount + 1),
            sealed.count <= Self.maximumByteCount, sealed.starts(with: Self.magic),
            let box = try? ChaChaPoly.SealedBox(combined: sealed.dropFirst(Self.magic.count)),
            let text = try? ChaChaPoly.open(box, using: key.key(of: app), authenticating: Data(app.utf8)),
            let object = try? JSONObject(parsing: Array(text).span, depthLimit: 8)
        else { return nil }
        return KeychainItems(object)
    }

    /// A new file in the place of the old one, on the disk before this returns.
    private func write(_ items: KeychainItems, _ path: String, _ app: String) -> Bool {
        var text: [UInt8] = []
        items.json.write(to: &text)
        guard
            let box = try? ChaChaPoly.seal(text, using: key.key(of: app), authenticating: Data(app.utf8)),
            box.combined.count + Self.magic.count <= Self.maximumByteCount
        else { return false }
        return PrivateFile.replace(path, with: Self.magic + box.combined)
    }
}
