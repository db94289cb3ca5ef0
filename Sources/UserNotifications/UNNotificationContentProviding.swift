// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that a notification's content can be updated from, such as a message intent.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
