// SPDX-License-Identifier: Apache-2.0

extension HostConfiguration {
    /// What the host's confinement has to leave to its listeners.
    struct Listening: Equatable {
        /// 0: one that the kernel chooses.
        var ports: [UInt16] = []
        /// Read again while the host runs.
        var files: [String] = []
    }

    var listening: Listening {
        let files = (apns?.files ?? []) + (webPush?.listener?.files ?? [])
        return Listening(
            ports: [apns?.port, webPush?.listener?.port].compactMap { $0.map { UInt16($0) } },
            files: (document.map { files.contains($0.file) ? [] : [$0.file] } ?? []) + files
        )
    }
}
