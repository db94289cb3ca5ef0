// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A receiver of webhooks on loopback, in Python: it judges requests with the lines that PROTOCOL.md shows.
///
/// `/status/503` answers with that status, and `/status/503/7` names a wait; `/dated/503` names a day in 1994; `/moved`
/// sends to `/status/200`; `/unheard` notes a request, and the first time hangs up in place of an answer; `/late` takes
/// it after 50 ms; `/silent` and `/endless` do what they say; `/dripping/200` answers with that status and then a byte
/// every 100 ms; everything else is taken. A delivery is noted once, however often it comes.
package final class WebhookReceiver: Sendable {
    /// A request as the receiver saw it.
    package struct Note: Sendable, Equatable {
        package let path: String
        package let delivery: String
        /// Signed with the secret, in time.
        package let isOurs: Bool
        package let isRepeat: Bool
        package let contentType: String
        package let body: String

        package init(
            path: String,
            delivery: String,
            isOurs: Bool,
            isRepeat: Bool,
            contentType: String,
            body: String
        ) {
            self.path = path
            self.delivery = delivery
            self.isOurs = isOurs
            self.isRepeat = isRepeat
            self.contentType = contentType
            self.body = body
        }
    }

    package let port: Int
    package let tlsPort: Int
    private let lines: AsyncStream<String>

    private static let script = """
        import http.server, json, ssl, sys, threading, time
        exec(open(sys.argv[4]).read())
        secret, seen, lock = sys.argv[3].encode(), set(), threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def note(self, body):
                name = self.headers["nestbox-delivery"]
                ours = is_ours(secret, self.headers, body)
                with lock:
                    repeat = name in seen
                    if ours: seen.add(name)
                    print(json.dumps([self.path, name, ours, repeat, self.headers["content-type"], body.decode()]))
                    sys.stdout.flush()
                return repeat
            def do_POST(self):
                repeat = self.note(self.rfile.read(int(self.headers["content-length"])))
                parts = self.path.split("/")
                if parts[1] == "unheard" and not repeat:
                    self.close_connection = True
                    return
                if parts[1] == "late": time.sleep(0.05)
                if parts[1] == "silent":
                    self.rfile.read(1)
                    return
                named = parts[1] in ("status", "dated", "dripping")
                self.send_response(int(parts[2]) if named else 307 if parts[1] == "moved" else 200)
                if len(parts) > 3: self.send_header("retry-after", parts[3])
                if parts[1] == "dated": self.send_header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")
                if parts[1] == "moved": self.send_header("location", "/status/200")
                if parts[1] in ("endless", "dripping"):
                    self.send_header("transfer-encoding", "chunked")
                    self.end_headers()
                    try:
                        while parts[1] == "endless": self.wfile.write(b"400\\r\\n" + b"x" * 1024 + b"\\r\\n")
                        while True:
                            self.wfile.write(b"1\\r\\nx\\r\\n")
                            time.sleep(0.1)
                    except OSError: return
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"ok")
            def log_message(self, *arguments): pass
        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, address): pass
        plain, tls = Server(("127.0.0.1", 0), Handler), Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        tls.socket = context.wrap_socket(tls.socket, server_side=True)
        print(plain.server_port, tls.server_port, flush=True)
        for server in plain, tls: threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        """

    /// Runs while `body` does, with its files in a folder; `server.pem` there signs the TLS server.
    package static func with<Result>(
        folder: String,
        secret: String,
        _ body: (WebhookReceiver) async throws -> Result
    ) async throws -> Result {
        let (certificate, key) = (folder + "/server.pem", folder + "/server.key")
        let made = try await CommandResult.run(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=receiver",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ]
        )
        guard made.status == 0 else { throw WebServer.Failure(text: made.errors) }
        try documentedLines.write(toFile: folder + "/is_ours.py", atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, certificate, key, secret, folder + "/is_ours.py"]
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
        let lines = Self.lines(of: stdout.fileHandleForReading)
        var ports: [Int] = []
        for await line in lines {
            ports = line.split { $0.isWhitespace }.compactMap { Int($0) }
            break
        }
        guard ports.count == 2 else { throw WebServer.Failure(text: "the receiver did not start") }
        return try await body(WebhookReceiver(ports: ports, lines: lines))
    }

    /// The next so many requests, waiting for them.
    package func next(_ count: Int = 1) async throws -> [Note] {
        var notes: [Note] = []
        while notes.count < count {
            var line: String?
            for await next in lines {
                line = next
                break
            }
            guard let line, let note = Note(line: line) else { throw WebServer.Failure(text: line ?? "no request") }
            notes.append(note)
        }
        return notes
    }

    private init(ports: [Int], lines: AsyncStream<String>) {
        port = ports[0]
        tlsPort = ports[1]
        self.lines = lines
    }

    /// The Python code that PROTOCOL.md shows under "Webhooks".
    private static var documentedLines: String {
        get throws {
            let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardizedFileURL
            let text = try String(contentsOf: root.appending(path: "PROTOCOL.md"), encoding: .utf8)
            guard let section = text.range(of: "\n## Webhooks\n"),
                let start = text.range(of: "```python\n", range: section.upperBound..<text.endIndex),
                let end = text.range(of: "```\n", range: start.upperBound..<text.endIndex)
            else { throw WebServer.Failure(text: "PROTOCOL.md shows no Python under \"Webhooks\"") }
            return String(text[start.upperBound..<end.lowerBound])
        }
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = Data()
                while case let data = handle.availableData, !data.isEmpty {
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[(end + 1)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}

extension WebhookReceiver.Note {
    fileprivate init?(line: String) {
        guard let values = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any], values.count == 6,
            let path = values[0] as? String, let delivery = values[1] as? String, let isOurs = values[2] as? Bool,
            let isRepeat = values[3] as? Bool, let type = values[4] as? String, let body = values[5] as? String
        else { return nil }
        self.init(
            path: path,
            delivery: delivery,
            isOurs: isOurs,
            isRepeat: isRepeat,
            contentType: type,
            body: body
        )
    }
}
