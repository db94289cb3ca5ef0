// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import FoundationEssentials

/// The places of a centre: those of a folder that is named, or those of the user.
package struct CenterPaths: Sendable {
    /// The absolute path of the folder with the database.
    package let folder: String
    /// The absolute path of the folder with the sockets.
    package let sockets: String
    /// True for a user's own folder, which nobody has named.
    private let isOwn: Bool

    /// Takes the folder that a person names; `nil` means the user's own, by the variables of XDG.
    package init(folder given: String?) {
        isOwn = given == nil
        if let given {
            folder = URL(fileURLWithPath: given).standardizedFileURL.path
            sockets = folder
        } else {
            let home = FileManager.default.homeDirectoryForCurrentUser.path
            folder = (Self.variable("XDG_STATE_HOME") ?? home + "/.local/state") + "/nestbox/center"
            sockets = Self.variable("XDG_RUNTIME_DIR").map { $0 + "/nestbox" } ?? folder
        }
    }

    /// The folder in which each owner but `me` has a folder of its own.
    package var owners: String { sockets + "/owners" }

    /// The folder with the sockets of an owner, which for `me` and for `nil` is the centre's own.
    package func place(of owner: String?) -> String {
        guard let owner, owner != CenterOwner.only else { return sockets }
        return owners + "/" + owner
    }

    /// The socket of the API of an owner.
    package func http(of owner: String?) -> String { place(of: owner) + "/http.sock" }

    /// The socket of the API at which to ask: of an owner who is named, or of the user, in whose folder no centre may
    /// have one while the system's has.
    package func httpToAsk(of owner: String?) -> String {
        let own = http(of: owner)
        guard owner == nil, isOwn, !FileManager.default.fileExists(atPath: own) else { return own }
        let system = "/run/nestbox/owners/\(ProcessInfo.processInfo.userName)/http.sock"
        return FileManager.default.fileExists(atPath: system) ? system : own
    }

    /// An absolute path of the environment: the specification has any other ignored.
    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
