// SPDX-License-Identifier: Apache-2.0

extension HTTPConfiguration {
    /// Judges address, certificate and key as the start of a listener does, without opening it.
    ///
    /// - Throws: the error with which the listener would not start; a port that is taken is not noticed.
    package func check(takesAPNs: Bool) throws(IngressError) {
        _ = try makeTLS()
        _ = try PushListener.address(of: self, needsAuthentication: takesAPNs)
    }
}
