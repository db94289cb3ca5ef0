// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// The session that the user looks at, as logind knows it.
package enum LoginSession {
    /// The object of the session on the system bus; `nil` means that logind has none for this user.
    ///
    /// A program of the user's service manager is in no session, and its user's display is the one meant.
    /// Source: sd_uid_get_display(3); org.freedesktop.login1(5).
    package static var path: String? {
        if let id = getenv("XDG_SESSION_ID") { return path(of: id) }
        var id: UnsafeMutablePointer<CChar>?
        guard sd_uid_get_display(getuid(), &id) >= 0, let id else { return nil }
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
