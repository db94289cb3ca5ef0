// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The folder of a centre, which every command names.
struct CenterFolder: ParsableArguments {
    @Option(name: .customLong("folder"), help: "The centre's folder (mode 0700).")
    var given: String

    /// The absolute path.
    var path: String { URL(fileURLWithPath: given).standardizedFileURL.path }
    /// The socket by which a host hands over records.
    var link: String { path + "/link.sock" }
    /// The socket of the API.
    var http: String { path + "/http.sock" }
    /// The socket of apps.
    var app: String { path + "/app.sock" }

    /// Makes the folder unless it is there, and refuses one that others can open.
    func prepare() throws(Failure) {
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
        // A socket's path has 107 bytes at most.
        guard [http, link, app].allSatisfy({ $0.utf8.count <= 107 }) else {
            throw Failure(
                "the folder \"\(path)\" has a path too long for sockets in it",
                hint: "a socket's path has at most 107 bytes: name a folder nearer to the root"
            )
        }
    }
}
