// SPDX-License-Identifier: Apache-2.0

/// Why a connection is told to end, in the words of its GOAWAY, in which APNs gives a reason for every interface.
enum Farewell: String, CaseIterable {
    case shutdown = "Shutdown"
    case idleTimeout = "IdleTimeout"
    case tooManyRequests = "TooManyRequests"
    /// Too many credentials that prove nothing.
    case badCredentials = "InvalidProviderToken"

    /// The JSON in GOAWAY.
    var json: String { #"{"reason":"\#(rawValue)"}"# }
}
