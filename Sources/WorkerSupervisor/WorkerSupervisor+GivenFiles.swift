// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// A file of a request in its worker's scratch folder.
struct GivenFile {
    /// Relative to the folder; used once.
    let name: String
    /// The host's own copy, which the worker cannot touch.
    let attachment: Attachment

    var asSeenByWorker: ScratchAttachment {
        ScratchAttachment(identifier: attachment.identifier, path: name, type: attachment.type)
    }
}

/// A request that its worker has in the roster and not on its socket: its files are put there first.
struct FilePreparation {
    let worker: WorkerProcess
    var waiting: ArraySlice<Attachment>
    /// The one that is being put.
    var current: GivenFile?
    var given: [GivenFile] = []
}

// The files of a request go into its worker's scratch folder one after the other, before the request is sent. The worker
// may do there what it likes: each has a new name that must be free, lies flat in `tmp` (a folder would be one more
// thing to find replaced), and one that does not fit is left out. Whatever ends the request, they are removed.
extension WorkerSupervisor {
    func takesFiles(_ run: ExtensionRun, _ worker: WorkerProcess) -> Bool {
        !run.request.files.isEmpty && worker.hasScratch && configuration.attachmentStore != nil
            && clock.now < run.expiry
    }

    func prepare(_ run: ExtensionRun, for worker: WorkerProcess) {
        run.preparation = FilePreparation(worker: worker, waiting: run.request.files[...])
        worker.preparing[run.id] = run
        putNext(of: run)
    }

    /// Sends it with the files that are there.
    func prepared(_ run: ExtensionRun) {
        guard let preparation = run.preparation else { return }
        let worker = preparation.worker
        guard !worker.isSilent, worker.killCause == nil else {
            takeBackUnsent(of: worker) { _ in .exitedEarly }
            return settle(worker.pool)
        }
        run.preparation = nil
        worker.preparing[run.id] = nil
        run.given = preparation.given
        send(run, to: worker)
        settle(worker.pool)
    }

    /// The worker of a request that was not sent ends: the next one gets it, once.
    func takeBackUnsent(of worker: WorkerProcess, _ failure: (ExtensionRun) -> ExtensionFailure) {
        for run in worker.preparing.values.sorted(by: { $0.id > $1.id }) {
            leavePreparation(run)
            guard mayWaitAgain(run) else {
                conclude(run, .failed(failure(run)))
                continue
            }
            waitAgain(run)
        }
    }

    func leavePreparation(_ run: ExtensionRun) {
        guard let preparation = run.preparation else { return }
        let worker = preparation.worker
        run.preparation = nil
        worker.preparing[run.id] = nil
        for file in preparation.given { remove(file.name, from: worker) }
        roster.requestEnded(with: worker.serial, of: worker.pool.index, now: clock.now)
        if !worker.isBusy { becameIdle(worker) }
    }

    /// What is left of its files with the worker; those it handed on are the host's copies.
    func removeGiven(of run: ExtensionRun, from worker: WorkerProcess) {
        for file in run.given { remove(file.name, from: worker) }
        run.given = []
    }

    // MARK: One file

    private func putNext(of run: ExtensionRun) {
        guard run.preparation != nil else { return }
        guard let attachment = run.preparation?.waiting.popFirst(), let worker = run.preparation?.worker else {
            return prepared(run)
        }
        let type = AttachmentType(identifier: attachment.type)?.preferredPathExtension ?? "file"
        let file = GivenFile(name: "tmp/sealed-\(nextSerial()).\(type)", attachment: attachment)
        run.preparation?.current = file
        let id = run.id
        make(file.name, for: worker) { [self] made in
            switch made {
            case .failure(let error): settled(file, of: id, with: worker, error)
            case .success(let target): fill(target, with: file, of: id, worker)
            }
        }
    }

    private func make(
        _ name: String,
        for worker: WorkerProcess,
        answer: @escaping (Result<OpenFile, SystemError>) -> Void
    ) {
        guard launcher.hasOwnRoot else {
            return answer(worker.pool.storage?.make(name) ?? .failure(SystemError("openat2", ENOENT)))
        }
        owners.scratch.put(name, of: worker) { scratch in
            let error = scratch.error
            let file = OpenFile(scratch.takeFile())
            answer(file.descriptor.raw >= 0 ? .success(file) : .failure(SystemError("launcher", error)))
        }
    }

    private func fill(_ target: OpenFile, with file: GivenFile, of id: UInt64, _ worker: WorkerProcess) {
        guard let store = configuration.attachmentStore else { return }
        let serial = worker.serial
        let pool = worker.pool.index
        // In memory the size of scratch is the limit; on the disk nothing but this stands before the storage watch.
        let storage = launcher.hasOwnRoot ? nil : worker.pool.storage
        let limit = worker.pool.configuration.storageLimit
        Self.queue.async { [loop] in
            var error: SystemError?
            if let storage, !storage.hasRoom(for: file.attachment.byteCount, in: limit) {
                error = SystemError("storage", ENOSPC)
            } else {
                error = Self.copy(file.attachment, from: store, to: target)
                // Its room is free for the next one at once, whoever has the file open.
                if error != nil { _ = ftruncate(target.descriptor.raw, 0) }
            }
            loop.perform { [weak self, error] in
                self?.assumeIsolated { $0.filled(file, of: id, serial, pool, error) }
            }
        }
    }

    private func filled(_ file: GivenFile, of id: UInt64, _ serial: UInt64, _ pool: Int, _ error: SystemError?) {
        guard let worker = workers[serial] else {
            // Its process is gone, and with it a private folder.
            if !launcher.hasOwnRoot { removeStored(file.name, of: orderedPools[pool]) }
            return
        }
        if error != nil || runs[id]?.preparation?.current?.name != file.name { remove(file.name, from: worker) }
        settled(file, of: id, with: worker, error)
    }

    /// Nothing happens when nobody waits for it any more.
    private func settled(_ file: GivenFile, of id: UInt64, with worker: WorkerProcess, _ error: SystemError?) {
        guard let run = runs[id], run.preparation?.current?.name == file.name else { return }
        run.preparation?.current = nil
        if let error {
            logger.info(
                "file not given to the extension",
                metadata: [
                    "push.id": "\(run.request.push.id)", "worker.pid": "\(worker.pid)", "error": "\(error)",
                ]
            )
        } else {
            run.preparation?.given.append(file)
        }
        putNext(of: run)
    }

    private func remove(_ name: String, from worker: WorkerProcess) {
        guard launcher.hasOwnRoot else { return removeStored(name, of: worker.pool) }
        // A private folder goes with its process.
        guard worker.killCause == nil, !worker.isSilent, !isLauncherLost else { return }
        owners.scratch.take(name, of: worker) { _ in }
    }

    private func removeStored(_ name: String, of pool: ExtensionPool) {
        guard let name = ScratchName(name) else { return }
        _ = pool.storage?.take(name)
    }

    // MARK: Copying

    /// Reading and writing may block; never on the supervisor's thread.
    private static let queue = DispatchQueue(label: "given-files", attributes: .concurrent)

    private static func copy(
        _ attachment: Attachment,
        from store: any AttachmentKeeping,
        to target: OpenFile
    ) -> SystemError? {
        guard let source = store.open(attachment) else { return SystemError("open", ENOENT) }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var total = 0
        while true {
            let count = unsafe read(source.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return SystemError("read", errno) }
            if count == 0 { return total == attachment.byteCount ? nil : SystemError("read", ESTALE) }
            var written = 0
            while written < count {
                let result = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe write(target.descriptor.raw, bytes.baseAddress?.advanced(by: written), count - written)
                }
                guard result > 0 || errno == EINTR else { return SystemError("write", errno) }
                written += max(0, result)
            }
            total += count
        }
    }
}
