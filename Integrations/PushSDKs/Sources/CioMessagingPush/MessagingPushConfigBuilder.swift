// SPDX-License-Identifier: Apache-2.0

/// The data centre of a workspace of Customer.io.
public enum Region: String, Equatable, Sendable {
    /// The United States: `cdp.customer.io`.
    case US
    /// The European Union: `cdp-eu.customer.io`.
    case EU
}

/// The amount that Customer.io's library writes into the log of a phone; here it is kept and changes nothing.
public enum CioLogLevel: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// Errors.
    case error
    /// Messages for an app's author.
    case info
    /// Everything.
    case debug
}

/// The options of the push messaging.
///
/// Source: customerio/customerio-ios 4.7.5 (8b9ee36), Config/MessagingPushConfigOptions.swift.
public struct MessagingPushConfigOptions: Sendable {
    /// A level that is kept and has no effect.
    public let logLevel: CioLogLevel
    /// The key of the pipeline that takes reports; empty means that none are sent.
    public let cdpApiKey: String
    /// The data centre that reports go to.
    public let region: Region
    /// An option of the app, without effect in an extension.
    public let autoFetchDeviceToken: Bool
    /// True if deliveries are reported.
    public let autoTrackPushEvents: Bool
    /// An option of the app, without effect in an extension.
    public let showPushAppInForeground: Bool
    /// A group that is kept and has no effect: reports that do not arrive are not stored.
    public let appGroupId: String?
}

/// A maker of the options.
///
/// Source: customerio/customerio-ios 4.7.5 (8b9ee36), Config/MessagingPushConfigBuilder.swift.
public final class MessagingPushConfigBuilder {
    private var logLevel = CioLogLevel.error
    private let cdpApiKey: String
    private var region = Region.US
    private var autoFetchDeviceToken = true
    private var autoTrackPushEvents = true
    private var showPushAppInForeground = true
    private var appGroupId: String?

    /// Makes options without a key: deliveries are not reported.
    public init() { cdpApiKey = "" }

    /// Makes options with the key of a pipeline.
    public init(cdpApiKey: String) { self.cdpApiKey = cdpApiKey }

    /// Sets the data centre; the United States without it.
    @discardableResult
    public func region(_ region: Region) -> MessagingPushConfigBuilder {
        self.region = region
        return self
    }

    /// Keeps the level, which has no effect.
    @discardableResult
    public func logLevel(_ logLevel: CioLogLevel) -> MessagingPushConfigBuilder {
        self.logLevel = logLevel
        return self
    }

    /// Keeps an option of the app.
    @discardableResult
    public func autoFetchDeviceToken(_ value: Bool) -> MessagingPushConfigBuilder {
        autoFetchDeviceToken = value
        return self
    }

    /// Sets whether deliveries are reported; they are without it.
    @discardableResult
    public func autoTrackPushEvents(_ value: Bool) -> MessagingPushConfigBuilder {
        autoTrackPushEvents = value
        return self
    }

    /// Keeps an option of the app.
    @discardableResult
    public func showPushAppInForeground(_ value: Bool) -> MessagingPushConfigBuilder {
        showPushAppInForeground = value
        return self
    }

    /// Keeps the app group, which has no effect.
    @discardableResult
    public func appGroupId(_ value: String) -> MessagingPushConfigBuilder {
        appGroupId = value
        return self
    }

    /// Returns the options.
    public func build() -> MessagingPushConfigOptions {
        MessagingPushConfigOptions(
            logLevel: logLevel,
            cdpApiKey: cdpApiKey,
            region: region,
            autoFetchDeviceToken: autoFetchDeviceToken,
            autoTrackPushEvents: autoTrackPushEvents,
            showPushAppInForeground: showPushAppInForeground,
            appGroupId: appGroupId
        )
    }
}
