// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress
import Testing

struct APNsStartTests {
    private func start(
        host: String = "127.0.0.1",
        port: Int = 0,
        security: HTTPConfiguration.Security = .plaintext
    ) async throws(IngressError) -> ListenerAddress {
        let ingress = HTTPIngress(
            configuration: .init(host: host, port: port, security: security),
            tokens: Fixture.tokens,
            acceptor: RecordingAcceptor(),
            logger: Fixture.silentLogger
        )
        let address = try await ingress.start()
        await ingress.drain()
        return address
    }

    private func expect(
        _ code: IngressError.Code,
        _ message: String,
        _ body: () async throws(IngressError) -> ListenerAddress
    ) async {
        do throws(IngressError) {
            let address = try await body()
            Issue.record("listening on \(address)")
        } catch {
            #expect(error.code == code)
            #expect(error.message == message)
            #expect(error.hint != nil)
        }
    }

    @Test func `port 0 is any free port, and is told`() async throws {
        let address = try await start()
        #expect(address.host == "127.0.0.1")
        #expect(address.port > 0)
    }

    @Test func `an address in use is named`() async throws {
        try await withIngress { _, address in
            await expect(.addressInUse, "cannot listen on 127.0.0.1:\(address.port): the address is in use") {
                () async throws(IngressError) in try await start(port: address.port)
            }
        }
    }

    @Test func `without credentials only loopback is listened on`() async {
        let message = "cannot listen on \"0.0.0.0\" without credentials: everyone who reaches it could send"
        await expect(.notLoopback, message) { () async throws(IngressError) in try await start(host: "0.0.0.0") }
    }

    @Test func `certificate and key are read, and every mistake with them is named`() async throws {
        let files = try TestCertificate.shared.get()
        func tls(_ certificate: String, _ key: String) async throws(IngressError) -> ListenerAddress {
            try await start(security: .tls(certificate: certificate, key: key))
        }
        #expect(try await tls(files.certificate, files.key).port > 0)
        await expect(.certificateUnusable, "cannot read certificate \"/nowhere.pem\": no such file") {
            () async throws(IngressError) in try await tls("/nowhere.pem", files.key)
        }
        await expect(.certificateUnusable, "certificate \"\(files.key)\" is a private key") {
            () async throws(IngressError) in try await tls(files.key, files.key)
        }
        await expect(.certificateUnusable, "certificate \"/dev/null\" has no certificate in PEM") {
            () async throws(IngressError) in try await tls("/dev/null", files.key)
        }
        await expect(.keyUnusable, "cannot read key \"/nowhere.key\": no such file") {
            () async throws(IngressError) in try await tls(files.certificate, "/nowhere.key")
        }
        await expect(.keyUnusable, "key \"\(files.certificate)\" is a certificate") {
            () async throws(IngressError) in try await tls(files.certificate, files.certificate)
        }
        await expect(.keyUnusable, "key \"/dev/null\" has no private key in PEM without a password") {
            () async throws(IngressError) in try await tls(files.certificate, "/dev/null")
        }
        await expect(.keyMismatch, "key \"\(files.otherKey)\" does not belong to certificate \"\(files.certificate)\"")
        {
            () async throws(IngressError) in try await tls(files.certificate, files.otherKey)
        }
    }
}
