// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A web server on loopback, plain and with TLS, that answers every GET with its path and then "hello".
final class WebServer: Sendable {
    let port: Int
    let tlsPort: Int
    private let process: Process

    private static let script = """
        import http.server, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"x" * 3000000 if self.path == "/large" else b"hello " + self.path.encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *arguments): pass
        plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        tls = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        tls.socket = context.wrap_socket(tls.socket, server_side=True)
        for server in plain, tls: threading.Thread(target=server.serve_forever, daemon=True).start()
        print(plain.server_port, tls.server_port, flush=True)
        sys.stdin.read()
        """

    /// Runs while `body` does; `authority` in the folder it gets signed the server's certificate.
    static func with<Result>(
        _ folder: TemporaryFolder,
        _ body: (WebServer) async throws -> Result
    ) async throws -> Result {
        let (certificate, key) = (folder.path + "/server.pem", folder.path + "/server.key")
        let made = try await CommandResult.run(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ]
        )
        guard made.status == 0 else { throw Failure(text: made.errors) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, certificate, key]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        defer {
            try? stdin.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        let line = String(decoding: stdout.fileHandleForReading.availableData, as: UTF8.self)
        let ports = line.split { $0.isWhitespace }.compactMap { Int($0) }
        guard ports.count == 2 else { throw Failure(text: line) }
        return try await body(WebServer(port: ports[0], tlsPort: ports[1], process: process))
    }

    struct Failure: Error { let text: String }

    private init(port: Int, tlsPort: Int, process: Process) {
        self.port = port
        self.tlsPort = tlsPort
        self.process = process
    }
}
