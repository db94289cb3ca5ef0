// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The key that all keychains of a host are sealed under: 32 random bytes in a file of its own.
///
/// A copy of the keychains is of no use without that file.
package struct KeychainKey: Sendable {
    private let secret: SymmetricKey

    private init(_ secret: SymmetricKey) {
        self.secret = secret
    }

    /// A key that goes with the process.
    package static func temporary() -> KeychainKey { KeychainKey(SymmetricKey(size: .bits256)) }

    /// The path of a key file, and the reason for which it cannot be used.
    package struct Failure: Error, Equatable {
        package let path: String
        package let reason: String
    }

    /// Reads the key file, or makes it, mode 0600.
    ///
    /// Errors: it cannot be read or made; others may read it; it has not 32 bytes.
    package init(file path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        if file < 0, errno == ENOENT {
            let key = SymmetricKey(size: .bits256)
            guard PrivateFile.replace(path, with: key.withUnsafeBytes { Data($0) }) else {
                throw Failure(path: path, reason: "cannot be made")
            }
            self.init(key)
            return
        }
        guard file >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(path: path, reason: "is no regular file")
        }
        guard facts.st_mode & 0o077 == 0 else { throw Failure(path: path, reason: "can be read by others") }
        let bytes = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).read(upToCount: 33)
        guard let bytes, bytes.count == 32 else { throw Failure(path: path, reason: "has not 32 bytes") }
        self.init(SymmetricKey(data: bytes))
    }

    func key(of name: KeychainName) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: Data("nestbox keychain 1".utf8),
            info: name.identity,
            outputByteCount: 32
        )
    }
}
