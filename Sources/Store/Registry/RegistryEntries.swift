// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

package import struct Foundation.Date

/// A device token as the registry has it.
package struct RegisteredToken: Sendable, Equatable {
    /// The source of a device token.
    package enum Origin: Int, Sendable {
        /// The command `token new` made the token.
        case minted = 0
        /// The token stood in the configuration of a host that started.
        case configured = 1
    }

    /// 2…200 lower-case hex digits.
    package let token: String
    package let topic: String
    package let environment: PushEnvironment
    package let origin: Origin
    package let owner: String
    package let added: Date
    /// The moment of the removal; `nil` means that the token is active.
    package let removed: Date?

    package init(
        token: String,
        topic: String,
        environment: PushEnvironment,
        origin: Origin,
        owner: String = OwnedApp.onlyOwner,
        added: Date,
        removed: Date? = nil
    ) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.origin = origin
        self.owner = owner
        self.added = added
        self.removed = removed
    }
}

/// An endpoint of Web Push as the registry has it.
package struct RegisteredSubscription: Sendable, Equatable {
    /// SHA-256 of the capability: 64 lower-case hex digits.
    package let token: String
    package let subscription: WebPushSubscription
    package let added: Date
    /// The moment of the removal; `nil` means that the subscription is active.
    package let removed: Date?

    package init(token: String, subscription: WebPushSubscription, added: Date, removed: Date? = nil) {
        self.token = token
        self.subscription = subscription
        self.added = added
        self.removed = removed
    }
}

/// An app that a command added; it has what an app of host.yaml has.
package struct RegisteredApp: Sendable, Equatable {
    package let topic: String
    /// The app's mapping, written as an element of `apps` in host.yaml is.
    package let yaml: String
    /// Absolute path of the file that the mapping was read from: relative paths in it start in that file's folder.
    package let file: String
    package let added: Date

    package init(topic: String, yaml: String, file: String, added: Date) {
        self.topic = topic
        self.yaml = yaml
        self.file = file
        self.added = added
    }
}

/// An app that a host runs, with the device tokens that its configuration names.
package struct HostedTokens: Sendable, Equatable {
    package let registration: DeviceTokenTable.Registration
    /// In lower case, the first one first.
    package let tokens: [String]
    /// True if the app has an extension, whose first owner the registry keeps.
    package let hasExtension: Bool

    package init(registration: DeviceTokenTable.Registration, tokens: [String] = [], hasExtension: Bool = false) {
        self.registration = registration
        self.tokens = tokens
        self.hasExtension = hasExtension
    }
}
