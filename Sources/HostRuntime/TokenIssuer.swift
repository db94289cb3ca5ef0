// SPDX-License-Identifier: Apache-2.0

/// Gives device tokens to apps that register by themselves.
package protocol TokenIssuer: Sendable {
    /// Returns the device token of an app for an owner in lower-case hex digits: the same one until it is withdrawn or
    /// removed. It is on the disk then, and a gateway that posts to it reaches the app.
    func register(_ topic: String, for owner: String) async throws(TokenRefusal) -> String

    /// Makes that token invalid, if there is one: gateways hear 410.
    func withdraw(_ topic: String, of owner: String) async throws(TokenRefusal)
}

/// The reason for which an app gets no device token, or keeps the one that it has.
package enum TokenRefusal: Error, Equatable {
    /// The host does not run the app.
    case unknownApp
    /// The disk does not take it.
    case disk
}
