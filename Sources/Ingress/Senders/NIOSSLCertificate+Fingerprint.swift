// SPDX-License-Identifier: Apache-2.0

private import Crypto
internal import NIOSSL

extension NIOSSLCertificate {
    /// SHA-256 of the certificate in DER: 64 lower-case hex digits.
    var fingerprint: String? {
        guard let bytes = try? toDERBytes() else { return nil }
        return SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
