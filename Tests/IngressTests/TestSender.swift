// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime
import Ingress
import NotificationPayload

/// Keys of two teams, made once a run, and tokens signed with them as real clients do and do not.
enum TestSender {
    static let team = "DEF123GHIJ"
    static let sender = PushSender.key("ABC123DEFG", team: team)
    static let otherTeam = "ZZZ999ZZZZ"

    /// Keys by their id; the names say what is special about them.
    static let privateKeys: [String: P256.Signing.PrivateKey] = [
        "ABC123DEFG": .init(), "SECONDKEY2": .init(), "PRODUCTION": .init(), "ONLYMAILXX": .init(),
        "OTHERTEAM1": .init(),
    ]

    static let authentication = SenderAuthentication(keys: [
        key("ABC123DEFG"), key("SECONDKEY2"), key("PRODUCTION", environment: .production),
        key("ONLYMAILXX", topics: [Fixture.otherTopic]), key("OTHERTEAM1", team: otherTeam),
    ])

    static func key(
        _ id: String,
        team: String = team,
        environment: PushEnvironment? = nil,
        topics: Set<String>? = nil
    ) -> SenderAuthentication.Key {
        guard let point = privateKeys[id]?.publicKey.x963Representation, let key = ES256PublicKey(point: Array(point))
        else { preconditionFailure("no key \(id)") }
        return .init(id: id, team: team, publicKey: key, environment: environment, topics: topics)
    }

    enum Signature {
        case raw, der, wrong
    }

    /// An `authorization` header.
    ///
    /// `issuedAt` is the text of the claim; a nil `algorithm` is left out. Some libraries say the type as well.
    static func bearer(
        _ id: String = "ABC123DEFG",
        team: String = team,
        issuedAt: String? = nil,
        age: Int = 0,
        algorithm: String? = "ES256",
        isTyped: Bool = false,
        signature kind: Signature = .raw
    ) -> String {
        let issuedAt = issuedAt ?? String(Int(Date().timeIntervalSince1970) - age)
        let type = isTyped ? #","typ":"JWT""# : ""
        let header = algorithm.map { #"{"alg":"\#($0)","kid":"\#(id)"\#(type)}"# } ?? #"{"kid":"\#(id)"}"#
        let claims = #"{"iss":"\#(team)","iat":\#(issuedAt)}"#
        let text = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(claims.utf8))
        let key = kind == .wrong ? P256.Signing.PrivateKey() : privateKeys[id] ?? P256.Signing.PrivateKey()
        guard let signature = try? key.signature(for: Array(text.utf8)) else { preconditionFailure("no signature") }
        let bytes = kind == .der ? Array(signature.derRepresentation) : Array(signature.rawRepresentation)
        return "bearer \(text).\(Base64.url.encode(bytes))"
    }
}

extension PushRequest {
    func authorized(_ header: String = TestSender.bearer()) -> PushRequest { with("authorization", header) }
}
