// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerProtocol

/// A file of a request in its worker's scratch folder.
struct GivenFile: Sendable {
    /// Relative to the folder; used once.
    let name: String
    /// The host's own copy, which the worker cannot touch.
    let attachment: Attachment

    var asSeenByWorker: ScratchAttachment {
        ScratchAttachment(identifier: attachment.identifier, path: name, type: attachment.type)
    }
}
