// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Ingress
import Logging

/// Reads the certificate and the senders of a listener again when it is told to.
///
/// Who may send stands in host.yaml, which is read again too; nothing else of it counts until the next start. What is
/// wrong with the new files is an error in the log, and the old ones serve on.
struct ListenerReload: Sendable {
    /// host.yaml.
    let file: String
    let ingress: HTTPIngress
    let logger: Logger
    /// Reads what the file says of the listener now; nil: nothing any more.
    let read: @Sendable (String) throws(CommandError) -> HTTPIngress.Configuration?

    /// Reloads at each SIGHUP, which must be ignored already, until the task is cancelled.
    func run() async {
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let signals = DispatchSource.makeSignalSource(signal: SIGHUP)
        signals.setEventHandler { continuation.yield() }
        signals.resume()
        defer { signals.cancel() }
        for await _ in requests { await reload() }
    }

    func reload() async {
        do throws(CommandError) {
            guard let configuration = try read(file) else {
                throw CommandError("\(file): listen does not name the listener any more", hint: "start the host again")
            }
            do {
                try await ingress.reload(configuration)
            } catch {
                throw CommandError(error.message, hint: error.hint)
            }
        } catch {
            var metadata: Logger.Metadata = ["error": "\(error.message)"]
            if let hint = error.hint { metadata["hint"] = "\(hint)" }
            logger.error("certificate and senders not read again", metadata: metadata)
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
