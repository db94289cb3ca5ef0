// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A network of its own in which the services' hosts, and `media.example.com`, are a server that has a picture.
///
/// The server notes what it is sent with PUT and POST. `/silent` has no answer, `/long.png` one byte too many, which
/// `/unsaid/` does not say before; behind `/typed/` a file has the type of a picture. Nothing leads out of the network,
/// whose server has the address of a public one: the host refuses others.
struct VendorNetwork {
    struct Run {
        let record: Record
        let errors: String
        let requests: [JSONObject]

        /// The types of the attachments, in their order.
        var types: [String] {
            (record.object["attachments"]?.array ?? []).compactMap { $0.object?["type"]?.string }
        }
    }

    struct NoRecord: Error { let errors: String }

    private let folder: TemporaryFolder

    private static let names = [
        "api.onesignal.com", "cdp.customer.io", "cdp-eu.customer.io", "media.example.com",
    ]

    private static let server = """
        import http.server, json, os, ssl, subprocess, sys, threading
        folder = sys.argv[1]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = os.path.basename(self.path.partition("?")[0])
                file = os.path.join(folder, "www", name)
                if name == "silent":
                    self.rfile.read(1)
                    return
                there = name == "long.png" or os.path.isfile(file)
                body = bytes(50000001) if name == "long.png" else open(file, "rb").read() if there else b"none"
                self.send_response(200 if there else 404)
                if not self.path.startswith("/unsaid/"): self.send_header("Content-Length", str(len(body)))
                if self.path.startswith("/typed/"): self.send_header("Content-Type", "image/png")
                self.end_headers()
                try: self.wfile.write(body)
                except OSError: pass
            def take(self):
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                note = {"method": self.command, "address": self.headers["host"] + self.path, "body": body}
                for name in "authorization", "content-type", "accept": note[name] = self.headers[name] or ""
                with open(os.path.join(folder, "notes"), "a") as notes: print(json.dumps(note), file=notes)
                self.send_response(202)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")
            do_PUT = do_POST = take
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("9.9.9.9", 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
        """

    private static let setUp = """
        mount -t tmpfs -o mode=755 tmpfs /etc/ssl/certs
        cp "$0/server.pem" /etc/ssl/certs/ca-certificates.crt
        chmod 644 /etc/ssl/certs/ca-certificates.crt
        mount --bind "$0/hosts" /etc/hosts
        ip link set lo up
        ip route add local 9.9.9.9/32 dev lo
        exec /usr/bin/python3 "$0/server.py" "$0" "$@"
        """

    static func with(_ body: (VendorNetwork) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let media = Programs.root + "/Tests/CompatibilityTests/Media"
            try FileManager.default.copyItem(atPath: media, toPath: folder.path + "/www")
            try FileManager.default.copyItem(
                atPath: media + "/photo.jpg",
                toPath: folder.path + "/www/picture"
            )
            let made = try await CommandResult.run(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", folder.path + "/server.key", "-out", folder.path + "/server.pem", "-days", "2",
                    "-subj", "/CN=server", "-addext",
                    "subjectAltName=\(names.map { "DNS:\($0)" }.joined(separator: ","))",
                ]
            )
            try #require(made.status == 0, "\(made.errors)")
            _ = try folder.write(server, to: "server.py")
            _ = try folder.write(
                "127.0.0.1 localhost\n9.9.9.9 \(names.joined(separator: " "))\n",
                to: "hosts"
            )
            try await body(VendorNetwork(folder: folder))
        }
    }

    /// Runs a bundle for a push, with its last record and what the server took meanwhile.
    func run(_ bundle: String, _ push: String, _ options: [String] = []) async throws -> Run {
        // The extension's user has to reach it.
        let place = URL(fileURLWithPath: bundle).deletingLastPathComponent().path
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
        let notes = folder.path + "/notes"
        try? FileManager.default.removeItem(atPath: notes)
        let file = try folder.write(push, to: "push.json")
        let result = try await CommandResult.run(
            "/usr/bin/unshare",
            ["-mn", "--propagation", "private", "/bin/sh", "-ec", Self.setUp, folder.path, Programs.extensionHost]
                + ["run", bundle, file, "--log-level", "trace"] + options
        )
        let line = result.output.split(separator: "\n").last ?? ""
        guard let record = try? JSONObject(parsing: Array(line.utf8).span) else {
            throw NoRecord(errors: result.errors)
        }
        let taken = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
        return Run(
            record: Record(object: record),
            errors: result.errors,
            requests: try taken.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8).span) }
        )
    }
}
