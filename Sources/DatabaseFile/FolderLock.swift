// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// Keeps a second process of the same kind out of a folder, as long as this exists.
///
/// A lock on a file of its own: SQLite's locks would keep short-lived commands out of the database too.
package final class FolderLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock named `name`, or throws `inUse` if another process has it.
    package init(folder: String, name: String, inUse: StoreError) throws(StoreError) {
        let path = "\(folder)/\(name)"
        // A throw after `self.descriptor` is set would run `deinit` besides, which closes a second time what by then
        // may be the file of another thread.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(
                .unusable,
                "\"\(path)\": \(reason)",
                hint: "name a state folder that this user can write"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw inUse
        }
        self.descriptor = descriptor
    }

    package func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        // A process that is being started has a copy of the descriptor for a moment, which would keep the lock.
        release()
        close(descriptor)
    }
}
