// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// A centre that carries notifications between the processes of a device.
///
/// Nobody listens here: a post is named in the log, once a name, and reaches no one.
public final class CFNotificationCenter: NSObject, Sendable {
    fileprivate static let darwin = CFNotificationCenter()
}

/// The name of a notification between processes.
///
/// SAFETY: the string is a copy that nothing changes.
public struct CFNotificationName: RawRepresentable, Hashable, @unchecked Sendable {
    /// The name itself.
    public let rawValue: CFString

    /// A name.
    public init(rawValue: CFString) {
        self.rawValue = NSString(string: String(describing: rawValue))
    }

    /// A name.
    public init(_ rawValue: CFString) {
        self.init(rawValue: rawValue)
    }
}

/// The treatment of posts to a suspended observer; stored nowhere.
public enum CFNotificationSuspensionBehavior: Int, Sendable {
    /// Posts to a suspended observer are dropped.
    case drop = 1
    /// Only the last post to a suspended observer counts.
    case coalesce = 2
    /// Posts to a suspended observer wait.
    case hold = 3
    /// Posts wake a suspended observer.
    case deliverImmediately = 4
}

/// The function of an observer, which a post would call; none is ever called.
public typealias CFNotificationCallback = (
    CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// The centre of the device.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter { .darwin }

/// Names the post in the log; it reaches no one.
public func CFNotificationCenterPostNotification(
    _ center: CFNotificationCenter?,
    _ name: CFNotificationName?,
    _ object: UnsafeRawPointer?,
    _ userInfo: CFDictionary?,
    _ deliverImmediately: Bool
) {
    HostLog.warnOnce("notification \"\(name?.rawValue as String? ?? "")\" posted to other processes: nobody listens")
}

/// Stores nothing: no post ever comes.
public func CFNotificationCenterAddObserver(
    _ center: CFNotificationCenter?,
    _ observer: UnsafeRawPointer?,
    _ callBack: CFNotificationCallback?,
    _ name: CFString?,
    _ object: UnsafeRawPointer?,
    _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
    HostLog.warnOnce("notification \"\(name.map { $0 as String } ?? "")\" observed: no other process posts any")
}

/// Does nothing: there is no observer.
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter?,
    _ observer: UnsafeRawPointer?,
    _ name: CFNotificationName?,
    _ object: UnsafeRawPointer?
) {}

/// Does nothing: there is no observer.
public func CFNotificationCenterRemoveEveryObserver(_ center: CFNotificationCenter?, _ observer: UnsafeRawPointer?) {}
