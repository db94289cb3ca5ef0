// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress
import Testing

struct APNsReloadTests {
    private let files: TestCertificate
    private let folder: String

    init() throws {
        files = try TestCertificate.shared.get()
        folder = NSTemporaryDirectory() + "reload-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try install(files.certificate, files.key)
    }

    /// Puts new files in the place of the old ones, as renewing programs do.
    private func install(_ certificate: String, _ key: String) throws {
        for (source, name) in [(certificate, "server.pem"), (key, "server.key")] {
            try Data(contentsOf: URL(fileURLWithPath: source))
                .write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .atomic)
        }
    }

    private func configuration(_ senders: SenderAuthentication?) -> HTTPConfiguration {
        .init(
            port: 0,
            security: .tls(certificate: folder + "/server.pem", key: folder + "/server.key"),
            authentication: senders
        )
    }

    private func ingress(_ senders: SenderAuthentication?) -> HTTPIngress {
        HTTPIngress(
            configuration: configuration(senders),
            tokens: Fixture.tokens,
            acceptor: RecordingAcceptor(),
            logger: Fixture.silentLogger
        )
    }

    private func expect(_ status: Int, to request: PushRequest, on client: HTTP2Client) async throws {
        let response = try await client.response(to: try await client.send(request))
        #expect(response.status == status)
    }

    @Test(.timeLimit(.minutes(5))) func `new connections get the new certificate, open ones go on`() async throws {
        let ingress = ingress(nil)
        try await ingress.withListener { address in
            try await HTTP2Client.connect(to: address, tls: true) { open in
                try await expect(200, to: PushRequest(), on: open)
                try install(files.otherCertificate, files.otherKey)
                try await ingress.reload(configuration(nil))
                try await expect(200, to: PushRequest(), on: open)
                try await HTTP2Client.connect(to: address, tls: true, trusting: files.otherCertificate) { new in
                    try await expect(200, to: PushRequest(), on: new)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a broken new file is named, and the old certificate serves on`() async throws {
        let ingress = ingress(TestSender.authentication)
        try await ingress.withListener { address in
            try install(files.otherCertificate, files.key)
            let error = await #expect(throws: IngressError.self) { try await ingress.reload(configuration(nil)) }
            #expect(error?.code == .keyMismatch)
            try await HTTP2Client.connect(to: address, tls: true) { client in
                try await expect(403, to: PushRequest(), on: client)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `an open address keeps its TLS`() async throws {
        let ingress = ingress(TestSender.authentication)
        try await ingress.withListener { address in
            var clear = configuration(TestSender.authentication)
            clear.security = .plaintext
            let error = await #expect(throws: IngressError.self) { try await ingress.reload(clear) }
            #expect(error?.code == .securityChanged)
            try await HTTP2Client.connect(to: address, tls: true) { client in
                try await expect(200, to: PushRequest().authorized(), on: client)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `senders come and go on an open connection`() async throws {
        let first = SenderAuthentication(keys: [TestSender.key("ABC123DEFG")])
        let second = SenderAuthentication(keys: [TestSender.key("SECONDKEY2")])
        let ingress = ingress(first)
        try await ingress.withListener { address in
            try await HTTP2Client.connect(to: address, tls: true) { client in
                let (old, new) = (PushRequest().authorized(), PushRequest().authorized(TestSender.bearer("SECONDKEY2")))
                try await expect(200, to: old, on: client)
                try await expect(403, to: new, on: client)
                try await ingress.reload(configuration(second))
                try await expect(403, to: old, on: client)
                try await expect(200, to: new, on: client)
                try await ingress.reload(configuration(nil))
                try await expect(200, to: PushRequest(), on: client)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `an open address never loses its senders`() async throws {
        var open = configuration(TestSender.authentication)
        open.host = "0.0.0.0"
        let ingress = HTTPIngress(
            configuration: open,
            tokens: Fixture.tokens,
            acceptor: RecordingAcceptor(),
            logger: Fixture.silentLogger
        )
        try await ingress.withListener { address in
            let error = await #expect(throws: IngressError.self) { try await ingress.reload(configuration(nil)) }
            #expect(error?.code == .notLoopback)
            let local = ListenerAddress(host: "127.0.0.1", port: address.port)
            try await HTTP2Client.connect(to: local, tls: true) { client in
                try await expect(403, to: PushRequest(), on: client)
                let good = PushRequest().authorized()
                try await expect(200, to: good, on: client)
            }
        }
    }

    @Test func `before the start and after the end there is nothing to reload`() async throws {
        let ingress = ingress(nil)
        try await ingress.reload(configuration(nil))
        _ = try await ingress.start()
        await ingress.drain()
        try await ingress.reload(configuration(nil))
    }
}
