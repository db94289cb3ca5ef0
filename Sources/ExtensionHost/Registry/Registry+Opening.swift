// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import Store

extension Registry {
    /// Opens the registry of a host that runs what the configuration says, in the folder it writes to.
    convenience init(_ configuration: HostConfiguration, in folder: String, logger: Logger) throws(CommandError) {
        do {
            try self.init(folder: folder, apps: configuration.hostedTokens, logger: logger)
        } catch {
            throw CommandError(error)
        }
        if removedCount > 0, configuration.fleet == nil {
            Terminal.note("removed what the configuration has no more: device tokens or subscriptions, \(removedCount)")
        }
    }
}
