// SPDX-License-Identifier: Apache-2.0

public import FoundationNetworking

extension URLSessionConfiguration {
    /// False, whatever is set: a request without a way to its host fails at once.
    ///
    /// Foundation on Linux lets nobody set its own. Source: Apple, "waitsForConnectivity".
    public var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
}
