// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import CenterServing
import CenterStore
import Foundation
import HostConfinement
import Logging
import PacketSockets
import TerminationSignals

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Keeps notifications and serves them until it is told to stop.",
        discussion: """
            A host with "sinks: [center: { socket: FOLDER/link.sock }]" hands its records over; each is kept before the
            host hears so. SIGTERM ends: what was handed over is stored and answered first. With a certificate,
            SIGHUP has it read again.

            Example:
              notification-center serve --folder ./center --owner maria --owner kitchen
              notification-center serve --http 8443 --host :: --certificate ./chain.pem --key ./centre.key \\
                --public-origin https://nestbox.example.org:8443
            """
    )

    @OptionGroup var folder: CenterFolder
    @OptionGroup var storeKey: StoreKeyFile

    @Option(
        help: ArgumentHelp(
            "A person or screen whose notifications are kept; repeatable, 16 at most.",
            discussion: """
                Without it there is one owner, me, or those for whom systemd has handed sockets over. The sockets of every \
                other are in owners/NAME. With =USER they belong to that user of the system, which takes a centre that \
                runs as root.
                """,
            valueName: "name[=user]"
        )
    )
    var owner: [ServedOwner] = []

    @OptionGroup var web: WebOptions

    @Option(help: "A gpsd of this machine that says where the owner is, for requests with a region: HOST:PORT.")
    var gpsd: GpsdAddress?

    @Flag(
        help:
            "End when standard input ends, as on SIGTERM: for a program that starts the centre and keeps a pipe to it."
    )
    var untilInputEnds = false

    @Option(help: "Least level that is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = "notice"

    func validate() throws {
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("unknown log level \"\(logLevel)\"")
        }
        guard owner.count <= CenterService.ownerLimit else {
            throw ValidationError("--owner names \(owner.count) owners, and a centre has 16 at most")
        }
        guard Set(owner.map(\.name)).count == owner.count else {
            throw ValidationError("--owner names one owner twice")
        }
        guard gpsd == nil || owner.count < 2 else {
            throw ValidationError("--gpsd says where one owner is, and --owner names several: use PUT /v1/position")
        }
    }

    /// Makes the centre on the process's only thread, since a process is confined thread by thread.
    func prepare() throws(Failure) -> CenterService {
        // It would hold opened notifications.
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let descriptors = Self.raiseDescriptorLimit()
        // No file is made that others may read, in a folder that they pass through.
        umask(0o077)
        let manager = SystemdSocket(environment: ProcessInfo.processInfo.environment)
        let owners = try served(HandedDoors.takeAll())
        let own = owners.filter { $0.doors == nil }
        try folder.prepare(for: own.map(\.name), isShared: own.contains { $0.user != .own })
        let key = try storeKey.read(for: folder)
        let web = try web.open()
        if web?.tls != nil { RenewalSignal.prepare() }
        try confine(reading: web?.readable ?? [])
        var logger = Logger(label: "notification-center") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        return try CenterService(
            folder,
            owners,
            key,
            web: web,
            descriptors: descriptors,
            gpsd: gpsd,
            manager: manager,
            endsWithInput: untilInputEnds,
            logger: logger
        )
    }

    /// The owners whom the command names, or else those who were handed sockets, or else the only one.
    private func served(_ doors: [OwnerName: HandedDoors]) throws(Failure) -> [CenterService.Owner] {
        let names = doors.keys.sorted { $0.text < $1.text }
        guard !owner.isEmpty || !doors.isEmpty else {
            return [CenterService.Owner(name: .only, user: .own)]
        }
        guard names.count <= CenterService.ownerLimit, gpsd == nil || names.count < 2 else {
            throw Failure(
                "sockets were handed over for \(names.count) owners",
                hint: "a centre has \(CenterService.ownerLimit) at most, and one with --gpsd has one"
            )
        }
        let all = owner.isEmpty ? names.map(ServedOwner.init) : owner
        if let other = names.first(where: { name in !all.contains { $0.name == name } }) {
            throw Failure(
                "sockets were handed over for owner \"\(other)\", whom --owner does not name",
                hint: "add --owner \(other), or disable the socket unit"
            )
        }
        var owners: [CenterService.Owner] = []
        for served in all {
            let handed = doors[served.name]
            let user = if let handed { handed.user } else { try served.user() }
            guard handed == nil || served.userName == nil else {
                throw Failure(
                    "the sockets of owner \"\(served.name)\" were handed over, and have their user",
                    hint: "write --owner \(served.name), and SocketUser= in the socket unit"
                )
            }
            owners.append(CenterService.Owner(name: served.name, user: user, doors: handed))
        }
        return owners
    }

    /// Takes as many descriptors as the machine allows, and returns their number: each app and each watcher has one.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let former = Int(clamping: limit.rlim_cur)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return isRaised ? Int(clamping: limit.rlim_cur) : former
    }

    /// Confines the process, which then reads and writes its folder, reads the places of certificate and key, executes
    /// nothing, takes no other port and connects to none but gpsd's.
    private func confine(reading places: [String]) throws(Failure) {
        guard HostConfinement.version > 0 else { return }
        do {
            try HostConfinement(
                writableFolders: Array(Set([folder.path, folder.sockets])),
                readable: HostConfinement.systemFiles + places,
                connections: gpsd.map { [$0.port] } ?? []
            ).enter(hiding: [])
        } catch {
            throw Failure("the process cannot be confined: \(error)")
        }
    }
}

extension GpsdAddress: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}
