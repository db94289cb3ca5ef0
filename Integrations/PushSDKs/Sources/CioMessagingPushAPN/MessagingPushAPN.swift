// SPDX-License-Identifier: Apache-2.0

public import CioMessagingPush

/// The push messaging of CioMessagingPush, which an extension reaches through this module alone.
public typealias MessagingPush = CioMessagingPush.MessagingPush
/// The maker of the options.
public typealias MessagingPushConfigBuilder = CioMessagingPush.MessagingPushConfigBuilder
/// The options of push messaging.
public typealias MessagingPushConfigOptions = CioMessagingPush.MessagingPushConfigOptions

/// The push messaging of Customer.io for apps whose notifications come by way of Apple.
///
/// The two ways are the same in a service extension. Source: customerio/customerio-ios 4.7.5 (8b9ee36),
/// MessagingPushAPN.swift and Aliases.swift.
public final class MessagingPushAPN {
    private init() {}

    /// Takes the options of the extension; the first call counts.
    @discardableResult
    public static func initializeForExtension(
        withConfig config: MessagingPushConfigOptions
    ) -> any MessagingPushInstance {
        MessagingPush.initializeForExtension(withConfig: config)
    }
}
