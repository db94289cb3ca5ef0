// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An open file on its way over a socket, which closes with its last reference.
package final class PassedFile: Sendable {
    package let descriptor: CInt

    /// Takes an open descriptor over.
    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Makes another descriptor of an open file, which stays its owner's; `nil` when there is none left.
    package convenience init?(duplicating descriptor: CInt) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(owning: copy)
    }

    /// Makes an empty file in memory that is in no folder; `nil` when there is no descriptor or no memory left.
    ///
    /// The name is for people who look at the process. Source: memfd_create(2).
    package convenience init?(inMemory name: String) {
        let file = unsafe linux_memory_file(name)
        guard file >= 0 else { return nil }
        self.init(owning: file)
    }

    /// Seals a file in memory, whose bytes nobody changes from then on; false when the kernel refuses.
    package func seal() -> Bool { linux_seal_memory(descriptor) == 0 }

    /// Opens a regular file for reading, without waiting; `nil` means that there is none, or none that may be read.
    ///
    /// Without `followsLinks` a link in the place of the file is none.
    package convenience init?(path: String, followsLinks: Bool = true) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let file = unsafe open(path, flags)
        guard file >= 0 else { return nil }
        self.init(owning: file)
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit {
        close(descriptor)
    }
}
