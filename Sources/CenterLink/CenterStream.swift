// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import HostRuntime
package import Logging
private import PacketSockets

/// The records that go to a notification centre, over its link.
///
/// A centre that is away is looked for again after 100 ms, then 1, 2, 2 … seconds, which costs some microseconds each:
/// its socket is a file of this machine. Meanwhile records wait in the outbox. Source: PROTOCOL.md, "Link".
package struct CenterStream: RecordStream {
    package let name: String
    private let path: String
    private let journal: String
    private let registry: LinkRegistry
    private let appFiles: [HostedAppFile]
    private let tokens: any TokenIssuer
    private let gates: AlertGates
    private let calls: WorkerCalls
    /// The files of records; `nil` means that the host keeps none.
    private let files: (any AttachmentKeeping)?
    private let views: any ViewServing
    private let clock: HostClock
    private let logger: Logger

    /// The time in which a centre must have said that it is ready.
    private static let patience = Duration.seconds(10)

    /// A reader's window, with room in the link's for what a packet adds to a record.
    package static var limits: StreamWindow.Limits {
        var limits = StreamWindow.Limits()
        limits.records = LinkWindow.recordLimit
        limits.byteCount = LinkWindow.byteCountLimit - LinkWindow.recordLimit * 256
        return limits
    }

    /// `path` is that of the centre's link socket, `registry` what the host has to say of owners and apps, and
    /// `appFiles` their icons and sounds, opened anew for each link; `tokens` gives apps their device tokens, `gates`
    /// hears for which of them no extension is to run, and `calls` has what their workers ask of the centre; `files`
    /// has the files of records, and `views` opens views of their content extensions.
    package init(
        name: String,
        path: String,
        journal: String,
        registry: LinkRegistry,
        appFiles: [HostedAppFile],
        tokens: any TokenIssuer,
        gates: AlertGates,
        calls: WorkerCalls,
        files: (any AttachmentKeeping)?,
        views: any ViewServing,
        clock: HostClock,
        logger: Logger
    ) {
        self.name = name
        self.path = path
        self.journal = journal
        self.registry = registry
        self.appFiles = appFiles
        self.tokens = tokens
        self.gates = gates
        self.calls = calls
        self.files = files
        self.views = views
        self.clock = clock
        self.logger = logger
        let topics = Set(registry.apps.map(\.topic))
        gates.join(name, topics: topics)
        calls.join(name, topics: topics)
    }

    package func connect() async -> (any RecordConnection)? {
        var failures = 0
        while !Task.isCancelled {
            do {
                let connection = try await open()
                logger.notice("notification centre connected", metadata: ["sink.name": "\(name)"])
                return connection
            } catch {
                // Once for each absence: a centre may be away for days.
                if failures == 0 {
                    logger.warning(
                        "notification centre not reached",
                        metadata: ["sink.name": "\(name)", "path": "\(path)", "error": "\(error)"]
                    )
                }
                let pause = failures == 0 ? Duration.milliseconds(100) : .seconds(min(2, failures))
                failures += 1
                guard (try? await clock.sleep(until: clock.now + pause)) != nil else { return nil }
            }
        }
        return nil
    }

    private func open() async throws -> any RecordConnection {
        let socket = try PacketSocket(connectingTo: path)
        let connection = CenterConnection(
            socket,
            tokens: tokens,
            gates: GateIntake(gates, of: name),
            files: files,
            views: views,
            clock: clock,
            logger: logger
        )
        let hello = LinkHello(journal: journal, floor: 0)
        do {
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await connection.greet(hello) }
                    group.addTask { [clock] in
                        try await clock.sleep(until: clock.now + Self.patience)
                        // A wait in the kernel ends with the socket alone.
                        socket.shutDown()
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
                try await connection.introduce(registry, appFiles)
            } onCancel: {
                socket.shutDown()
            }
        } catch {
            await connection.close()
            throw error
        }
        // A centre that was late is one whose socket was shut.
        guard socket.isConnected else { throw LinkRefusal.closed }
        calls.connect(name, connection)
        return connection
    }
}
