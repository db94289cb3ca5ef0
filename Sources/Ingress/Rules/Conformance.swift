// SPDX-License-Identifier: Apache-2.0

/// The strictness with which a listener follows Apple's documented refusals.
package enum Conformance: String, Sendable, CaseIterable {
    /// Takes what real clients send.
    case lenient
    /// Refuses what Apple documents as an error too, for people who test a gateway against us.
    case strict
}
