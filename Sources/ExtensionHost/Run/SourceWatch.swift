// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Builds the bundle and runs it, and again whenever its sources or other files change, until it is interrupted.
///
/// Each build and each run is a process of its own with this one's arguments, so that what a run confines or leaves
/// behind ends with it.
struct SourceWatch {
    private let sources: [String]
    private let bundle: String
    /// The files beside the sources; "-" is none.
    private let files: [String]

    init(sources: [String], bundle: String, files: [String]) {
        self.sources = sources
        self.bundle = bundle
        self.files = files
    }

    /// The files and folders that are watched.
    var paths: [String] { sources + files.filter { $0 != "-" } }

    func repeatForever() throws(CommandError) -> Never {
        let watch = try FileWatch()
        while true {
            // Watched before they are read: what changes meanwhile is seen.
            for path in paths { try watch.add(path) }
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
        let command = [CommandLine.arguments[0]] + arguments
        do throws(SystemFault) { return try ChildCommand.run("/proc/self/exe", command) } catch {
            throw CommandError(
                "\(Terminal.program) cannot be started: \(String(cString: strerror(error.code)))",
                hint: "end other programs of this user, or try it again"
            )
        }
    }
}
