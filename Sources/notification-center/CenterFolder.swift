// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import CenterStore
import Foundation

/// The folders of a centre, which every command finds in the same way: one that is named, or those of the user.
struct CenterFolder: ParsableArguments {
    @Option(
        name: .customLong("folder"),
        help: ArgumentHelp(
            "The centre's folder (mode 0700), with its sockets.",
            discussion: """
                Without it the folder is nestbox/center in $XDG_STATE_HOME (~/.local/state), and the sockets are in \
                nestbox in $XDG_RUNTIME_DIR, where apps look for them.
                """
        )
    )
    var given: String?

    /// The absolute path of the folder with the database.
    var path: String { paths.folder }

    /// The absolute path of the folder with the sockets.
    var sockets: String { paths.sockets }
    private var paths: CenterPaths { CenterPaths(folder: given) }

    /// The socket by which a host hands over records.
    var link: String { sockets + "/link.sock" }
    /// The socket that tells what the centre counts.
    var metrics: String { sockets + "/metrics.sock" }
    /// The folder in which each owner but `me` has a folder of its own.
    var owners: String { paths.owners }
    /// The command that starts this centre.
    var start: String { "notification-center serve" + (given == nil ? "" : " --folder \(path)") }

    /// The folder with the sockets of an owner, which for `me` is the centre's own.
    func place(of owner: OwnerName) -> String { paths.place(of: owner.text) }

    /// The socket of the API of an owner.
    func http(of owner: OwnerName) -> String { paths.http(of: owner.text) }

    /// The socket of the API at which commands ask for an owner; `nil` means the user.
    func httpToAsk(of owner: OwnerName?) -> String { paths.httpToAsk(of: owner?.text) }

    /// The socket of an owner's apps.
    func app(of owner: OwnerName) -> String { place(of: owner) + "/app.sock" }

    /// Makes the folders unless they are there, and refuses one that others can open.
    ///
    /// `isShared` means that some sockets are another user's, who must come to them: others may then pass through the
    /// folders of the sockets, and still neither list nor change them.
    func prepare(for all: [OwnerName], isShared: Bool) throws(Failure) {
        if given == nil {
            // Those above it are the user's own, and may not be there yet.
            try? FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try Self.make(path, isShared: isShared && sockets == path)
        if sockets != path { try Self.make(sockets, isShared: isShared) }
        try judgePaths(of: all)
        let places = Set(all.map(place)).subtracting([sockets])
        if !places.isEmpty { try Self.make(owners, isShared: isShared) }
        for place in places.sorted() { try Self.make(place, isShared: isShared) }
        if isShared { try Self.requirePassage(to: sockets) }
    }

    /// Refuses a folder in which sockets would have too long a path.
    func judgePaths(of owners: [OwnerName]) throws(Failure) {
        // A socket's path has 107 bytes at most.
        guard (owners.map(http) + [link, metrics]).allSatisfy({ $0.utf8.count <= 107 }) else {
            throw Failure(
                "the folder \"\(sockets)\" has a path too long for sockets in it",
                hint: "a socket's path has at most 107 bytes: name a folder nearer to the root"
            )
        }
    }

    /// Others come to a folder only through those above it.
    private static func requirePassage(to path: String) throws(Failure) {
        var folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            var facts = stat()
            guard stat(folder.path, &facts) == 0, facts.st_mode & 0o001 != 0 else {
                throw Failure(
                    "other users cannot come to the sockets in \"\(path)\": \"\(folder.path)\" is closed to them",
                    hint: "name a folder that they can reach with --folder, as /var/lib/nestbox/center"
                )
            }
            folder.deleteLastPathComponent()
        }
    }

    private static func make(_ path: String, isShared: Bool) throws(Failure) {
        let mode: mode_t = isShared ? 0o711 : 0o700
        if mkdir(path, mode) == 0 {
            // Whatever the process takes from the modes of its files.
            chmod(path, mode)
        } else if errno != EEXIST {
            throw Failure(
                "the folder \"\(path)\" cannot be made: \(String(cString: strerror(errno)))",
                hint: "make the folder above it first"
            )
        }
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            throw Failure("\"\(path)\" is no folder", hint: "name a folder of the centre's own")
        }
        try judge(facts, of: path, isShared: isShared)
        guard facts.st_mode & mode == mode else {
            throw Failure(
                "the users to whom owners belong cannot come to their sockets in \"\(path)\"",
                hint: "chmod 711 \(path)"
            )
        }
    }

    /// Refuses what is no folder, or is another user's, or open to others; a shared one may be open to passing through.
    static func judge(_ facts: stat, of path: String, isShared: Bool) throws(Failure) {
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw Failure("\"\(path)\" is no folder", hint: "name a folder of the centre's own")
        }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o077 & (isShared ? ~0o011 : ~0) == 0 else {
            throw Failure(
                "the folder \"\(path)\" is open to other users",
                hint: "chmod \(isShared ? 711 : 700) \(path)"
            )
        }
    }
}
