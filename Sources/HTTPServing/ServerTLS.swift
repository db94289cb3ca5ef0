// SPDX-License-Identifier: Apache-2.0

private import Locking
package import NIOCore
private import NIOSSL

/// TLS of a server that speaks HTTP/1.1, with a certificate that can be renewed while it serves.
package final class ServerTLS: Sendable {
    /// The time for which the end of a connection waits for its peer's word that it has ended too.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    package let files: TLSFiles
    private let current: Locked<NIOSSLContext>

    /// Reads certificate and key.
    package init(_ files: TLSFiles) throws(TLSFileError) {
        self.files = files
        current = Locked(try Self.context(files))
    }

    /// Reads certificate and key again: new connections get them, open ones keep theirs.
    ///
    /// - Throws: the reason for which the former ones stay.
    package func renew() throws(TLSFileError) {
        let renewed = try Self.context(files)
        current.withLock { $0 = renewed }
    }

    private static func context(_ files: TLSFiles) throws(TLSFileError) -> NIOSSLContext {
        try files.context { tls in
            tls.applicationProtocols = ["http/1.1"]
            tls.shutdownTimeout = shutdownTimeout
        }
    }

    /// Adds TLS to the end of a new connection's pipeline.
    package func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandler(NIOSSLServerHandler(context: current.withLock(\.self)))
    }
}
