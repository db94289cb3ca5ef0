// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// A notification centre and a host that show one bundle's view in a browser, until this process is told to end.
///
/// Both are processes of their own that end with this one, however that ends.
struct ViewServer {
    /// The things for which the server waits; of several the first one counts.
    private enum Arrival: CaseIterable {
        case stop, said, centerEnded, hostEnded, built, changed
    }

    /// Reads the bundle and the payloads; what is wrong with them is an error.
    private let read: () throws(CommandError) -> ServedBundle
    private let programs: ServingPrograms
    private let sources: SourceWatch?
    private let files: FileWatch?
    /// A descriptor that is readable once somebody asks for the end.
    private let stop: Int32
    private let center: TiedProgram
    private var centerLines: ProgramLines
    private var host: TiedProgram?
    private var build: TiedProgram?
    /// The sources have changed since they were read last.
    private var isToBuild: Bool
    /// The bundle and the notifications that no host has yet.
    private var next: ServedBundle?
    private var isCenterOpen = false
    private var hasLink = false

    /// Serves until SIGINT or SIGTERM, and ends the process then; throws when the centre ends, and without `sources`
    /// when the host does.
    ///
    /// The first signal ends both in order, the second ends this process at once.
    static func serveUntilEnd(
        _ sources: SourceWatch?,
        _ settings: ServingPrograms.Settings,
        read: @escaping () throws(CommandError) -> ServedBundle
    ) throws -> Never {
        // Programs that stand in groups of their own write to a terminal as well, whatever it thinks of that.
        signal(SIGTTOU, SIG_IGN)
        let request = try EndRequest()
        defer { withExtendedLifetime(request) {} }
        let files = try sources.map { sources throws(CommandError) in try sources.watched() }
        let first = try sources == nil ? read() : nil
        let programs = try ServingPrograms(settings)
        defer { programs.removeFolder() }
        var server = try ViewServer(read, programs, sources, files, first, request.descriptor)
        defer { server.end() }
        try server.serve()
        throw ExitCode.success
    }

    private init(
        _ read: @escaping () throws(CommandError) -> ServedBundle,
        _ programs: ServingPrograms,
        _ sources: SourceWatch?,
        _ files: FileWatch?,
        _ first: ServedBundle?,
        _ stop: Int32
    ) throws(CommandError) {
        self.read = read
        self.programs = programs
        self.sources = sources
        self.files = files
        self.stop = stop
        next = first
        isToBuild = sources != nil
        (center, centerLines) = try programs.startCenter()
    }

    private mutating func serve() throws {
        while true {
            try goOn()
            switch arrival() {
            case .stop: return
            case .said: hearCenter()
            case .centerEnded:
                while centerLines.isOpen { hearCenter() }
                throw CommandError(
                    "the notification centre ended \(center.wait().words)",
                    hint: ServingPrograms.lookAbove
                )
            case .hostEnded: try hearEndOfHost()
            case .built: try hearEndOfBuild()
            case .changed:
                guard let files, files.readChanges() else { continue }
                files.waitForRest()
                isToBuild = true
            }
        }
    }

    /// Starts what is to be done and can be done now.
    private mutating func goOn() throws {
        if isToBuild, build == nil { try startBuild() }
        guard isCenterOpen, build == nil, let served = next else { return }
        next = nil
        host?.end()
        host = nil
        host = try programs.startHost(of: served)
        if !hasLink { try programs.printLink() }
        hasLink = true
        noteWaiting()
    }

    private mutating func startBuild() throws {
        isToBuild = false
        guard let sources, let files else { return }
        // Watched before they are read: what changes meanwhile is seen.
        for path in sources.paths where try !files.add(path) {
            return Terminal.note("waiting for \"\(path)\", which is missing, control-C ends")
        }
        build = try programs.startBuild(of: sources)
    }

    private mutating func hearCenter() {
        for line in centerLines.read() {
            Terminal.passOn(line)
            if line.hasPrefix("notification-center: on ") { isCenterOpen = true }
        }
    }

    private mutating func hearEndOfHost() throws {
        guard let end = host?.wait() else { return }
        host = nil
        let error = CommandError("the host ended \(end.words)", hint: ServingPrograms.lookAbove)
        guard sources != nil else { throw error }
        Terminal.report(error)
        noteWaiting()
    }

    /// Takes a bundle that was built; otherwise the last one that was stays, and the compiler has said why.
    private mutating func hearEndOfBuild() throws {
        guard let end = build?.wait() else { return }
        build = nil
        guard end.isSuccess else { return noteWaiting() }
        do { next = try read() } catch {
            Terminal.report(error)
            noteWaiting()
        }
    }

    private func noteWaiting() {
        Terminal.note(sources == nil ? "control-C ends" : "waiting for a change, control-C ends")
    }

    /// Ends all that was started.
    private mutating func end() {
        build?.interrupt()
        host?.end()
        center.end()
        while centerLines.isOpen { hearCenter() }
    }

    /// Waits for what comes next.
    private func arrival() -> Arrival {
        while true {
            var ready = Arrival.allCases.map { pollfd(fd: descriptor(of: $0), events: Int16(POLLIN), revents: 0) }
            poll(&ready, nfds_t(ready.count), -1)
            if let place = ready.firstIndex(where: { $0.revents != 0 }) { return Arrival.allCases[place] }
        }
    }

    /// The descriptor that tells of an arrival; -1 is none.
    private func descriptor(of arrival: Arrival) -> Int32 {
        switch arrival {
        case .stop: stop
        case .said: centerLines.isOpen ? centerLines.descriptor : -1
        case .centerEnded: center.exit
        case .hostEnded: host?.exit ?? -1
        case .built: build?.exit ?? -1
        case .changed: files?.descriptor ?? -1
        }
    }
}
