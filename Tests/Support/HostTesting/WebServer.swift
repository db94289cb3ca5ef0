// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A web server on loopback, plain and with TLS: what lies in `www` of its folder, and "hello" with the path for the
/// rest.
///
/// Behind `/half/` it sends half a file and then nothing, behind `/cut/` half a file and the end, behind `/moved/` the
/// way to the file, behind `/bytes/` so many zeros.
package final class WebServer: Sendable {
    package let port: Int
    package let tlsPort: Int
    private let process: Process

    private static let script = """
        import http.server, os, ssl, sys, threading
        halves = set()
        class Handler(http.server.BaseHTTPRequestHandler):
            def body(self):
                if self.path == "/large": return b"x" * 3000000
                if self.path == "/open": return b"%d" % len(halves)
                if self.path.startswith("/bytes/"): return bytes(int(os.path.basename(self.path)))
                file = os.path.join(sys.argv[3], "www", os.path.basename(self.path.partition("?")[0]))
                if os.path.isfile(file): return open(file, "rb").read()
                return b"hello " + self.path.encode()
            def do_GET(self):
                body = self.body()
                self.send_response(302 if self.path.startswith("/moved/") else 200)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Location", "/" + os.path.basename(self.path))
                self.end_headers()
                isPart = self.path.startswith("/half/") or self.path.startswith("/cut/")
                self.wfile.write(body[:len(body) // 2] if isPart else body)
                self.wfile.flush()
                self.close_connection = True
                if self.path.startswith("/half/"):
                    halves.add(self)
                    try: self.rfile.read(1)
                    except OSError: pass
                    halves.discard(self)
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
    package static func with<Result>(
        _ folder: TemporaryFolder,
        certified names: String = "IP:127.0.0.1",
        _ body: (WebServer) async throws -> Result
    ) async throws -> Result {
        let (certificate, key) = (folder.path + "/server.pem", folder.path + "/server.key")
        let made = try await CommandResult.run(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=server",
                "-addext", "subjectAltName=\(names)",
            ]
        )
        guard made.status == 0 else { throw Failure(text: made.errors) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, certificate, key, folder.path]
        let (stdin, stdout) = try ProcessStart.alone {
            let (stdin, stdout) = (Pipe(), Pipe())
            process.standardInput = stdin
            process.standardOutput = stdout
            try process.run()
            return (stdin, stdout)
        }
        defer {
            try? stdin.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        var line = ""
        while !line.contains("\n"), case let data = stdout.fileHandleForReading.availableData, !data.isEmpty {
            line += String(decoding: data, as: UTF8.self)
        }
        let ports = line.split { $0.isWhitespace }.compactMap { Int($0) }
        guard ports.count == 2 else { throw Failure(text: line) }
        return try await body(WebServer(port: ports[0], tlsPort: ports[1], process: process))
    }

    /// Connections that wait for the other half of a file.
    package var openCount: Int {
        get async throws {
            guard let curl = Programs.installed("curl") else { throw ProgramMissing(name: "curl") }
            let result = try await CommandResult.run(curl, ["-s", "http://127.0.0.1:\(port)/open"])
            guard let count = Int(result.output) else { throw Failure(text: result.output) }
            return count
        }
    }

    package struct Failure: Error { package let text: String }

    private init(port: Int, tlsPort: Int, process: Process) {
        self.port = port
        self.tlsPort = tlsPort
        self.process = process
    }
}
