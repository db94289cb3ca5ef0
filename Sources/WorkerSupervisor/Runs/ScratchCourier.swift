// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import NotificationPayload
import WorkerProtocol

/// Puts files into a worker's scratch folder and takes files out of it, in the way that the machine allows.
///
/// A worker with a root of its own has a private folder, which only the launcher reaches. Without one the folder is the
/// app's own on the host's disk. The worker may do there what it likes: each file has a new name that must be free and
/// lies flat in `tmp`, since a folder would be one more thing to find replaced.
final class ScratchCourier {
    private let launcher: Launcher
    private let gate: StartGate
    private let desk: ScratchDesk
    let store: (any AttachmentKeeping)?

    init(_ equipment: Equipment, desk: ScratchDesk) {
        launcher = equipment.launcher
        gate = equipment.gate
        store = equipment.configuration.attachmentStore
        self.desk = desk
    }

    /// Tells whether a request's files can be given to this worker.
    func reaches(_ worker: WorkerProcess) -> Bool { worker.hasScratch && store != nil }

    /// Has a worker's folder stay as long as the result lives, so that files can be taken of one that has ended.
    ///
    /// The result is `nil` for a worker without such a folder.
    func hold(_ worker: WorkerProcess) -> FolderHold? {
        guard !launcher.hasOwnRoot else { return .atLauncher(desk.hold(worker)) }
        return worker.site.storage?.holdTemporaryFolder().map(FolderHold.onDisk)
    }

    // MARK: In

    /// Makes an empty file for the host to write.
    func make(
        _ name: String,
        for worker: some ExtensionProcess,
        answer: @escaping (Result<OpenFile, SystemError>) -> Void
    ) {
        guard launcher.hasOwnRoot else {
            return answer(worker.site.storage?.make(name) ?? .failure(SystemError("openat2", ENOENT)))
        }
        desk.put(name, of: worker) { scratch in
            let error = scratch.error
            let file = OpenFile(scratch.takeFile())
            answer(file.descriptor.raw >= 0 ? .success(file) : .failure(SystemError("launcher", error)))
        }
    }

    /// Copies the host's file into one that was made; `done` is called on a thread that may block.
    func fill(
        _ target: OpenFile,
        with file: GivenFile,
        for site: ExtensionSite,
        done: @escaping @Sendable (SystemError?) -> Void
    ) {
        guard let store else { return }
        fill(target, with: file.attachment.byteCount, for: site, from: { store.open(file.attachment) }, done: done)
    }

    /// Copies a file of a notification into one that was made; `done` is called on a thread that may block.
    func fill(
        _ target: OpenFile,
        with file: ViewAttachment,
        for site: ExtensionSite,
        isInTime: @escaping @Sendable () -> Bool,
        done: @escaping @Sendable (SystemError?) -> Void
    ) {
        fill(target, with: file.byteCount, for: site, from: { file.file }, isInTime: isInTime, done: done)
    }

    private func fill(
        _ target: OpenFile,
        with byteCount: Int,
        for site: ExtensionSite,
        from open: @escaping @Sendable () -> HeldFile?,
        isInTime: @escaping @Sendable () -> Bool = { true },
        done: @escaping @Sendable (SystemError?) -> Void
    ) {
        // In memory the size of scratch is the limit; on the disk nothing but this stands before the storage watch.
        let storage = launcher.hasOwnRoot ? nil : site.storage
        let limit = site.configuration.storageLimit
        Self.queue.async {
            if let storage, !storage.hasRoom(for: byteCount, in: limit) {
                return done(SystemError("storage", ENOSPC))
            }
            let error = Self.copy(byteCount, from: open(), to: target, isInTime: isInTime)
            // Its room is free for the next one at once, whoever has the file open.
            if error != nil { _ = ftruncate(target.descriptor.raw, 0) }
            done(error)
        }
    }

    // MARK: Out

    /// Removes a file that was put there.
    func remove(_ name: String, from worker: WorkerProcess) {
        guard launcher.hasOwnRoot else { return removeStored(name, of: worker.site) }
        // A private folder goes with its process.
        guard worker.isServiceable, !gate.isLauncherLost else { return }
        desk.take(name, of: worker) { _ in }
    }

    /// Removes a file that was put there for a view which goes on.
    func removeGiven(_ name: String, from view: ViewProcess) {
        guard launcher.hasOwnRoot else { return removeStored(name, of: view.site) }
        guard view.canServe, !gate.isLauncherLost else { return }
        desk.take(name, of: view) { _ in }
    }

    /// Removes a file that nobody takes any more; one in a private folder goes with its process.
    func removeLeft(_ name: String, of site: ExtensionSite) {
        if !launcher.hasOwnRoot { removeStored(name, of: site) }
    }

    private func removeStored(_ name: String, of site: ExtensionSite) {
        guard let name = ScratchName(name) else { return }
        _ = site.storage?.take(name)
    }

    /// Takes a file that a content names; `isInTime` tells whether the budget lasts, and `hold` has the folder.
    func take(
        _ wanted: ScratchAttachment,
        from worker: WorkerProcess,
        _ hold: FolderHold?,
        isInTime: Bool,
        answer: @escaping (Result<OpenFile, AttachmentRefusal>) -> Void
    ) {
        guard reaches(worker) else { return answer(.failure(.noScratch)) }
        guard let name = ScratchName(wanted.path) else { return answer(.failure(.badName)) }
        guard AttachmentType(identifier: wanted.type) != nil else { return answer(.failure(.unknownType)) }
        guard isInTime else { return answer(.failure(.outOfTime)) }
        take(name, from: worker, hold, answer: answer)
    }

    /// Takes a file out of a worker's folder: from the launcher, which alone can reach a worker's own `tmp`, or from
    /// the host's own folder whatever is stored.
    func take(
        _ name: ScratchName,
        from worker: some ExtensionProcess,
        _ hold: FolderHold?,
        answer: @escaping (Result<OpenFile, AttachmentRefusal>) -> Void
    ) {
        guard worker.hasScratch else { return answer(.failure(.noScratch)) }
        if name.isStored || !launcher.hasOwnRoot {
            guard let storage = worker.site.storage else { return answer(.failure(.notFound)) }
            return answer(storage.take(name, hold?.temporary).mapError { AttachmentRefusal(openError: $0.code) })
        }
        desk.take(name.text, of: worker) { scratch in
            let error = scratch.error
            let file = OpenFile(scratch.takeFile())
            answer(error == 0 && file.descriptor.raw >= 0 ? .success(file) : .failure(.init(openError: error)))
        }
    }

    // MARK: Copying

    /// Reading and writing may block; never on the supervisor's thread.
    private static let queue = DispatchQueue(label: "given-files", attributes: .concurrent)

    private static func copy(
        _ byteCount: Int,
        from source: HeldFile?,
        to target: OpenFile,
        isInTime: () -> Bool
    ) -> SystemError? {
        guard let source else { return SystemError("open", ENOENT) }
        do throws(FileCopy.Fault) {
            let count = try FileCopy.copyFromStart(
                source.descriptor,
                to: target.descriptor.raw,
                atMost: byteCount,
                isInTime: isInTime
            )
            return count == byteCount ? nil : SystemError("read", ESTALE)
        } catch {
            switch error {
            case .tooLong: return SystemError("read", ESTALE)
            case .outOfTime: return SystemError("copy", ETIMEDOUT)
            case .read(let code): return SystemError("read", code)
            case .write(let code): return SystemError("write", code)
            }
        }
    }
}

extension AttachmentRefusal {
    /// Makes the refusal for an errno of openat2, the host's own or one that the launcher reports.
    init(openError code: Int32) {
        switch code {
        case ENOENT, ENOTDIR, ESRCH: self = .notFound
        case EINVAL, ELOOP, ENXIO, EISDIR: self = .notAFile
        case EXDEV, ENAMETOOLONG: self = .badName
        default: self = .unreadable
        }
    }
}
