// SPDX-License-Identifier: Apache-2.0

/// The limit on what may lie in an app's folder.
package struct StorageLimit: Sendable, Equatable {
    /// Disk blocks may take so much; what files claim to hold does not count.
    package let byteCount: UInt64
    /// The number of files and folders that there may be.
    package let fileCount: Int

    package init(byteCount: UInt64 = 64 << 20, fileCount: Int = 1024) {
        self.byteCount = byteCount
        self.fileCount = fileCount
    }
}
