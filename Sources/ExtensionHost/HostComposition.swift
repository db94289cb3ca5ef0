// SPDX-License-Identifier: Apache-2.0

import CenterLink
import Foundation
import HostConfinement
import HostRuntime
import KeychainStore
import Logging
import NetworkProxy
import WorkerProtocol
import WorkerSupervisor

/// The parts of a host that are alike in `serve` and `run`: launcher, opener, workers, pipeline.
///
/// Made in an order that matters, all of it on the process's only thread: the launcher starts, takes the key files and
/// is sealed; the folders are made; then the process gives up its own rights, and only then has it threads and listens.
struct HostComposition {
    let supervisor: WorkerSupervisor
    let pipeline: PushPipeline
    /// The calls of workers, which go to the notification centres of host.yaml.
    let calls = WorkerCalls()
    /// The files of notifications.
    let files: any AttachmentKeeping
    let deadlines: DeadlineQueue
    let clock: HostClock
    let launcher: Launcher.Capabilities
    /// Below it the host writes, and nowhere else.
    let folder: HostFolder
    /// The warnings for an operator: on grants of bundles that extensions do not get, and on their languages.
    let grantWarnings: [String]
    /// The cgroups in which the kernel counts what workers use.
    let groups: WorkerGroups
    /// The numbers of workers and connections that the descriptors are enough for.
    let descriptors: DescriptorBudget
    private let network: NetworkProxy
    private let keyFiles: [String]
    private let replayFiles: [String]
    /// Open for as long as the host uses its folder.
    private let folderLock: ReplayFiles?

    /// Starts the launcher; nothing is served yet.
    ///
    /// Without a `stateFolder` nothing outlives the process. With `isInFleet` the hosts of a fleet remember together
    /// what was opened, and the opener has no files for it. `centers` take the calls of workers. With
    /// `reportsRefusedCalls` an extension that makes a system call of which its own filter knows nothing says so before
    /// it ends.
    init(
        apps: [AppConfiguration],
        stateFolder: String? = nil,
        isInFleet: Bool = false,
        listening: HostConfiguration.Listening = .init(),
        demand: DescriptorBudget.Demand = .init(),
        reach: HostReach = HostReach(),
        centers: [ConfiguredCenter] = [],
        sandbox: SandboxChoice,
        reportsRefusedCalls: Bool = false,
        logger: Logger
    ) throws(CommandError) {
        let programs = Self.programFolder
        let networkHosts = apps.reduce(into: [:]) { $0[$1.topic] = $1.networkHosts }
            .filter { !$0.value.isEmpty }
        let workerMemory = MachineMemory.ofThisProcess.ofWorkers
        let keyFiles = apps.keyFiles
        var demand = demand
        demand.proxySockets = networkHosts.isEmpty ? 0 : NetworkProxy.Limits().sockets(apps: networkHosts.count)
        demand.keyFiles = keyFiles.count
        demand.storages = apps.count { !$0.bundles.isEmpty && $0.scratchByteCount > 0 }
        demand.views = apps.contains { $0.contentBundle != nil } ? WorkerSupervisor.viewLimit : 0
        demand.processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        SpareMemory.keepHeapsSmall()
        do {
            descriptors = try DescriptorBudget(limit: DescriptorBudget.raiseLimit(), demand)
        } catch {
            throw CommandError(error)
        }
        let hello = try Self.hello(apps, hasReplayFiles: stateFolder != nil, isInFleet: isInFleet)
        var extensions = apps.compactMap(\.supervisedExtension)
        var contents = apps.compactMap { $0.bundle == nil ? nil : $0.supervisedContent }
        func hasCenter(_ app: String) -> Bool { centers.contains { $0.takes(topic: app) } }
        for index in extensions.indices { extensions[index].hasCenter = hasCenter(extensions[index].app) }
        for index in contents.indices { contents[index].hasCenter = hasCenter(contents[index].app) }
        try Self.checkNoneIsSeen(of: keyFiles, by: apps)
        var groups = WorkerGroups.makeRoom()
        let launcher: Launcher
        do {
            launcher = try Launcher(executable: programs + "/worker-launcher", strongestProfile: sandbox.strongest)
            try launcher.register(keyFiles: keyFiles)
            try launcher.register(viewsOf: extensions)
            try groups.register(with: launcher)
            try launcher.seal()
        } catch {
            throw CommandError(error)
        }
        // They are made with the folder, and keep a second host out of it, also where the opener writes to none.
        let replayFiles = try Self.replayFiles(in: stateFolder)
        folderLock = replayFiles
        self.keyFiles = keyFiles
        self.replayFiles = stateFolder.map { folder in ReplayFiles.names.map { folder + "/" + $0 } } ?? []
        self.launcher = launcher.capabilities
        self.groups = groups
        try sandbox.check(launcher.capabilities)
        let capabilities = launcher.capabilities
        grantWarnings = apps.flatMap { $0.grantWarnings(capabilities) }
        folder = try Self.folder(stateFolder)
        do throws(StateFolderError) { try folder.closeStorage() } catch { throw CommandError(error) }
        for index in extensions.indices where extensions[index].scratchByteCount > 0 {
            try folder.makeStorage(of: &extensions[index], at: index, launcher.capabilities)
        }
        let monotonic = HostClock(ContinuousClock())
        let store = try Self.attachmentStore(in: folder, monotonic)
        files = store
        let keychains = try Self.keychains(in: folder)
        ProcessorTurns.comeFirst()
        try HostConfinement(writing: folder, listening: listening, reach: reach, hidingKeys: keyFiles)
            .enter(hidingKeys: keyFiles)

        ProcessorTurns.shorten()
        let loop: EventLoop
        do { loop = try EventLoop() } catch { throw CommandError("cannot watch processes: \(error)") }
        // The loop waits: nearly every action belongs there, and a timer of libdispatch leaves a piece of memory
        // behind.
        let clock = monotonic.waiting { [loop] in try await loop.sleep(for: $0) }
        self.clock = clock
        deadlines = DeadlineQueue(clock: clock)
        network = NetworkProxy(
            hosts: networkHosts,
            clock: clock,
            deadlines: deadlines,
            logger: logger
        )
        supervisor = WorkerSupervisor(
            SupervisorConfiguration(
                extensions: extensions,
                contents: contents,
                opener: keyFiles.isEmpty
                    ? nil
                    : SupervisedOpener(
                        folder: programs,
                        hello: hello,
                        replayFiles: isInFleet ? nil : replayFiles,
                        startLimit: Self.openerStartLimit(apps)
                    ),
                timeZone: Self.timeZone,
                attachmentStore: store,
                network: network,
                keychain: { keychains.answer($0, of: $1.topic, owner: $2 ? nil : $1.owner) },
                center: { [calls] call, files, app, answer in calls.call(call, files, of: app, answer: answer) },
                folder: folder,
                processLimit: descriptors.workers,
                memoryByteCount: workerMemory,
                reportsRefusedCalls: reportsRefusedCalls
            ),
            launcher: launcher,
            loop: loop,
            clock: clock,
            deadlines: deadlines,
            logger: logger
        )
        pipeline = PushPipeline(
            apps: apps.map(\.hosted),
            opener: supervisor,
            runner: supervisor,
            store: store,
            files: SealedFileDelivery(fetcher: network, opener: supervisor, store: store, deadlines: deadlines),
            clock: clock
        )
    }

    /// Starts the opener and the workers; the deadlines must be running.
    ///
    /// `firstOwners` are the owners who have the apps' own folders and keychains, by topic.
    func start(firstOwners: [String: String] = [:]) async throws(CommandError) {
        do {
            try await supervisor.start(firstOwners: firstOwners)
        } catch let error as OpenerError {
            throw error.commandError(keyFiles: keyFiles, replayFiles: self.replayFiles)
        } catch {
            throw CommandError("cannot watch the launcher: \(error)")
        }
    }

    /// Lets every process go, and what they had open on the network; afterwards nobody uses the host's folder.
    ///
    /// Call it when nothing is open any more, while the deadlines run.
    func end() async {
        await supervisor.end()
        await network.end()
    }

    /// The folder of this program, where its helpers are too.
    static var programFolder: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().path
    }

    /// Without a zone the first formatter of a worker searches files it cannot see.
    private static var timeZone: String {
        let zone = ProcessInfo.processInfo.environment["TZ"] ?? TimeZone.current.identifier
        return zone.utf8.count < 64 ? zone : "UTC"
    }

    /// Returns the opener's first packets: the policies of the apps, with descriptors in place of paths.
    static func hello(
        _ apps: [AppConfiguration],
        hasReplayFiles: Bool,
        isInFleet: Bool = false
    ) throws(CommandError) -> [[UInt8]] {
        let first = Int32(OpenerError.firstKeyDescriptor)
        let numbers = Dictionary(uniqueKeysWithValues: zip(apps.keyFiles, first...))
        let policies = apps.filter { !$0.keys.isEmpty }.map { $0.openerPolicy(numbers) }
        let replay = Int32(OpenerError.firstReplayDescriptor)
        let hello = OpenerHello(
            policies: policies,
            replays: hasReplayFiles && !isInFleet ? [replay, replay + 1] : [],
            marks: isInFleet
        )
        do { return try hello.packets() } catch { throw CommandError(error) }
    }

    /// An opener derives a secret for each sender before it is ready, in some 0.1 ms; half of the processors may be
    /// somebody else's meanwhile.
    private static func openerStartLimit(_ apps: [AppConfiguration]) -> Duration {
        .seconds(10) + .milliseconds(apps.reduce(0) { $0 + 10 + 2 * $1.senders.count * $1.keys.count })
    }

    /// Refuses a key file that lies in a folder which an extension of some apps can read.
    static func checkNoneIsSeen(of keys: [String], by apps: [AppConfiguration]) throws(CommandError) {
        let folders = Set(apps.flatMap { $0.bundles.map(\.path) + ($0.bundles.isEmpty ? [] : $0.viewFolders) })
        for key in keys {
            var above = URL(fileURLWithPath: key).resolvingSymlinksInPath().path[...]
            while let slash = above.lastIndex(of: "/") {
                above = above[..<slash]
                guard folders.contains(String(above)) else { continue }
                throw CommandError(
                    "key file \"\(key)\" lies in \"\(above)\", which an extension sees",
                    hint: "move it to a folder of its own"
                )
            }
        }
    }

    private static func replayFiles(in folder: String?) throws(CommandError) -> ReplayFiles? {
        guard let folder else { return nil }
        do { return try ReplayFiles(folder: folder) } catch { throw CommandError(error) }
    }
}
