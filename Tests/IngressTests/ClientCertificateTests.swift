// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime
import Ingress
import NIOSSL
import Testing

struct ClientCertificateTests {
    private let files: TestCertificate
    private let fingerprint: String

    init() throws {
        files = try TestCertificate.shared.get()
        let certificate = try #require(try NIOSSLCertificate.fromPEMFile(files.otherCertificate).first)
        fingerprint = SHA256.hash(data: try certificate.toDERBytes()).map { String(format: "%02x", $0) }.joined()
    }

    private var client: HTTP2Client.Identity { .init(certificate: files.otherCertificate, key: files.otherKey) }
    private var stranger: HTTP2Client.Identity { .init(certificate: files.stranger, key: files.strangerKey) }

    private func senders(
        topics: Set<String> = [Fixture.topic],
        environment: PushEnvironment? = nil
    ) -> SenderAuthentication {
        SenderAuthentication(
            keys: [TestSender.key("ABC123DEFG")],
            certificates: [.init(fingerprint: fingerprint, topics: topics, environment: environment)]
        )
    }

    private func answer(
        to request: PushRequest,
        as identity: HTTP2Client.Identity?,
        _ senders: SenderAuthentication,
        tokens: any DeviceTokens = Fixture.tokens,
        acceptor: RecordingAcceptor = RecordingAcceptor()
    ) async throws -> PushResponse {
        try await withIngress(.tls, tokens: tokens, acceptor: acceptor, authentication: senders) { _, address in
            try await HTTP2Client.connect(to: address, tls: true, as: identity) { client in
                try await client.response(to: try await client.send(request))
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a listed certificate sends without a token`() async throws {
        let acceptor = RecordingAcceptor()
        #expect(try await answer(to: PushRequest(), as: client, senders(), acceptor: acceptor).status == 200)
        #expect(acceptor.pushes.map(\.sender) == [.certificate(fingerprint)])
    }

    @Test(.timeLimit(.minutes(5))) func `beside a certificate a token is ignored`() async throws {
        #expect(try await answer(to: PushRequest().authorized("bearer x"), as: client, senders()).status == 200)
        let refused = try await answer(to: PushRequest().authorized(), as: stranger, senders())
        #expect(refused.body == RefusalReason.badCertificate.json)
    }

    @Test(.timeLimit(.minutes(5))) func `a certificate that is not listed is bad`() async throws {
        let refused = try await answer(to: PushRequest(), as: stranger, senders())
        #expect(refused.status == 403)
        #expect(refused.body == #"{"reason":"BadCertificate"}"#)
    }

    @Test(.timeLimit(.minutes(5))) func `one for the other environment is told so`() async throws {
        let refused = try await answer(to: PushRequest(), as: client, senders(environment: .production))
        #expect(refused.status == 403)
        #expect(refused.body == #"{"reason":"BadCertificateEnvironment"}"#)
        #expect(try await answer(to: PushRequest(), as: client, senders(environment: .development)).status == 200)
    }

    @Test(.timeLimit(.minutes(5))) func `without a certificate a token is needed`() async throws {
        #expect(try await answer(to: PushRequest(), as: nil, senders()).body == RefusalReason.missingProviderToken.json)
        #expect(try await answer(to: PushRequest().authorized(), as: nil, senders()).status == 200)
    }

    /// Source: Apple, "Sending notification requests to APNs", `apns-topic`.
    @Test(.timeLimit(.minutes(5))) func `the only topic of a certificate is the default, also strictly`() async throws {
        let acceptor = RecordingAcceptor()
        #expect(try await answer(to: PushRequest(headers: []), as: client, senders(), acceptor: acceptor).status == 200)
        let voip = PushRequest(headers: [("apns-push-type", "voip")])
        #expect(try await answer(to: voip, as: client, senders(), acceptor: acceptor).status == 200)
        #expect(acceptor.pushes.map(\.topic) == [Fixture.topic, Fixture.topic + ".voip"])
        let two = senders(topics: [Fixture.topic, Fixture.otherTopic])
        #expect(try await answer(to: PushRequest(headers: []), as: client, two).status == 200)
    }

    @Test(.timeLimit(.minutes(5))) func `a topic the certificate is not for is bad`() async throws {
        let mail = senders(topics: [Fixture.otherTopic])
        #expect(try await answer(to: PushRequest(), as: client, mail).body == RefusalReason.badTopic.json)
        // Its own topic is the default, and the device has another.
        #expect(
            try await answer(to: PushRequest(headers: []), as: client, mail).body
                == RefusalReason.deviceTokenNotForTopic.json
        )
    }

    /// Source: Apple, "Sending notification requests to APNs", `location`.
    @Test(.timeLimit(.minutes(5))) func `a location push needs a token`() async throws {
        var tokens = DeviceTokenTable()
        tokens.register(
            .init(topic: Fixture.topic, environment: .development, pushTypes: [.location]),
            tokens: [Fixture.token]
        )
        let request = PushRequest(headers: [("apns-topic", Fixture.topic + ".location-query")])
        let refused = try await answer(to: request, as: client, senders(), tokens: tokens)
        #expect(refused.body == RefusalReason.missingProviderToken.json)
        #expect(try await answer(to: request.authorized(), as: nil, senders(), tokens: tokens).status == 200)
    }

    @Test(.timeLimit(.minutes(5))) func `a listener that lists none asks for none`() async throws {
        let keys = SenderAuthentication(keys: [TestSender.key("ABC123DEFG")])
        let refused = try await answer(to: PushRequest(), as: client, keys)
        #expect(refused.body == RefusalReason.missingProviderToken.json)
    }
}
