// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CenterLink
import Glibc
import HostRuntime
import Ingress
import NetworkProxy
import WorkerSupervisor

/// The shares of the process's descriptors that the parts of a host may have, together never more than the limit.
///
/// A host that runs out of descriptors breaks instead of refusing: libdispatch ends a process that it can give no queue
/// of events, or in which it cannot open a file of /proc to count its threads, which it does each second while they
/// have work; and a push that was accepted finds no file to be kept in. So the most that every part may use is known
/// before the first of them is opened, workers and connections get what is left, and a limit that leaves too little for
/// two workers and a few connections is refused at the start. The budget only counts; it opens nothing.
struct DescriptorBudget: Equatable {
    /// The numbers of listeners, connections and files for which a configuration needs descriptors.
    struct Demand: Equatable {
        /// Addresses on which pushes are taken over HTTP.
        var listeners = 0
        /// Apps that read lines on a Unix socket at once; 0 without the socket.
        var lineClients = 0
        /// Connections of the admin port; 0 without the port.
        var adminConnections = 0
        /// Connections of all webhooks together.
        var webhookConnections = 0
        var fileSinks = 0
        /// Connections to a fleet's database.
        var databaseConnections = 0
        /// Sockets of the proxy; 0 where no extension has the network.
        var proxySockets = 0
        /// Apps whose extensions may write: each has its folder open.
        var storages = 0
        /// Files that the launcher keeps open.
        var keyFiles = 0
        /// Processes of views; 0 where no app has a content extension.
        var views = 0
        /// Loops and queues are as many as processors.
        var processors = 1
    }

    /// A worker's socket, output, pidfd, status, proxy listener, and two files that are copied for it; and the folder
    /// of a further owner, of whom there are half as many as workers.
    static let perWorker = 8
    /// The launcher's part of a worker: pidfd, scratch folder, cgroup, and for the time of its start a gate.
    static let launcherPerWorker = 4
    /// The launcher's table has this many places for workers and views, and a few for openers.
    static let largestWorkerCount = 512
    static let fewestWorkers = 2
    /// A view's socket, output, pidfd, status and proxy listener, and a file that is copied from it.
    private static let perView = 6
    /// A listener gets at least so many connections, and at most as many as its ingress bears by itself.
    static let fewestConnections = 16
    static let mostConnections = 1024

    /// Workers at once, of all apps together.
    let workers: Int
    /// Connections at once, of each listener.
    let connections: Int

    /// Shares out `limit` descriptors: half of what nobody needs goes to workers and half to connections, and each
    /// takes what the other leaves.
    ///
    /// - Throws: `TooFewDescriptors` when that is not enough.
    init(limit: Int, _ demand: Demand) throws(TooFewDescriptors) {
        let needed = Self.needed(for: demand)
        guard limit >= needed else { throw TooFewDescriptors(limit: limit, needed: needed) }
        let rest = limit - Self.fixed(demand)
        let mostForConnections = Self.mostConnections * demand.listeners
        let byLauncher = (limit - Self.launcherFixed(demand)) / Self.launcherPerWorker
        let mostForWorkers = min(Self.largestWorkerCount - demand.views, byLauncher) * Self.perWorker
        let half = max(rest / 2, Self.fewestConnections * demand.listeners)
        let forConnections = min(mostForConnections, max(min(half, rest), rest - mostForWorkers))
        let spare = rest - forConnections
        workers = max(Self.fewestWorkers, min(mostForWorkers, spare) / Self.perWorker)
        // Where half was too little for two workers.
        let left = rest - workers * Self.perWorker
        connections = demand.listeners == 0 ? 0 : min(forConnections, left) / demand.listeners
    }

    /// The smallest limit with which such a host starts.
    static func needed(for demand: Demand) -> Int {
        let own = fixed(demand) + fewestWorkers * perWorker + fewestConnections * demand.listeners
        return max(own, launcherFixed(demand) + fewestWorkers * launcherPerWorker)
    }

    /// Returns the number of descriptors that all parts but workers and connections may have open at once.
    static func fixed(_ demand: Demand) -> Int {
        // Standard streams, the launcher, epoll, timers and signals of the supervisor's loop, look-ups of names, and
        // what is open for a moment.
        let process = 48
        // An epoll, an eventfd and a timer for each thread of NIO's and libdispatch's.
        let loops = 6 * demand.processors
        // Its socket, output, pidfd and status, those of a predecessor that is dying, and two replay files.
        let opener = 10
        // Databases of journal and registry with their logs and readers, keychains, attachments on their way.
        let store = 48
        // A listener has a loop of its own, takes in sixteen connections at a time before it counts them, and may have
        // some open beside its places that have given way and are not closed yet.
        let listeners = (24 + HTTPIngress.leavingConnectionLimit) * demand.listeners
        let lines = demand.lineClients == 0 ? 0 : demand.lineClients + 4
        let admin = demand.adminConnections == 0 ? 0 : demand.adminConnections + 4
        // Sealed files are fetched through the proxy's sockets, into files without a name.
        let proxy = demand.proxySockets == 0 ? 0 : demand.proxySockets + sealedFiles + 8
        let views = demand.views == 0 ? 0 : demand.views * perView + pictures + gifts
        return process + loops + opener + store + listeners + lines + admin + proxy + views
            + demand.webhookConnections + 2 * demand.fileSinks + demand.storages + 2 * demand.databaseConnections
    }

    /// Sealed files on their way at once.
    private static let sealedFiles = TransitRoom().fileCount
    /// Pictures of all views.
    private static let pictures = AttachmentStore.Limit().views.fileCount

    /// Files of notifications that views have or are to get, those that come over the link, and one word's that is
    /// taken.
    private static let gifts = GiftPlaces.limit + LinkViews.fileLimit + AttachmentOffer.maximumCount

    /// Returns the number of descriptors that the launcher has open beside workers, those of views included.
    ///
    /// The launcher has the host's limit.
    static func launcherFixed(_ demand: Demand) -> Int {
        Int(OPENER_FIRST_KEY_DESCRIPTOR) + demand.keyFiles + demand.views * launcherPerWorker + 32
    }

    struct TooFewDescriptors: Error, Equatable {
        let limit: Int
        let needed: Int
    }
}

extension DescriptorBudget {
    /// The descriptors of this process, once it has taken all that it may: the usual soft limit of 1,024 is there for
    /// programs with select(2).
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_max : soft)
    }
}

extension DescriptorBudget.TooFewDescriptors: CommandFailure {
    package var commandError: CommandError {
        CommandError(
            "the descriptor limit of \(limit) is too low for this configuration, which needs at least "
                + "\(needed)",
            hint: "raise the hard limit: \"LimitNOFILE=\(max(4096, needed))\" in a unit of systemd, "
                + "\"ulimit -Hn\" in a shell"
        )
    }
}
