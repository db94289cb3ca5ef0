// SPDX-License-Identifier: Apache-2.0

import Ingress

/// Has a listener take what host.yaml says of it now: the certificate and the senders, which are read again too.
///
/// Nothing else counts until the next start.
struct ListenerReload: Sendable {
    /// The keys of host.yaml that the listener takes, by their paths.
    let taken: [String]
    let ingress: HTTPIngress
    /// Returns what the file says of the listener now; `nil` if the file does not name the listener any more.
    let configuration: @Sendable (HostConfiguration) -> HTTPConfiguration?

    /// Reads the files of the listener, and returns what to take; the listener stays as it is until then.
    func renewal(_ whole: HostConfiguration) async throws(CommandError) -> HTTPIngress.Renewal? {
        guard let configuration = configuration(whole) else {
            throw CommandError(
                "\(whole.document?.file ?? "host.yaml"): listen does not name the listener any more",
                hint: "start the host again"
            )
        }
        do throws(IngressError) {
            return try await ingress.renewal(configuration)
        } catch {
            throw CommandError(error)
        }
    }
}
