// SPDX-License-Identifier: Apache-2.0

/// The reason for which a connection is told to end, as its GOAWAY has it: in APNs' form for every interface.
enum Farewell: String, CaseIterable {
    case shutdown = "Shutdown"
    case idleTimeout = "IdleTimeout"
    case tooManyRequests = "TooManyRequests"
    /// Too many credentials that prove nothing.
    case badCredentials = "InvalidProviderToken"

    /// The JSON in GOAWAY.
    var json: String { #"{"reason":"\#(rawValue)"}"# }
}
