// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking

/// The centre that an app's process talks to, and the name under which it does.
package struct CenterAddress: Sendable, Equatable {
    /// The path of the socket of apps.
    package var socket: String
    /// The app's bundle identifier.
    package var app: String

    package init(socket: String, app: String) {
        self.socket = socket
        self.app = app
    }

    /// Finds the address of this process: the socket in `NESTBOX_CENTER`, which may be the centre's folder, else in the
    /// user's runtime folder or the system's; the app in the main bundle, else in `NESTBOX_APP`.
    ///
    /// `nil` means that no such socket is there, or that the app has no identifier.
    package init?(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        bundleIdentifier: String? = Bundle.main.bundleIdentifier
    ) {
        guard let app = bundleIdentifier ?? environment["NESTBOX_APP"], !app.isEmpty,
            let socket = Self.candidates(environment).first(where: FileManager.default.fileExists(atPath:))
        else { return nil }
        self.init(socket: socket, app: app)
    }

    /// True if no socket is at a path: nobody serves there, and nobody is about to.
    static func isAbsent(_ socket: String) -> Bool { !FileManager.default.fileExists(atPath: socket) }

    /// The paths at which a socket may be, the first choice first; a path that somebody named is the only one.
    private static func candidates(_ environment: [String: String]) -> [String] {
        if let named = environment["NESTBOX_CENTER"], !named.isEmpty {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
            return [isThere && isFolder.boolValue ? named + "/app.sock" : named]
        }
        let own = environment["XDG_RUNTIME_DIR"].map { $0 + "/nestbox/app.sock" }
        return [own, "/run/nestbox/owners/\(NSUserName())/app.sock"].compactMap(\.self)
    }
}
