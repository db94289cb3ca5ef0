// SPDX-License-Identifier: Apache-2.0

/// A secret by which somebody is known as an owner; the store has its hash and not the secret.
package struct Credential: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A browser that has signed in.
        case session
        /// A program that an owner gave a token.
        case token
        /// A way to a session, good for one time.
        case code
    }

    package var kind: Kind
    /// SHA-256 of the secret.
    package var hash: [UInt8]
    package var owner: OwnerName
    /// The scopes, as their rules wrote them.
    package var grant: String
    package var made: WallTime
    /// `nil` means that it was never used.
    package var used: WallTime?
    /// `nil` means that it is good until it is removed.
    package var ends: WallTime?

    package init(
        _ kind: Kind,
        hash: [UInt8],
        owner: OwnerName,
        grant: String,
        made: WallTime,
        ends: WallTime? = nil
    ) {
        self.kind = kind
        self.hash = hash
        self.owner = owner
        self.grant = grant
        self.made = made
        self.ends = ends
    }
}
