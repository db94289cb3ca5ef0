// SPDX-License-Identifier: Apache-2.0

/// The wish for files of a worker's scratch folder that outlives the worker; it ends with the last reference.
enum FolderHold {
    /// The folder is the worker's own, which the launcher keeps.
    case atLauncher(ScratchHold)
    /// The folder is on the host's disk.
    case onDisk(TemporaryHold)

    var temporary: TemporaryHold? {
        if case .onDisk(let hold) = self { hold } else { nil }
    }
}
