// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import CenterAsking
import CenterStore
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NotificationPayload

// The centre that runs in the folder, if one does.
extension DoctorReport {
    mutating func lookAtCenter(_ folder: OwnerFolder) async {
        guard let counts = await CenterCounts(of: folder.folder) else {
            if folder.isAnothers, let told = try? await CenterClient(folder).ask(.GET, "/v1") {
                let version = told["version"]?.string ?? "unknown"
                return add("centre", true, "another user's answers at \"\(folder.http)\", version \(version)")
            }
            guard let holder = FolderHolder(of: folder.folder) else { return add("centre", true, "none runs here") }
            return add(
                "centre",
                hindrance: "process \(holder.process) has the folder, and \"\(folder.folder.metrics)\" does not answer",
                hint: "end that process, or wait until it serves"
            )
        }
        let owner = folder.owner ?? .only
        let own = folder.folder
        var sockets = [own.link, own.metrics]
        if let told = try? await CenterClient(folder).ask(.GET, "/v1") {
            add("centre", true, "one runs here, version \(told["version"]?.string ?? "unknown")")
            add("owner \(owner)", true, "\"\(folder.http)\" answers")
            sockets += [own.app(of: owner), own.http(of: owner)]
        } else {
            add("centre", true, "one runs here")
            add("owner \(owner)", false, "\"\(folder.http)\" does not answer; \(folder.hint)")
        }
        let hosts = counts["nestbox_center_link_hosts"]
        add("host", hosts == "1", hosts == "1" ? "one is connected" : "none is connected to \"\(folder.folder.link)\"")
        for path in sockets { lookAtSocket(path) }
    }

    private mutating func lookAtSocket(_ path: String) {
        let name = "socket \((path as NSString).lastPathComponent)"
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else {
            return add(name, false, "\"\(path)\" is no socket")
        }
        let mode = facts.st_mode & 0o777
        add(name, mode & 0o077 == 0, "\(path), mode \(String(mode, radix: 8))")
    }
}

/// The numbers that a running centre tells; those with labels are left out.
private struct CenterCounts {
    private static let byteLimit = 16 << 20

    private let values: [String: String]

    subscript(name: String) -> String? { values[name] }

    /// Asks the centre of a folder; `nil` means that none answers.
    init?(of folder: CenterFolder) async {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        let socket = CenterClient.segment(folder.metrics)
        var request = HTTPClientRequest(url: "http+unix://\(socket)/metrics")
        request.headers.add(name: "host", value: "nestbox")
        let text: String?
        do {
            let response = try await client.execute(request, deadline: .now() + .seconds(5))
            let bytes = try await response.body.collect(upTo: Self.byteLimit)
            text = response.status == .ok ? String(buffer: bytes) : nil
        } catch { text = nil }
        try? await client.shutdown()
        guard let text else { return nil }
        values = text.split(separator: "\n").reduce(into: [:]) { values, line in
            let words = line.split(separator: " ")
            if words.count == 2, !line.hasPrefix("#") { values[String(words[0])] = String(words[1]) }
        }
    }
}

/// The process that holds the lock of a centre's folder, as the kernel lists it: to take the lock would change things.
///
/// Source: proc_locks(5).
private struct FolderHolder {
    let process: String

    /// `nil` means that nobody holds it.
    init?(of folder: CenterFolder) {
        var facts = stat()
        guard stat(folder.path + "/" + CenterStore.lockName, &facts) == 0,
            let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return nil }
        let locks = list.split(separator: "\n").map { $0.split(separator: " ") }
        let own = locks.first { words in
            words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(":\(facts.st_ino)")
                && Self.hasOpen(facts, process: words[4])
        }
        guard let own else { return nil }
        process = String(own[4])
    }

    /// Files of other disks may have the same number, so that the process is asked for its own.
    private static func hasOpen(_ facts: stat, process: Substring) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            var other = stat()
            guard stat("\(folder)/\(name)", &other) == 0 else { return false }
            return other.st_dev == facts.st_dev && other.st_ino == facts.st_ino
        }
    }
}
