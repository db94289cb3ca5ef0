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
