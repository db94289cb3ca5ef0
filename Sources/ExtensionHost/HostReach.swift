// SPDX-License-Identifier: Apache-2.0

import AdminPort
import Foundation

/// What the services of a host need once it is confined, beside its own folder.
struct HostReach: Equatable {
    /// TCP ports to listen on.
    var ports: [UInt16] = []
    /// Absolute paths.
    var writableFolders: [String] = []
    /// Absolute paths of files and folders that are read again while the host runs.
    var readable: [String] = []
}

extension HostConfiguration {
    var reach: HostReach {
        var reach = HostReach()
        for case .file(let file) in sinks { reach.writableFolders.append(folder(of: file.path)) }
        switch admin?.address {
        case .tcp(_, let port): reach.ports.append(UInt16(port))
        case .socket(let path): reach.writableFolders.append(folder(of: path))
        case nil: break
        }
        return reach
    }

    private func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}
