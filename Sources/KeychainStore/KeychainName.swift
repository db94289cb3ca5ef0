// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of a keychain: an app, and an owner unless it is the app's first one.
struct KeychainName: Hashable {
    let app: String
    /// `nil` means the app's first owner, whose keychain has the app's name alone.
    let owner: String?

    /// Takes names that are names of files; `nil` means that one of these is none.
    init?(app: String, owner: String?) {
        for name in [app, owner ?? app] {
            guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0), name != ".", name != ".." else {
                return nil
            }
        }
        self.app = app
        self.owner = owner
    }

    /// The bytes that the file's key is made of and that are authenticated with it: the app, and after a zero byte the
    /// owner.
    ///
    /// No name has a zero byte, so no two keychains have the same bytes. A file from a version without owners has those
    /// of the first owner.
    var identity: Data {
        var bytes = Data(app.utf8)
        if let owner { bytes += [0] + Data(owner.utf8) }
        return bytes
    }

    /// The path of the file below the host's folder.
    func path(in folder: String) -> String {
        owner.map { "\(folder)/owners/\($0)/keychains/\(app)" } ?? "\(folder)/keychains/\(app)"
    }
}
