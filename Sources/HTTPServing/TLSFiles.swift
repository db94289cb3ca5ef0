// SPDX-License-Identifier: Apache-2.0

private import Glibc
package import NIOSSL

/// The certificate and the key of a server, in two files that are read at its start and at each renewal.
package struct TLSFiles: Sendable, Equatable {
    /// The care with which the files are opened.
    package enum Care: Sendable {
        /// Whatever the names lead to is read.
        case none
        /// A symbolic link and what is no file are refused, and a key that other users can read or change.
        case own
    }

    /// Paths of files in PEM; the certificate's chain is in its file.
    package let certificate: String
    package let key: String
    private let care: Care

    package init(certificate: String, key: String, care: Care = .none) {
        self.certificate = certificate
        self.key = key
        self.care = care
    }

    /// Reads both files and makes a context of TLS 1.2 or later.
    ///
    /// `change` has the last word on everything else.
    /// - Throws: `TLSFileError` that names the file and what is wrong with it.
    package func context(_ change: (inout TLSConfiguration) -> Void) throws(TLSFileError) -> NIOSSLContext {
        let chain = try chain()
        let privateKey = try privateKey()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        tls.minimumTLSVersion = .tlsv12
        change(&tls)
        do {
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw TLSFileError(
                .keyMismatch,
                "key \"\(key)\" does not belong to certificate \"\(certificate)\"",
                hint: "name the key the certificate was made with",
                underlying: error
            )
        }
    }

    private func chain() throws(TLSFileError) -> [NIOSSLCertificate] {
        let text: [UInt8]
        do {
            text = try contents(of: certificate, isSecret: false)
        } catch {
            throw TLSFileError(
                .certificateUnusable,
                "cannot read certificate \"\(certificate)\": \(error.reason)",
                hint: error.hint ?? "name a file in PEM with the certificate and its chain"
            )
        }
        if let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty { return chain }
        if (try? NIOSSLPrivateKey(bytes: text, format: .pem)) != nil {
            throw TLSFileError(
                .certificateUnusable,
                "certificate \"\(certificate)\" is a private key",
                hint: "put the certificate chain there and the key under \"key\""
            )
        }
        throw TLSFileError(
            .certificateUnusable,
            "certificate \"\(certificate)\" has no certificate in PEM",
            hint: "it should begin with -----BEGIN CERTIFICATE-----"
        )
    }

    private func privateKey() throws(TLSFileError) -> NIOSSLPrivateKey {
        let text: [UInt8]
        do {
            text = try contents(of: key, isSecret: true)
        } catch {
            throw TLSFileError(
                .keyUnusable,
                "cannot read key \"\(key)\": \(error.reason)",
                hint: error.hint ?? "name a file in PEM with the certificate's private key"
            )
        }
        if let key = try? NIOSSLPrivateKey(bytes: text, format: .pem) { return key }
        if let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty {
            throw TLSFileError(
                .keyUnusable,
                "key \"\(key)\" is a certificate",
                hint: "put the private key there and the chain under \"certificate\""
            )
        }
        throw TLSFileError(
            .keyUnusable,
            "key \"\(key)\" has no private key in PEM without a password",
            hint: "it should begin with -----BEGIN PRIVATE KEY-----"
        )
    }
}

// MARK: Files

extension TLSFiles {
    private struct FileError: Error {
        let reason: String
        let hint: String?

        init(_ reason: String, hint: String? = nil) {
            self.reason = reason
            self.hint = hint
        }

        init(_ code: CInt) { self.init(code == ENOENT ? "no such file" : String(cString: strerror(code))) }
    }

    /// Reads at most 1 MiB, which is longer than any chain.
    private func contents(of path: String, isSecret: Bool) throws(FileError) -> [UInt8] {
        let isOwn = care == .own
        // A pipe would wait for its writer, and is refused once it is open.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isOwn ? O_NOFOLLOW | O_NONBLOCK | O_NOCTTY : 0))
        guard descriptor >= 0 else {
            guard isOwn, errno == ELOOP else { throw FileError(errno) }
            throw FileError(
                "it is a symbolic link",
                hint: "name the file itself, or have it copied here at each renewal"
            )
        }
        defer { close(descriptor) }
        if isOwn { try judge(descriptor, path, isSecret: isSecret) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 1 << 20 {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
        throw FileError(EFBIG)
    }

    /// Judges an open file by what the kernel says of it, not by its name.
    private func judge(_ descriptor: CInt, _ path: String, isSecret: Bool) throws(FileError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileError(errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw FileError("it is no file") }
        guard isSecret else { return }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw FileError("it belongs to another user", hint: "give it to the user that the server runs as")
        }
        // The group of root's own file is the administrator's choice, and what systemd hands over looks like that.
        let foreign: mode_t = facts.st_uid == 0 && geteuid() != 0 ? 0o037 : 0o077
        guard facts.st_mode & foreign == 0 else {
            throw FileError("other users can open it", hint: "chmod 600 \(path)")
        }
    }
}

/// The reason for which a certificate and a key are not used.
package struct TLSFileError: Error {
    package enum Code: Sendable, Equatable {
        case certificateUnusable
        case keyUnusable
        case keyMismatch
    }

    package let code: Code
    /// One clause for people: which file, and what is wrong with it.
    package let message: String
    /// Advice for people on what to do next.
    package let hint: String
    package let underlying: (any Error)?

    fileprivate init(_ code: Code, _ message: String, hint: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }
}
