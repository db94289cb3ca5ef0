// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Crypto
import NotificationPayload

/// A secret by which somebody is known: random, told once, and stored as its hash.
package struct Secret {
    /// The word that begins a token, so that one which is lost somewhere is recognised.
    static let tokenPrefix = "nbt_"

    package let text: String

    /// Makes a secret: 16 random bytes of a code, 32 of anything else.
    init(_ kind: Credential.Kind) {
        let key = SymmetricKey(size: SymmetricKeySize(bitCount: kind == .code ? 128 : 256))
        let random = key.withUnsafeBytes { Base64.url.encode(Array($0)) }
        text = kind == .token ? Self.tokenPrefix + random : random
    }

    /// Takes what a caller presents.
    init(presented text: String) {
        self.text = text
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

extension Credential {
    /// The name by which a credential is listed and removed: the beginning of its hash.
    var id: String { Hexadecimal.encode(Array(hash.prefix(8))) }
}
