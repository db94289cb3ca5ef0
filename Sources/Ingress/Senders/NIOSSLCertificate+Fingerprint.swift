// SPDX-License-Identifier: Apache-2.0

private import Crypto
internal import NIOSSL
internal import NotificationPayload

extension NIOSSLCertificate {
    /// SHA-256 of the certificate in DER: 64 lower-case hex digits.
    var fingerprint: String? {
        guard let bytes = try? toDERBytes() else { return nil }
        return Hexadecimal.encode(SHA256.hash(data: bytes))
    }
}
