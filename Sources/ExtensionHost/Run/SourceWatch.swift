// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import WorkerSupervisor

/// Builds the bundle and runs it, and again whenever its sources or other files change, until it is interrupted.
///
/// Each build and each run is a process of its own with this one's arguments, so that what a run confines or leaves
/// behind ends with it.
struct SourceWatch {
    private let sources: [String]
    private let bundle: String
    /// The files beside the sources; "-" is none.
    private let files: [String]
    /// The files and folders that a run writes, which are no reason for another one wherever they are.
    let results: [String]

    init(sources: [String], bundle: String, files: [String], results: [String]) {
        self.sources = sources
        self.bundle = bundle
        self.files = files
        self.results = results
    }

    /// The files and folders that are watched.
    var paths: [String] { sources + files.filter { $0 != "-" } }

    /// Begins to watch; what does not exist yet is an error.
    func watched() throws(CommandError) -> FileWatch {
        let watch = try FileWatch(passingOver: results)
        for path in paths where try !watch.add(path) {
            throw CommandError("\"\(path)\" does not exist", hint: "name a file or folder that can be watched")
        }
        return watch
    }

    func repeatForever() throws(CommandError) -> Never {
        let watch = try watched()
        while true {
            if try spawn(buildArguments) == 0 { _ = try spawn(runArguments) }
            Terminal.note("waiting for a change, control-C ends")
            watch.waitForChange()
            // Watched before they are read: what changes meanwhile is seen. An editor may put a new file in the place
            // of the old one a moment later.
            for path in paths {
                while try !watch.add(path) {
                    Terminal.note("waiting for \"\(path)\", which is missing, control-C ends")
                    watch.waitForChange()
                }
            }
        }
    }

    /// The arguments of the command that builds the bundle.
    var buildArguments: [String] {
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
        do throws(SystemError) { return try ChildCommand.run("/proc/self/exe", command) } catch {
            throw CommandError(
                "\(Terminal.program) cannot be started: \(String(cString: strerror(error.code)))",
                hint: "end other programs of this user, or try it again"
            )
        }
    }
}
