// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import FoundationEssentials
import Glibc

/// The folders in which desktop files are, the user's own first.
///
/// Source: XDG Base Directory Specification 0.8.
struct DataFolders: Sendable {
    /// The user's own; `nil` means that the environment names none.
    let own: String?
    /// The folders of the machine, of which the first ones are looked into.
    private let others: [String]

    private static let limit = 64

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let path = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        own = path("XDG_DATA_HOME") ?? path("HOME").map { $0 + "/.local/share" }
        let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        others = named.split(separator: ":").filter { $0.hasPrefix("/") }.prefix(Self.limit).map(String.init)
    }

    /// Finds the desktop file of an id; the first one counts, even if it starts nothing.
    func file(of entry: DesktopEntry) -> (path: String, file: DesktopFile?)? {
        for folder in [own].compactMap(\.self) + others {
            for place in entry.paths {
                let path = folder + "/" + place
                if let bytes = Self.bytes(of: path, limit: DesktopFile.byteLimit) { return (path, DesktopFile(bytes)) }
            }
        }
        return nil
    }

    /// Reads a file, but no more than one byte behind a limit; `nil` means that there is no file to be read.
    static func bytes(of path: String, limit: Int) -> [UInt8]? {
        // What is no file, such as a pipe, is to hold nobody up.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = limit + 1 - bytes.count
            let more = [UInt8](unsafeUninitializedCapacity: min(count, 16 << 10)) { buffer, filled in
                filled = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }
}
