// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// The session that the user looks at, as logind knows it.
package enum LoginSession {
    /// The object of the session on the system bus; `nil` means that neither logind nor the environment names one.
    ///
    /// A program of the user's service manager is in no session, and one that was started over a network in another:
    /// the user's display is the one meant. Source: sd_uid_get_display(3); org.freedesktop.login1(5).
    package static var path: String? {
        var id: UnsafeMutablePointer<CChar>?
        guard sd_uid_get_display(getuid(), &id) >= 0, let id else {
            return getenv("XDG_SESSION_ID").flatMap { path(of: $0) }
        }
        defer { free(id) }
        return path(of: id)
    }

    private static func path(of id: UnsafePointer<CChar>) -> String? {
        var path: UnsafeMutablePointer<CChar>?
        guard sd_bus_path_encode("/org/freedesktop/login1/session", id, &path) >= 0, let path else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
