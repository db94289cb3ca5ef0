// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress

/// Has a listener take what host.yaml says of it now: the certificate and the senders, which are read again too.
///
/// Nothing else counts until the next start.
struct ListenerReload: Sendable {
    /// The keys of host.yaml that the listener takes, by their paths.
    let taken: [String]
    let ingress: HTTPIngress
    /// Returns what the file says of the listener now; `nil` if the file does not name the listener any more.
    let configuration: @Sendable (HostConfiguration) -> HTTPConfiguration?

    /// Reads the files of the listener, and returns what to take; the listener stays as it is until then.
    func renewal(_ whole: HostConfiguration) async throws(CommandError) -> HTTPIngress.Renewal? {
        guard let configuration = configuration(whole) else {
            throw CommandError(
                "\(whole.document?.file ?? "host.yaml"): listen does not name the listener any more",
                hint: "start the host again"
            )
        }
        do throws(IngressError) {
            return try await ingress.renewal(configuration)
        } catch {
            throw CommandError(error)
        }
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
