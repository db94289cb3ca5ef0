// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
    var path: String {
        if let given { return URL(fileURLWithPath: given).standardizedFileURL.path }
        return (Self.variable("XDG_STATE_HOME") ?? NSHomeDirectory() + "/.local/state") + "/nestbox/center"
    }

    /// The absolute path of the folder with the sockets.
    var sockets: String {
        guard given == nil, let runtime = Self.variable("XDG_RUNTIME_DIR") else { return path }
        return runtime + "/nestbox"
    }

    /// The socket by which a host hands over records.
    var link: String { sockets + "/link.sock" }
    /// The socket of the API.
    var http: String { sockets + "/http.sock" }
    /// The socket of apps.
    var app: String { sockets + "/app.sock" }
    /// The command that starts this centre.
    var start: String { "notification-center serve" + (given == nil ? "" : " --folder \(path)") }

    /// An absolute path of the environment: the specification has any other ignored.
    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Makes the folders unless they are there, and refuses one that others can open.
    func prepare() throws(Failure) {
        if given == nil {
            // Those above it are the user's own, and may not be there yet.
            try? FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try Self.make(path)
        if sockets != path { try Self.make(sockets) }
        // A socket's path has 107 bytes at most.
        guard [http, link, app].allSatisfy({ $0.utf8.count <= 107 }) else {
            throw Failure(
                "the folder \"\(sockets)\" has a path too long for sockets in it",
                hint: "a socket's path has at most 107 bytes: name a folder nearer to the root"
            )
        }
    }

    private static func make(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Failure(
                "the folder \"\(path)\" cannot be made: \(String(cString: strerror(errno)))",
                hint: "make the folder above it first"
            )
        }
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw Failure("\"\(path)\" is no folder", hint: "name a folder of the centre's own")
        }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
            throw Failure("the folder \"\(path)\" is open to other users", hint: "chmod 700 \(path)")
        }
    }
}
