// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload
import WorkerSupervisor

/// The programs that show a view in a browser, and the folder of what they need.
struct ServingPrograms {
    struct Settings {
        /// The folder of what extensions keep; `nil` means that nothing outlives the host.
        var state: String?
        /// The further words of the command `serve`.
        var words: [String] = []
    }

    /// The hint of an error on a program that has said more itself.
    static let lookAbove = "what it said stands above"
    private static let centerName = "notification-center"

    private let settings: Settings
    /// The folder of the centre and of the host's configuration, which nobody else may enter.
    private let folder: HostFolder

    init(_ settings: Settings) throws(CommandError) {
        self.settings = settings
        folder = try HostComposition.folder(nil)
        chmod(folder.path, 0o700)
    }

    /// Removes the folder; whoever has it open must have ended.
    func removeFolder() { folder.remove() }

    private var center: String { folder.path + "/center" }
    private var centerProgram: String { HostComposition.programFolder + "/" + Self.centerName }

    /// Starts a centre with a page on a free port of this machine itself; the lines are what it says to people.
    func startCenter() throws(CommandError) -> (TiedProgram, ProgramLines) {
        let (reader, writer) = try TiedProgram.pipe()
        defer { close(writer) }
        let words = [Self.centerName, "serve", "--folder", center, "--http", "0", "--until-input-ends"]
        return (try TiedProgram(centerProgram, words, errors: writer), ProgramLines(reader))
    }

    /// Starts a host of the bundle, and pushes the notifications; it ends with its input.
    func startHost(of served: ServedBundle) throws -> TiedProgram {
        let file = folder.path + "/host.yaml"
        let configuration = served.configuration(link: center + "/link.sock", state: settings.state)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        do { try configuration.serialized.write(to: descriptor) } catch {
            throw CommandError(
                "\"\(file)\" cannot be written: \(String(cString: strerror(error.code)))",
                hint: "TMPDIR names a folder with room"
            )
        }
        let host = try Self.start(["serve", "--config", file] + settings.words)
        host.write(served.lines)
        return host
    }

    /// Starts a build, which prints nothing to standard output.
    func startBuild(of sources: SourceWatch) throws(CommandError) -> TiedProgram {
        try Self.start(sources.buildArguments, output: STDERR_FILENO)
    }

    /// Has the centre print a link that signs a browser in; no other process knows it.
    func printLink() throws {
        let words = [Self.centerName, "sign-in", "--folder", center]
        guard try ChildCommand.run(centerProgram, words) == 0 else {
            throw CommandError("there is no link to the page", hint: Self.lookAbove)
        }
        Terminal.note("the link is good once, for five minutes; for another one: \(words.joined(separator: " "))")
    }

    /// Starts this program with other words.
    private static func start(_ words: [String], output: Int32? = nil) throws(CommandError) -> TiedProgram {
        try TiedProgram(
            "/proc/self/exe",
            [CommandLine.arguments[0]] + words,
            output: output,
            errors: STDERR_FILENO
        )
    }
}
