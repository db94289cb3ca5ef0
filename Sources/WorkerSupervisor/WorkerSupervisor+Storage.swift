// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import Logging

// What an extension stores is on the host's disk: it is looked at while the extension works, and the extension is ended
// when it is too much. Looking takes time of its own thread.
extension WorkerSupervisor {
    static let storageInterval = Duration.milliseconds(100)

    /// A request began: the app's storage is looked at as long as one is open.
    func watchStorage(of pool: ExtensionPool) {
        guard pool.storage != nil, !pool.isStorageWatched else { return }
        pool.isStorageWatched = true
        lookAtStorageLater(of: pool)
    }

    private func lookAtStorageLater(of pool: ExtensionPool) {
        let index = pool.index
        _ = schedule(at: clock.now + Self.storageInterval) { $0.lookAtStorage(ofPool: index) }
    }

    private func lookAtStorage(ofPool index: Int) {
        let pool = orderedPools[index]
        guard let storage = pool.storage, roster.staffs[index].openCount > 0, !isEnding else {
            pool.isStorageWatched = false
            return
        }
        let limit = pool.configuration.storageLimit
        storageQueue.async { [loop] in
            let isExceeded = storage.exceeds(limit)
            loop.perform { [weak self] in self?.assumeIsolated { $0.lookedAtStorage(ofPool: index, isExceeded) } }
        }
    }

    private func lookedAtStorage(ofPool index: Int, _ isExceeded: Bool) {
        let pool = orderedPools[index]
        if isExceeded {
            for worker in Array(workers.values) where worker.pool === pool && !worker.runs.isEmpty {
                endOverStorage(worker)
            }
        }
        lookAtStorageLater(of: pool)
    }

    private func endOverStorage(_ worker: WorkerProcess) {
        // What it completed before counts.
        drainPackets(of: worker)
        guard worker.killCause == nil else { return }
        logger.warning(
            "storage limit",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)",
                "app.storage": "\(worker.pool.storage?.path ?? "")",
            ]
        )
        end(worker, .storage) { _ in .crashed(signal: SIGKILL) }
    }

    /// A worker has nothing to do: one that leaves its private folder half full makes room for a fresh one.
    func lookAtScratch(of worker: WorkerProcess) {
        let limit = worker.pool.configuration.scratchByteCount
        guard launcher.hasOwnRoot, worker.hasScratch, worker.killCause == nil, !isEnding,
            worker.askedAboutScratch.map({ clock.now >= $0 + WorkerRules.restInterval }) ?? true
        else { return }
        worker.askedAboutScratch = clock.now
        owners.scratch.take("", of: worker) { [self] scratch in
            guard scratch.error == 0, scratch.usedByteCount > limit / 2 else { return }
            retire(worker)
            settle(worker.pool)
        }
    }

    /// Without mounts of its own a worker's `tmp` is a folder on the host's disk: the next one gets an empty one.
    func renewTemporaryFolder(of pool: ExtensionPool) {
        guard !launcher.hasOwnRoot, let storage = pool.storage, let old = storage.renewTemporaryFolder() else { return }
        storageQueue.async { storage.removeOld(old) }
    }
}
