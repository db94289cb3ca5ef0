// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol

/// The grants of an extension beyond its bundle: a scratch folder, storage and the network.
struct LaunchGrants: Equatable {
    /// Size of its scratch folder and of every file in it; 0: none, and no network either.
    var scratchByteCount: UInt64 = 0
    /// Absolute path of the folder with its `home`, `groups` and `tmp`, which outlive a process; nil: everything in
    /// scratch goes with the process.
    var storagePath: String?
    /// The host's proxy, as the only place to connect to.
    var network = false

    static let none = LaunchGrants()

    /// In the launcher's words.
    var flags: UInt32 { Self.flags(scratch: scratchByteCount > 0, network: scratchByteCount > 0 && network) }

    /// -1 without storage.
    func storageFolder() throws(SystemError) -> Descriptor {
        guard let storagePath else { return Descriptor(-1) }
        return try Descriptor.folder(storagePath)
    }

    /// There is no network without a scratch folder.
    static func flags(scratch: Bool, network: Bool) -> UInt32 {
        (scratch || network ? LAUNCHER_SCRATCH.rawValue : 0) | (network ? LAUNCHER_NETWORK.rawValue : 0)
    }
}

/// The launcher's report of a process that runs its program now.
struct LaunchedProcess: ~Copyable {
    let pid: Int32
    let pidfd: Descriptor
    /// The open `/proc/PID/status` of the process.
    let statusFile: Descriptor
    /// Listens in the process's own network for connections to its proxy; nil without the network grant.
    let listener: Descriptor?
    /// The process can write below its scratch folder.
    let hasScratch: Bool
    /// The process can connect to its proxy.
    let hasNetwork: Bool
    /// To the rest of the system it is the host's own user.
    let sharesUser: Bool

    /// Takes the event's descriptors.
    init(_ event: launcher_event) {
        pid = event.pid
        pidfd = Descriptor(event.pidfd)
        statusFile = Descriptor(event.status_descriptor)
        listener = event.listener >= 0 ? Descriptor(event.listener) : nil
        hasScratch = event.flags & LAUNCHER_SCRATCH.rawValue != 0
        hasNetwork = event.flags & LAUNCHER_NETWORK.rawValue != 0
        sharesUser = event.shared_uid != 0
    }
}
