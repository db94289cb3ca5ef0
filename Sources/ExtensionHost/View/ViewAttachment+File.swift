// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Glibc
import HostRuntime
import NotificationPayload
import WorkerSupervisor

extension ViewAttachment {
    /// Opens an author's file, whose name says its identifier and its type.
    init(path: String) throws(CommandError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let pathExtension = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        guard let type = AttachmentType(pathExtension: pathExtension) else {
            throw CommandError(
                "--attachment \(path) has no name of a type that can be attached",
                hint:
                    "a notification has pictures, films and sounds: jpg, png, gif, heic, webp, mp4, mp3, m4a, wav, aiff"
            )
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw CommandError(
                "--attachment \(path) is not readable: \(unsafe String(cString: strerror(errno)))",
                hint: "name a file that exists and that this user may read"
            )
        }
        let file = HeldFile(descriptor)
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("--attachment \(path) is no file", hint: "name a file, no folder and no pipe")
        }
        guard (1...type.kind.maximumByteCount).contains(Int(facts.st_size)) else {
            throw CommandError(
                "--attachment \(path) has \(facts.st_size) bytes",
                hint: "a file of its type has 1 to \(type.kind.maximumByteCount)"
            )
        }
        self.init(identifier: name, type: type, byteCount: Int(facts.st_size), file: file)
    }
}
