// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime
import Ingress
import Locking
import NotificationPayload

/// Subscriptions: an open one, one that is for a single sender, one that is gone.
enum WebPushFixture {
    static let topic = "com.example.chat"
    static let open = capability("o")
    static let bound = capability("b")
    static let removed = capability("r")
    static let sender = P256.Signing.PrivateKey()
    static let stranger = P256.Signing.PrivateKey()

    /// RFC 8291, Appendix A: what the sender posts.
    static let message =
        Base64.url.decode(
            Array(
                """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
                u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """.utf8
            )
        ) ?? []

    static func origin() throws -> WebPushOrigin {
        guard let origin = WebPushOrigin("https://push.example.com") else { throw NoOrigin() }
        return origin
    }

    struct NoOrigin: Error {}

    static func service(_ subscriptions: any WebPushSubscriptions = WebPushTable.usual) throws -> WebPushService {
        WebPushService(
            origin: try origin(),
            subscriptions: subscriptions,
            alerts: [topic: WebPushAlert(title: "Chat", body: "Something came")]
        )
    }

    /// The value of `Authorization` that a sender's key makes of these claims.
    static func authorization(
        by key: P256.Signing.PrivateKey = sender,
        aud: String = "https://push.example.com",
        expiresIn seconds: Double = 3600,
        header: String = #"{"typ":"JWT","alg":"ES256"}"#,
        claims: String? = nil
    ) throws -> String {
        let expiration = Int(Date().timeIntervalSince1970 + seconds)
        let claims = claims ?? #"{"aud":"\#(aud)","exp":\#(expiration),"sub":"mailto:a@example.com"}"#
        let text = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(claims.utf8))
        let signature = try key.signature(for: Array(text.utf8)).rawRepresentation
        return "vapid t=\(text).\(Base64.url.encode(Array(signature))), k=\(point(of: key))"
    }

    static func point(of key: P256.Signing.PrivateKey) -> String {
        Base64.url.encode(Array(key.publicKey.x963Representation))
    }

    private static func capability(_ letter: Character) -> String { String(repeating: letter, count: 27) }
}

extension PushRequest {
    /// Makes a request as senders of Web Push write it.
    static func webPush(to capability: String = WebPushFixture.open) -> PushRequest {
        var request = PushRequest(
            path: "/push/\(capability)",
            headers: [("ttl", "60"), ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream")]
        )
        request.bytes = WebPushFixture.message
        return request
    }

    /// Another value for a header, or none.
    func setting(_ name: String, _ value: String?) -> PushRequest {
        var request = self
        request.headers.removeAll { $0.0 == name }
        if let value { request.headers.append((name, value)) }
        return request
    }
}

/// Subscriptions by capability; `isUnavailable` stands for a store that cannot be read.
struct WebPushTable: WebPushSubscriptions {
    var states: [String: WebPushSubscriptionState]
    var isUnavailable = false

    static let usual = WebPushTable(
        states: [
            WebPushFixture.open: .active(WebPushSubscription(topic: WebPushFixture.topic)),
            WebPushFixture.bound: .active(
                WebPushSubscription(
                    topic: WebPushFixture.topic,
                    senderKey: Array(WebPushFixture.sender.publicKey.x963Representation)
                )
            ),
            WebPushFixture.removed: .removed,
        ]
    )

    static func token(of capability: String) -> String {
        SHA256.hash(data: Data(capability.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func state(ofSubscription token: String) throws(DeviceTokensUnavailable) -> WebPushSubscriptionState? {
        if isUnavailable { throw DeviceTokensUnavailable() }
        return states.first { Self.token(of: $0.key) == token }?.value
    }
}
