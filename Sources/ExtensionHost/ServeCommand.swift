// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PacketSockets

struct ServeCommand: HostingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Takes pushes from a gateway and delivers them until it is told to stop.",
        discussion: """
            Records go to standard output, one JSON object a line. A sender hears 200 once its push is on the disk, in
            the folder that "state" names; a push that has no record when the host ends gets it from the next one.
            SIGTERM drains: what is accepted is delivered, for some seconds, then the exit status is 0, or 1 if a record
            could not be delivered. A second SIGTERM ends at once. SIGUSR1 logs what the extensions did. SIGHUP reads
            certificate and key of the listener again, and who may send; the log names what else the file changed.

            As a service of systemd: Type=notify, and WatchdogSec= if you like; the package's unit has both.
            """
    )

    @Option(help: "The configuration, host.yaml.")
    var config: String

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup var log: LogOptions

    func prepare() throws -> Service {
        signal(SIGPIPE, SIG_IGN)
        // Before anybody may send it: it asks for a report, once there is one to give.
        signal(SIGUSR1, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        // Behind the signals, which stay ignored in the program that starts anew.
        ThreadCaches.shrink()
        // It would hold keys of the listener and opened notifications.
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        try StandardDescriptors.check()
        let configuration = try HostConfiguration(file: config).withRegisteredApps()
        let remoteSinks = try configuration.prepareRemoteSinks()
        let token = try configuration.admin?.token()
        try configuration.fleet?.check()
        try configuration.checkNoKeyIsSeen()
        let fleetKeys = try configuration.fleet.map { fleet throws(CommandError) in try fleet.keys() }
        let logger = log.makeLogger()
        let systemd = SystemdSocket(environment: ProcessInfo.processInfo.environment)
        let socket = try configuration.socket?.listen()
        let host = try HostComposition(
            apps: configuration.apps,
            stateFolder: configuration.stateFolder,
            isInFleet: configuration.fleet != nil,
            listening: configuration.listening,
            demand: configuration.descriptorDemand,
            reach: configuration.reach,
            centers: remoteSinks.compactMap { $0.description as? ConfiguredCenter },
            sandbox: SandboxChoice(sandbox, required: configuration.requiredProfile),
            logger: logger
        )
        return try Service(
            configuration: configuration,
            remoteSinks: remoteSinks,
            adminToken: token,
            fleetKeys: fleetKeys,
            host: host,
            socket: socket,
            systemd: systemd,
            logger: logger
        )
    }
}
