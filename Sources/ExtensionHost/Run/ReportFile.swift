// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import WorkerSupervisor

/// A file that is opened while the process may, and written at the end.
///
/// A host gives up the right to make and rename files elsewhere before it runs anything, so that no other file can take
/// this one's place at the end. Until then the file has a text that says so: whatever ends the process, no reader finds
/// an empty file or the result of an earlier run.
struct ReportFile {
    private let file: HeldFile
    private let path: String

    /// Opens a file, or makes it, and writes what it has until `write(_:)` replaces it; a pipe or a terminal does not
    /// get that.
    init(_ path: String, until text: String) throws(CommandError) {
        self.path = path
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
        file = HeldFile(descriptor)
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw Self.failure(path) }
        if facts.st_mode & S_IFMT == S_IFREG { try write(text) }
    }

    /// Replaces what the file has; more is added to a pipe or a terminal.
    func write(_ text: String) throws(CommandError) {
        lseek(file.descriptor, 0, SEEK_SET)
        let bytes = Array(text.utf8)
        do throws(SystemError) { try bytes.write(to: file.descriptor) } catch { throw Self.failure(path, error.code) }
        // Shorter than what it had: the rest goes last, so that the file is empty at no time.
        ftruncate(file.descriptor, off_t(bytes.count))
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> CommandError {
        CommandError(
            "\"\(path)\" cannot be written: \(unsafe String(cString: strerror(code)))",
            hint: "name a file in a folder that exists and is yours"
        )
    }
}
