// SPDX-License-Identifier: Apache-2.0

import WorkerSupervisor

extension HostConfiguration.App {
    /// Why the extension has no network although its bundle lists hosts; nil: it has what is listed, or nothing is.
    ///
    /// Where a worker has no network of its own, nothing would keep it from going past the host's proxy.
    func networkWarning(_ launcher: Launcher.Capabilities) -> String? {
        guard let bundle, !bundle.networkHosts.isEmpty else { return nil }
        let start = "the network hosts of \"\(topic)\" are not granted: "
        if scratchByteCount == 0 { return start + "there is no network without a scratch folder" }
        if launcher.hasOwnRoot { return nil }
        return start + "sandbox profile \(launcher.profile) does not confine a network"
    }

    /// Why the extension does not see sealed files although its bundle asks for them; nil: it does, or need not.
    var sealedFilesWarning: String? {
        guard let bundle, bundle.seesSealedFiles, scratchByteCount == 0 else { return nil }
        return
            "the extension of \"\(topic)\" does not see sealed files: there is no place for them without a scratch folder"
    }
}
