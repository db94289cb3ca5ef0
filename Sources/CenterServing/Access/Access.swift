// SPDX-License-Identifier: Apache-2.0

package import CenterStore
import NIOHTTP1

/// A caller of the API who is known: whose notifications it may see, and what it may do.
package struct Access: Sendable {
    let owner: OwnerName
    /// `nil` means that the caller may do everything: it opened the owner's own socket.
    let grant: Grant?
    /// The session or token by which the caller is known; `nil` at the owner's own socket.
    let credential: Credential?
    /// The cookie that the answer renews; `nil` leaves the browser's as it is.
    var cookie: String?

    /// The owner, at the socket that nobody else may open.
    package static func full(_ owner: OwnerName) -> Access { Access(owner: owner, grant: nil, credential: nil) }

    /// The caller who shows a credential, and may do what that says.
    init(_ credential: Credential) {
        self.init(owner: credential.owner, grant: Grant(stored: credential.grant), credential: credential)
    }

    private init(owner: OwnerName, grant: Grant?, credential: Credential?) {
        self.owner = owner
        self.grant = grant
        self.credential = credential
    }

    /// True if the caller shows what anybody in front of it may read.
    var isForLock: Bool { grant?.scopes.contains(.lockSurface) ?? false }

    func allows(_ scope: Scope) -> Bool { grant?.scopes.contains(scope) ?? true }
}

extension APIRequest {
    /// The scope that the request needs; `nil` means that whoever is known may make it.
    var scope: Scope? {
        let isReading = method == .GET || method == .HEAD
        switch path.first ?? "" {
        case "front", "stacks", "notifications", "history", "events": return isReading ? .read : .respond
        // Whoever reads may say how it does.
        case "surfaces": return .read
        // Whoever works a view can have the app answer for the person.
        case "views": return isReading ? .read : .respond
        case "seen": return .respond
        // It cannot be taken back.
        case "apps" where path.count == 2 && !isReading: return .owner
        case "apps", "owner": return isReading ? .read : .settings
        case "app": return path.count > 1 ? .app(path[1]) : nil
        case "position": return .position
        case "sessions": return .settings
        case "tokens", "codes": return .admin
        // What is about nobody, and what there is not.
        default: return nil
        }
    }
}
