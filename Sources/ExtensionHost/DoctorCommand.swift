// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import WorkerSupervisor

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tells what the sandbox can do on this machine.",
        discussion:
            "Everything is found out by doing it. Exit status 1 when nothing separates an extension from the host."
    )

    @Option(help: "A configuration whose state folder is looked at too.")
    var config: String?

    @Option(help: "The strongest sandbox profile to try: A, B, C or D.")
    var profile = SandboxProfile.A

    func run() throws {
        let configuration = try config.map { file throws(CommandError) in try HostConfiguration(file: file) }
        var groups = WorkerGroups.makeRoom()
        let launcher: Launcher
        do {
            launcher = try Launcher(
                executable: HostComposition.programFolder + "/worker-launcher",
                strongestProfile: Character(profile.rawValue)
            )
            try groups.register(with: launcher)
        } catch {
            throw CommandError(error)
        }
        var report = MachineReport(launcher.capabilities, groups)
        if let configuration {
            report.rows.append(MachineReport.state(configuration.stateFolder))
            report.rows += configuration.stateFolder.map(MachineReport.activity) ?? []
        }
        print(report.text)
        if report.profile == "D" { throw ExitCode.refused }
    }
}

/// The report of `doctor` on what this machine offers a sandbox and a host.
struct MachineReport {
    struct Row {
        let name: String
        let isThere: Bool
        let detail: String
    }

    let profile: Character
    var rows: [Row]

    init(_ capabilities: Launcher.Capabilities, _ groups: WorkerGroups) {
        profile = capabilities.profile
        rows =
            Self.namespaces(capabilities.namespaces) + Self.layers(capabilities)
            + [Self.network(capabilities), Self.memoryLock, Self.cgroup(groups), Self.workerMemory(.ofThisProcess)]
    }

    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        let lines = rows.map { row in
            let name = row.name.padding(toLength: width, withPad: " ", startingAt: 0)
            return "\(row.isThere ? "yes" : "no ")  \(name)  \(row.detail)"
        }
        return (["profile \(profile): \(Self.meaning(of: profile))", ""] + lines).joined(separator: "\n")
    }

    private static func meaning(of profile: Character) -> String {
        switch profile {
        case "A": "own namespaces and root, Landlock, system-call filter; no privilege of the host"
        case "B": "own namespaces and root, Landlock, system-call filter; set up as root"
        case "C": "Landlock and system-call filter; no namespaces"
        default: "system-call filter and limits; extensions read what the host's user may read"
        }
    }

    /// Returns the row on the memory of workers, with the number of workers that it is enough for.
    static func workerMemory(_ memory: MachineMemory) -> Row {
        let count = memory.ofWorkers / AppConfiguration().memoryLimitByteCount
        return Row(
            name: "memory of workers",
            isThere: true,
            detail: "\(HumanText.size(memory.ofWorkers)) in all, half of what this machine gives: \(count) of 24 MB"
        )
    }

    /// Returns the row on the state folder, by which an envelope that was opened stays known when processes end.
    static func state(_ folder: String?) -> Row {
        let name = "state folder"
        guard let folder else {
            return Row(name: name, isThere: false, detail: "state: none; what was opened is forgotten with the opener")
        }
        do {
            try ReplayFiles.check(folder: folder)
            return Row(name: name, isThere: true, detail: folder)
        } catch .inUse {
            return Row(name: name, isThere: true, detail: "\(folder), in use by a host")
        } catch .unusable(_, let cause) where cause.code == ENOENT {
            return Row(name: name, isThere: true, detail: "\(folder), to be made by the first host")
        } catch {
            return Row(name: name, isThere: false, detail: CommandError(error).message)
        }
    }

    private static func namespaces(_ found: Launcher.Capabilities.Namespaces) -> [Row] {
        let all: [(String, Launcher.Capabilities.Namespaces)] = [
            ("user", .user), ("mount", .mount), ("pid", .pid), ("net", .net), ("ipc", .ipc), ("uts", .uts),
            ("cgroup", .cgroup),
        ]
        return all.map { name, namespace in
            let isThere = found.contains(namespace)
            return Row(
                name: "\(name) namespace",
                isThere: isThere,
                detail: isThere ? "a process was started in its own" : "a process in its own could not be started"
            )
        }
    }
}
