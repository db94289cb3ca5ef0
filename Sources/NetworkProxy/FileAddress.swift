// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The address of a sealed file: an https address, read strictly.
///
/// No user information and no fragment; the host is a name or an address as `NetworkHosts` has them. What is asked of
/// the host, path and query, is kept as it was written. Source: RFC 3986 section 3; RFC 9112 section 3.2.1.
struct FileAddress: Equatable {
    let target: NetworkTarget
    /// The host and its port, if that is not 443.
    let authority: String
    /// Begins with a slash.
    let path: String

    init?(_ text: String) {
        let scheme = "https://"
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.lowercased().hasPrefix(scheme), !text.contains("#")
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?\\".contains($0) } ?? rest.endIndex
        guard let (host, port) = try? NetworkHost.split(rest[..<end]), let place = NetworkPlace(host) else {
            return nil
        }
        let path = rest[end...]
        guard path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?") else { return nil }
        target = NetworkTarget(scheme: .https, place: place, port: port ?? NetworkTarget.Scheme.https.port)
        authority = "\(place)" + (target.port == NetworkTarget.Scheme.https.port ? "" : ":\(target.port)")
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }
}
