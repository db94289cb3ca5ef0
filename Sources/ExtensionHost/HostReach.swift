// SPDX-License-Identifier: Apache-2.0

/// The ports and paths that the services of a host need once it is confined, beside its own folder.
struct HostReach: Equatable {
    /// TCP ports to listen on.
    var ports: [UInt16] = []
    /// Absolute paths.
    var writableFolders: [String] = []
    /// Absolute paths of files and folders that are read again while the host runs.
    var readable: [String] = []
}
