// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The version of HTTP that a connection speaks.
enum HTTPVersion {
    case http1, http2

    /// Returns the name of the version in metrics.
    func label(isTLS: Bool) -> LabelValue {
        switch self {
        case .http1: "http1"
        case .http2: isTLS ? "h2" : "h2c"
        }
    }
}
