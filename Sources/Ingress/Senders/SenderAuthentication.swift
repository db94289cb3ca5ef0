// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// The credentials that a listener knows: public keys of provider tokens, and certificates of clients.
package struct SenderAuthentication: Sendable, Equatable {
    /// A key with which a team signs its provider tokens.
    package struct Key: Sendable, Equatable {
        package let id: String
        package let team: String
        package let publicKey: ES256PublicKey
        /// The environment that counts; `nil` means both.
        package let environment: PushEnvironment?
        /// Bundle identifiers; nil: every topic.
        package let topics: Set<String>?

        package init(
            id: String,
            team: String,
            publicKey: ES256PublicKey,
            environment: PushEnvironment? = nil,
            topics: Set<String>? = nil
        ) {
            self.id = id
            self.team = team
            self.publicKey = publicKey
            self.environment = environment
            self.topics = topics
        }
    }

    /// A certificate that a client shows in its TLS handshake.
    package struct Certificate: Sendable, Equatable {
        /// SHA-256 of the leaf in DER: 64 lower-case hex digits.
        package let fingerprint: String
        /// Bundle identifiers, at least one; topics come from here, not from the certificate's extensions.
        package let topics: Set<String>
        /// The environment that counts; `nil` means both.
        package let environment: PushEnvironment?

        package init(fingerprint: String, topics: Set<String>, environment: PushEnvironment? = nil) {
            self.fingerprint = fingerprint
            self.topics = topics
            self.environment = environment
        }
    }

    private let keys: [String: Key]
    private let certificates: [String: Certificate]

    /// Makes the list; of two keys with one id, or two certificates with one fingerprint, the last counts.
    package init(keys: [Key] = [], certificates: [Certificate] = []) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { $1 }
        self.certificates = Dictionary(certificates.map { ($0.fingerprint, $0) }) { $1 }
    }

    /// The TLS handshake asks for a certificate, which a client may leave out.
    package var asksForCertificates: Bool { !certificates.isEmpty }

    package func key(id: String) -> Key? { keys[id] }

    /// Judges a client by its certificate.
    ///
    /// - Throws: `badCertificate` for one that is not listed, `badCertificateEnvironment` for one listed for the other
    ///   environment.
    package func authority(
        ofCertificate fingerprint: String,
        environment: PushEnvironment
    ) throws(Refusal) -> SenderAuthority {
        guard let certificate = certificates[fingerprint] else { throw Refusal(.badCertificate) }
        guard certificate.environment == nil || certificate.environment == environment else {
            throw Refusal(.badCertificateEnvironment)
        }
        return SenderAuthority(.certificate(fingerprint), topics: certificate.topics)
    }
}
