// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import NIOHTTP2
internal import NIOSSL

extension NIOSSLContext {
    /// Reads a certificate chain and its key from the PEM files that a configuration names; nil for plaintext.
    ///
    /// - Throws: `IngressError` that names the file and what is wrong with it.
    convenience init?(_ configuration: HTTPConfiguration) throws {
        guard case .tls(let certificate, let key) = configuration.security else { return nil }
        let chain = try Self.chain(certificate)
        let privateKey = try Self.privateKey(key)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        if configuration.authentication?.asksForCertificates == true {
            tls.certificateVerification = .optionalVerification
            // Certificates are known by their fingerprints: no authority speaks for them.
            tls.trustRoots = .certificates([])
        }
        do {
            try self.init(configuration: tls)
        } catch {
            throw IngressError(
                .keyMismatch,
                "key \"\(key)\" does not belong to certificate \"\(certificate)\"",
                hint: "name the key the certificate was made with",
                underlying: error
            )
        }
    }

    private static func chain(_ path: String) throws(IngressError) -> [NIOSSLCertificate] {
        let text: [UInt8]
        do {
            text = try contents(of: path)
        } catch {
            throw IngressError(
                .certificateUnusable,
                "cannot read certificate \"\(path)\": \(error.reason)",
                hint: "name a file in PEM with the certificate and its chain"
            )
        }
        if let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty { return chain }
        if (try? NIOSSLPrivateKey(bytes: text, format: .pem)) != nil {
            throw IngressError(
                .certificateUnusable,
                "certificate \"\(path)\" is a private key",
                hint: "put the certificate chain there and the key under \"key\""
            )
        }
        throw IngressError(
            .certificateUnusable,
            "certificate \"\(path)\" has no certificate in PEM",
            hint: "it should begin with -----BEGIN CERTIFICATE-----"
        )
    }

    private static func privateKey(_ path: String) throws(IngressError) -> NIOSSLPrivateKey {
        let text: [UInt8]
        do {
            text = try contents(of: path)
        } catch {
            throw IngressError(
                .keyUnusable,
                "cannot read key \"\(path)\": \(error.reason)",
                hint: "name a file in PEM with the certificate's private key"
            )
        }
        if let key = try? NIOSSLPrivateKey(bytes: text, format: .pem) { return key }
        if let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty {
            throw IngressError(
                .keyUnusable,
                "key \"\(path)\" is a certificate",
                hint: "put the private key there and the chain under \"certificate\""
            )
        }
        throw IngressError(
            .keyUnusable,
            "key \"\(path)\" has no private key in PEM without a password",
            hint: "it should begin with -----BEGIN PRIVATE KEY-----"
        )
    }

    private struct FileError: Error {
        let code: CInt
        var reason: String { code == ENOENT ? "no such file" : String(cString: strerror(code)) }
    }

    /// Reads at most 1 MiB, which is longer than any chain.
    private static func contents(of path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 1 << 20 {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(code: errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
        throw FileError(code: EFBIG)
    }
}
