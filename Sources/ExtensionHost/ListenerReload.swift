// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress
import Logging

/// Has a listener take what host.yaml says of it now: the certificate and the senders, which are read again too.
///
/// Nothing else counts until the next start. What is wrong with the new files is an error in the log, and the old ones
/// serve on.
struct ListenerReload: Sendable {
    /// The keys of host.yaml that the listener takes, by their paths.
    let taken: [String]
    let ingress: HTTPIngress
    let logger: Logger
    /// Reads what the file says of the listener now; nil: nothing any more.
    let read: @Sendable (ConfigurationSection<HostConfiguration>) throws(ConfigurationFaults) -> HTTPConfiguration?

    func reload(_ file: ConfigurationSection<HostConfiguration>) async {
        do throws(CommandError) {
            guard let configuration = try written(file) else {
                throw CommandError(
                    "\(file.file): listen does not name the listener any more",
                    hint: "start the host again"
                )
            }
            do {
                try await ingress.reload(configuration)
            } catch {
                throw CommandError(error)
            }
        } catch {
            logger.refuseReload(error)
        }
    }

    private func written(
        _ file: ConfigurationSection<HostConfiguration>
    ) throws(CommandError) -> HTTPConfiguration? {
        do throws(ConfigurationFaults) { return try read(file) } catch { throw CommandError(error) }
    }
}

/// Files that are read again while the host runs, as its confinement has to allow them.
enum ReloadedFiles {
    /// The folders of the files, since a new file under an old name is another file to the kernel; of a symbolic link
    /// also the folder of what it leads to.
    ///
    /// A folder with one of the `secrets` below it, one that lies directly below the root, and a home are left out: from
    /// there only the file itself is read, as long as it is written in place.
    static func places(of files: [String], awayFrom secrets: [String]) -> [String] {
        let secrets = (secrets + [NSHomeDirectory()]).map { resolved($0) + "/" }
        return files.flatMap { file in
            Set([file, resolved(file)]).sorted().map { path in
                let folder = resolved((path as NSString).deletingLastPathComponent)
                let isNarrow = folder.split(separator: "/").count > 1
                return isNarrow && !secrets.contains { $0.hasPrefix(folder + "/") } ? folder : path
            }
        }
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
