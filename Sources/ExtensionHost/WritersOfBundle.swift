// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import HostRuntime

/// A check that only root and the host's user may change what a bundle holds; any other bundle is refused.
///
/// Looks at the bundle's folder, all that is in it, and every folder on the way there, as sshd judges a user's keys
/// ("StrictModes"): whoever may write to one of the folders above may put another bundle in the place of this one.
struct WritersOfBundle {
    /// The largest number of files and folders in a bundle; one that has more is refused.
    static let entryLimit = 20_000

    /// The host's user.
    let user: UInt32
    let namespace: UserNamespace
    /// Tells whether a group is a user's own, of the same name and with no other member; asks the machine's lists.
    let isPrivateGroup: (_ group: UInt32, _ user: UInt32) -> Bool

    static var own: WritersOfBundle {
        WritersOfBundle(user: geteuid(), namespace: .own, isPrivateGroup: Self.isPrivateGroup)
    }

    func check(_ path: String) throws(CommandError) {
        if let refusal = refusal(of: path) { throw refusal }
    }

    /// Returns why the bundle is refused.
    ///
    /// `nil` means that nobody else may write there.
    func refusal(of path: String) -> CommandError? {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A link that somebody else may replace leads elsewhere at the next start.
        for path in Set([path, resolved]).sorted() {
            if let refusal = Self.foldersAbove(path).lazy.compactMap({ self.refusal(ofOne: $0, isAbove: true) }).first {
                return refusal
            }
        }
        if let refusal = refusal(ofOne: resolved) { return refusal }
        guard let entries = FileManager.default.enumerator(atPath: resolved) else { return nil }
        var count = 0
        for case let name as String in entries {
            count += 1
            guard count <= Self.entryLimit else {
                return CommandError("\"\(resolved)\" holds more than \(Self.entryLimit) files and folders")
            }
            if let refusal = refusal(ofOne: "\(resolved)/\(name)") { return refusal }
        }
        return nil
    }

    private static func foldersAbove(_ path: String) -> [String] {
        var folders: [String] = []
        var path = path
        while let slash = path.lastIndex(of: "/"), path != "/" {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            folders.append(path)
        }
        return folders
    }

    private func refusal(ofOne path: String, isAbove: Bool = false) -> CommandError? {
        // Of a folder on the way the one counts that a link leads to; in a bundle a link is the owner's alone.
        guard let facts = FileFacts(at: path, followsLinks: isAbove) else { return nil }
        guard isTrusted(facts.owner) else {
            return CommandError(
                "\"\(path)\" belongs to user \(facts.owner), who may change the bundle",
                hint: "chown it to root, or to the user of the host"
            )
        }
        guard facts.kind != .link else { return nil }
        // In a folder like /tmp nobody may remove or rename what is another's.
        if isAbove, facts.permissions & 0o1000 != 0 { return nil }
        if facts.permissions & 0o002 != 0 {
            return CommandError("\"\(path)\" can be written by anyone", hint: "chmod go-w \(path)")
        }
        guard facts.permissions & 0o020 != 0 else { return nil }
        // With an access list the group's bits are the most that anybody on the list has.
        if !linux_has_access_list(path), isPrivateGroup(facts.group, facts.owner) { return nil }
        return CommandError("\"\(path)\" can be written by its group", hint: "chmod go-w \(path)")
    }

    private func isTrusted(_ owner: UInt32) -> Bool {
        // Where root is not of this namespace, the kernel shows root's files as those of nobody whom it knows.
        owner == 0 || owner == user || (!namespace.holdsRoot && !namespace.holds(owner))
    }

    /// The group that many systems give a user, under the user's own name, with a mask that lets it write.
    private static func isPrivateGroup(_ group: UInt32, of user: UInt32) -> Bool {
        guard let entry = getpwuid(user)?.pointee, entry.pw_gid == group else { return false }
        let name = String(cString: entry.pw_name)
        guard let found = getgrgid(group)?.pointee, String(cString: found.gr_name) == name else { return false }
        var member = found.gr_mem
        while let next = member, let text = next.pointee {
            guard String(cString: text) == name else { return false }
            member = next + 1
        }
        return true
    }
}
