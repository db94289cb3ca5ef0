// SPDX-License-Identifier: Apache-2.0

import HostRuntime

extension HostConfiguration {
    var tokens: DeviceTokenTable {
        var table = DeviceTokenTable()
        for app in apps {
            table.register(
                .init(topic: app.topic, environment: app.environment, pushTypes: app.pushTypes),
                tokens: app.deviceTokens
            )
        }
        return table
    }
}

extension HostConfiguration {
    /// The token of a payload that names only its app.
    var firstTokens: [String: String] {
        apps.reduce(into: [:]) { tokens, app in tokens[app.topic] = app.deviceTokens.first }
    }
}
