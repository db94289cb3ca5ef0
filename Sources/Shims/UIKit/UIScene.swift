// SPDX-License-Identifier: Apache-2.0

// Everything of Foundation comes with UIKit.
@_exported public import Foundation

/// A part of an app's interface; there is none here.
open class UIScene: NSObject {}

/// A window's part of an app's interface; there is none here.
open class UIWindowScene: UIScene {}

/// An app's interface.
@available(*, unavailable, message: "UIApplication is not there in an extension, here as on iOS")
public final class UIApplication: NSObject {}

/// The result of handling a silent push.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new.
    case newData
    /// Nothing new.
    case noData
    /// Nothing could be fetched.
    case failed
}

// SAFETY: it has no state.
/// The machine, as far as it names itself.
open class UIDevice: NSObject, @unchecked Sendable {
    /// This machine.
    public class var current: UIDevice { UIDevice() }

    /// "Linux": the machine's own name stays with the host.
    open var name: String { "Linux" }
    /// "Linux".
    open var model: String { "Linux" }
    /// "Linux".
    open var systemName: String { "Linux" }
    /// The kernel's version, as Foundation tells it.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// Always `nil`, because there is no vendor's identifier.
    open var identifierForVendor: UUID? { nil }
}
