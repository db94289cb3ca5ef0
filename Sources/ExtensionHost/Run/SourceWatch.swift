// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Builds the bundle and runs it, and again whenever its sources or the payloads change, until it is interrupted.
///
/// Each build and each run is a process of its own with this one's arguments, so that what a run confines or leaves
/// behind ends with it.
struct SourceWatch {
    private let sources: [String]
    private let bundle: String
    private let payloads: [String]

    init(sources: [String], bundle: String, payloads: [String]) {
        self.sources = sources
        self.bundle = bundle
        self.payloads = payloads
    }

    func repeatForever() throws(CommandError) -> Never {
        let watch = try FileWatch()
        while true {
            // Watched before they are read: what changes meanwhile is seen.
            for path in sources + payloads where path != "-" { try watch.add(path) }
            if try spawn(buildArguments) == 0 { _ = try spawn(runArguments) }
            Terminal.note("waiting for a change, control-C ends")
            watch.waitForChange()
        }
    }

    private var buildArguments: [String] {
        // The identifier that the bundle has already: Info.plist may leave it to Xcode.
        let identifier = (try? ExtensionBundle(path: RunCommand.absolute(bundle)))?.bundleIdentifier
        return ["build"] + sources + ["-o", bundle] + (identifier.map { ["--identifier", $0] } ?? [])
    }

    /// This process's own, without the watch.
    private var runArguments: [String] {
        var arguments: [String] = []
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if word == "--watch" {
                _ = words.popFirst()
            } else if !word.hasPrefix("--watch=") {
                arguments.append(word)
            }
        }
        return arguments
    }

    private func spawn(_ arguments: [String]) throws(CommandError) -> Int32 {
        var pid: pid_t = 0
        var words = ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let failure = posix_spawn(&pid, "/proc/self/exe", nil, nil, &words, environ)
        guard failure == 0 else {
            throw CommandError("\(Terminal.program) cannot be started: \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
