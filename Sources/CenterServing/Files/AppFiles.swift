// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Crypto
import Dispatch
import Locking
import NotificationPayload
import PacketSockets

/// A file of an app that the centre has a copy of.
struct KeptAppFile: Sendable, Equatable {
    let file: FileShelf.File
    /// Sixteen hex digits of the SHA-256 of the bytes.
    let tag: String
    /// The host's file, as it was when it was copied.
    let source: SourceFacts
}

/// The icons and sounds of apps, as the host that was connected last has handed them over.
///
/// The copies are those of this process: the next one has the host hand them over again.
final class AppFiles: Sendable {
    /// Bytes of all of them; what comes beyond is not kept, and its app goes without.
    static let byteCountLimit: Int64 = 1 << 30

    private struct State {
        var current: [AppFile: KeptAppFile] = [:]
        /// The bytes of all copies, also of those for a list that is not complete.
        var byteCount: Int64 = 0
    }

    private let shelf: FileShelf
    private let state = Locked(State())
    /// Copying waits for the disk.
    private let thread = DispatchQueue(label: "center.appFiles")

    init(_ shelf: FileShelf) {
        self.shelf = shelf
    }

    /// A file of the apps that are known; `nil` means that there is none.
    subscript(file: AppFile) -> KeptAppFile? { state.withLock { $0.current[file] } }

    /// The path at which the API has a file; `nil` means that there is none.
    func path(of file: AppFile) -> String? { self[file] == nil ? nil : file.path }

    /// Opens the copy of a file; `nil` means that it is gone.
    func open(_ kept: KeptAppFile) -> FileDraft? { shelf.open(kept.file) }

    // MARK: Handing over

    /// Copies a file of the host, unless it is the one of which there is a copy.
    func keep(_ file: AppFile, _ passed: PassedFile) async -> Result<KeptAppFile, FileShelf.Refusal> {
        await withCheckedContinuation { answer in
            thread.async { answer.resume(returning: self.keepNow(file, passed)) }
        }
    }

    /// Takes a whole list in place of the former one; returns the topics whose icons are others now.
    func replace(by files: [AppFile: KeptAppFile]) -> Set<String> {
        let former = state.withLock { state in
            defer { state.current = files }
            return state.current
        }
        let icons = Set(former.keys).union(files.keys).filter { file in
            file.use == .icon && former[file]?.tag != files[file]?.tag
        }
        discard(former)
        return Set(icons.map(\.topic))
    }

    /// Removes the copies of a list that are none of the present one.
    func discard(_ files: [AppFile: KeptAppFile]) {
        let gone = state.withLock { state in
            let present = Set(state.current.values.map(\.file.id))
            let gone = files.values.map(\.file).filter { !present.contains($0.id) }
            state.byteCount -= gone.reduce(0) { $0 + $1.byteCount }
            return gone
        }
        shelf.discard(gone)
    }

    private func keepNow(_ file: AppFile, _ passed: PassedFile) -> Result<KeptAppFile, FileShelf.Refusal> {
        guard let source = SourceFacts(of: passed.descriptor) else { return .failure(.unreadable) }
        if let known = self[file], known.source == source { return .success(known) }
        do throws(FileShelf.Refusal) {
            let draft = try shelf.keepForRun(passed.descriptor, atMost: file.use.maximumByteCount) { file.use.fits($0) }
            let copy = draft.file
            let hasRoom = state.withLock { state in
                guard state.byteCount + copy.byteCount <= Self.byteCountLimit else { return false }
                state.byteCount += copy.byteCount
                return true
            }
            guard hasRoom else {
                shelf.discard(draft)
                throw .size
            }
            return .success(KeptAppFile(file: copy, tag: Self.tag(of: draft), source: source))
        } catch {
            return .failure(error)
        }
    }

    private static func tag(of draft: FileDraft) -> String {
        var hash = SHA256()
        var position: Int64 = 0
        while let bytes = draft.read(from: position, atMost: 64 << 10), !bytes.isEmpty {
            hash.update(data: bytes)
            position += Int64(bytes.count)
        }
        return Hexadecimal.encode(Array(hash.finalize().prefix(8)))
    }
}

extension AppFile {
    /// The path at which the API has the file.
    var path: String {
        let app = "/v1/apps/\(Self.escaped(topic))"
        return switch use {
        case .icon: app + "/icon"
        case .sound(let name): app + "/sounds/\(Self.escaped(name))"
        }
    }

    /// The text as one segment of a path.
    ///
    /// Source: RFC 3986, section 2.3.
    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isLetter || isDigit || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += "%\(Hexadecimal.encode([byte]).uppercased())".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
