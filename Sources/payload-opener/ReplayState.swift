// SPDX-License-Identifier: Apache-2.0

import CLinux
import E2ECrypto
import Glibc
import NotificationPayload

/// The record of opened payloads: a set in memory, and the files that outlive the process if the host gave any.
struct ReplayState {
    let set = ReplaySet()
    private let journal: ReplayJournal?

    /// Takes none or two descriptors; waits until whoever had the files before is gone.
    init(_ descriptors: [Int32], now: Int64) throws(Ending) {
        set.tracksChanges = true
        guard descriptors.count == 2 else {
            journal = nil
            return
        }
        for descriptor in descriptors {
            // A predecessor that is being killed may still be in the middle of a write.
            let result = linux_lock_file(descriptor)
            guard result == 0 else {
                throw .rejected(Rejection(replays: descriptor, "cannot be locked", code: -result))
            }
        }
        let files = (DescriptorFile(descriptors[0]), DescriptorFile(descriptors[1]))
        do {
            journal = try ReplayJournal(files, of: set, now: now)
        } catch {
            throw .rejected(Rejection(error, descriptors))
        }
    }

    /// Returns nil when all that was opened is on the disk, else why nobody may hear of it; it is forgotten then.
    func commit(now: Int64) throws(Ending) -> String? {
        guard let journal else {
            set.keepChanges()
            return nil
        }
        do {
            try journal.commit(now: now)
            return nil
        } catch .notWritten(let code) {
            return "the replay files cannot be written: \(Self.name(code))"
        } catch .notSynced(let code) {
            throw .storeLost("the replay files cannot be synced: \(Self.name(code))")
        } catch {
            throw .storeLost("the replay files cannot be used: \(error)")
        }
    }

    /// Returns libc's words for an errno.
    static func name(_ code: Int32) -> String {
        unsafe String(cString: strerror(code)).lowercased()
    }
}

extension Rejection {
    fileprivate init(replays descriptor: Int32, _ reason: String, code: Int32) {
        self.init(descriptor: descriptor, reason: "it \(reason): \(ReplayState.name(code))")
    }

    fileprivate init(_ error: ReplayJournalError, _ descriptors: [Int32]) {
        switch error {
        case .foreign(let file):
            self.init(
                descriptor: descriptors[file],
                reason: "it begins like no replay file of this version",
                hint: "start the version that wrote it, or move both away; what was opened may open again then"
            )
        case .unreadable(let file, let code):
            self.init(replays: descriptors[file], "cannot be read", code: code)
        case .notWritten(let code):
            self.init(replays: descriptors[0], "cannot be written", code: code)
        case .notSynced(let code):
            self.init(replays: descriptors[0], "cannot be synced", code: code)
        }
    }
}
