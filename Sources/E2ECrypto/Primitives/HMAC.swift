// SPDX-License-Identifier: Apache-2.0

import CSodium

extension Workspace {
    /// Writes HMAC-SHA256 of `message` under `key`, 32 bytes, which may overwrite either.
    func hmac(
        key: UnsafePointer<UInt8>,
        _ keyByteCount: Int,
        message: UnsafePointer<UInt8>,
        _ messageByteCount: Int,
        to output: UnsafeMutablePointer<UInt8>
    ) {
        _ = unsafe crypto_auth_hmacsha256_init(state, key, keyByteCount)
        _ = unsafe crypto_auth_hmacsha256_update(state, message, UInt64(messageByteCount))
        _ = unsafe crypto_auth_hmacsha256_final(state, output)
    }
}
