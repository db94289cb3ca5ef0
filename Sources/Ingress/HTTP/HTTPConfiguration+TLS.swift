// SPDX-License-Identifier: Apache-2.0

private import HTTPServing
private import NIOHTTP2
internal import NIOSSL

extension HTTPConfiguration {
    /// Reads the certificate chain and its key from the files that the configuration names; `nil` means plaintext.
    func makeTLS() throws(IngressError) -> NIOSSLContext? {
        guard case .tls(let certificate, let key) = security else { return nil }
        do throws(TLSFileError) {
            return try TLSFiles(certificate: certificate, key: key).context { tls in
                tls.applicationProtocols = NIOHTTP2SupportedALPNProtocols
                if authentication?.asksForCertificates == true {
                    tls.certificateVerification = .optionalVerification
                    // Certificates are known by their fingerprints: no authority speaks for them.
                    tls.trustRoots = .certificates([])
                }
            }
        } catch {
            throw IngressError(error)
        }
    }
}

extension IngressError {
    fileprivate init(_ error: TLSFileError) {
        let code: Code =
            switch error.code {
            case .certificateUnusable: .certificateUnusable
            case .keyUnusable: .keyUnusable
            case .keyMismatch: .keyMismatch
            }
        self.init(code, error.message, hint: error.hint, underlying: error.underlying)
    }
}
