// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Foundation
import Glibc
import Locking
import NotificationPayload
package import PacketSockets

/// The files of notifications that this process has fetched from its centre, in a private folder of its own.
///
/// A file is fetched when the app asks for its place, so that an app which only lists pays nothing. The centre writes
/// it into a file that this process has made, whose name is a number of ours and the extension of a type. The folder
/// has a bound: the files that were fetched first are removed, and are fetched anew for whoever asks again.
package final class KeptFiles: Sendable {
    private struct Entry {
        let name: StoredFileName
        let path: String
        let byteCount: Int64
    }

    private struct State {
        var folder: ProcessFolder?
        /// The files of the folder, the one that was fetched first in front.
        var entries: [Entry] = []
        var last = 0
    }

    /// Files of the folder.
    static let countLimit = 64
    /// Bytes of the files of the folder.
    static let byteCountLimit: Int64 = 256 << 20
    /// Times that a file is asked for.
    private static let attemptLimit = 2
    /// A place at which there is never a file.
    private static let nowhere = "/dev/null/"

    /// Has the centre write a file into another one, and waits until it is written; false: it is not.
    package typealias Fetch = @Sendable (StoredFileName, PassedFile) -> Bool

    private let fetch: Fetch
    private let parent: String
    private let state = Locked(State())

    /// `parent` is the folder in which the private one is made when the first file is fetched.
    package init(in parent: String = FileManager.default.temporaryDirectory.path, fetch: @escaping Fetch) {
        self.parent = parent
        self.fetch = fetch
    }

    /// Returns the path of a file, which is fetched if it is not in the folder; blocks.
    func path(of file: StoredRequest.File, _ name: StoredFileName) -> String {
        let type = AttachmentType(identifier: file.type)
        let suffix = "file." + (type?.preferredPathExtension ?? "data")
        guard let type, (1...Int64(type.kind.maximumByteCount)).contains(file.byteCount) else {
            return Self.nowhere + suffix
        }
        if let path = known(name) { return path }
        for _ in 0..<Self.attemptLimit {
            guard let path = begin(type), let target = Self.make(path) else { break }
            // The lock is not held: others may ask for other files, and for this one as well.
            let isDone = fetch(name, target)
            let byteCount = Self.byteCount(of: target)
            if isDone, byteCount == file.byteCount {
                keep(Entry(name: name, path: path, byteCount: file.byteCount))
                return path
            }
            unlink(path)
            // A centre that ended while it wrote takes no file in which there is something.
            if isDone || byteCount == 0 { break }
        }
        return Self.nowhere + suffix
    }

    /// The path of a file that is in the folder, also if something else has emptied the folder.
    private func known(_ name: StoredFileName) -> String? {
        state.withLock { state in
            guard let place = state.entries.firstIndex(where: { $0.name == name }) else { return nil }
            let path = state.entries[place].path
            if access(path, R_OK) == 0 { return path }
            state.entries.remove(at: place)
            return nil
        }
    }

    private func begin(_ type: AttachmentType) -> String? {
        state.withLock { state in
            if state.folder?.isThere != true {
                state.folder = ProcessFolder(in: parent)
                state.entries = []
            }
            guard let folder = state.folder else { return nil }
            state.last += 1
            return "\(folder.path)/\(state.last).\(type.preferredPathExtension)"
        }
    }

    /// Takes a file in that was fetched, and removes the oldest that go beyond the bound.
    private func keep(_ entry: Entry) {
        let removed = state.withLock { state in
            state.entries.append(entry)
            var byteCount = state.entries.reduce(0) { $0 + $1.byteCount }
            var count = 0
            while state.entries.count - count > Self.countLimit || byteCount > Self.byteCountLimit {
                byteCount -= state.entries[count].byteCount
                count += 1
            }
            defer { state.entries.removeFirst(count) }
            return state.entries.prefix(count).map(\.path)
        }
        for path in removed { unlink(path) }
    }

    private static func make(_ path: String) -> PassedFile? {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        return file >= 0 ? PassedFile(owning: file) : nil
    }

    private static func byteCount(of file: PassedFile) -> Int64? {
        var facts = stat()
        return fstat(file.descriptor, &facts) == 0 ? Int64(facts.st_size) : nil
    }
}

/// A file of a notification that the centre keeps, as an attachment has it.
struct KeptFile: Sendable {
    private let file: StoredRequest.File
    private let name: StoredFileName
    private let files: KeptFiles

    /// Names a file of a request, and fetches nothing yet; `nil` means that the centre has no word for the file.
    init?(_ file: StoredRequest.File, of request: String, in files: KeptFiles) {
        guard let word = file.name else { return nil }
        self.file = file
        name = StoredFileName(request: request, file: word)
        self.files = files
    }

    var identifier: String { file.identifier }
    var type: String { file.type }
    var thumbnail: RequestAttachment.Thumbnail? { file.thumbnail }
    /// The place of the file, which is fetched if it has none; blocks.
    var url: URL { URL(fileURLWithPath: files.path(of: file, name)) }
}

extension KeptFile: Equatable {
    /// Compares names, and fetches nothing.
    static func == (one: KeptFile, other: KeptFile) -> Bool { one.file == other.file && one.name == other.name }
}
