// SPDX-License-Identifier: Apache-2.0

package import SceneModel
package import UserNotifications

/// The view that a process shows: it hears of its notification and of what people do, and says what is to be drawn.
///
/// The functions are called on the thread that reads from the host, in the order in which the host has sent; none may
/// block.
package protocol ViewWork: AnyObject, Sendable {
    /// Takes the notification to show. `say` sends an update of the scene, and may be called on one thread alone.
    func open(
        _ notification: UNNotification,
        in environment: ViewEnvironment,
        say: @escaping @Sendable (SceneUpdate) -> Void
    )

    /// Takes an event, which an update of the scene acknowledges by its number.
    func take(_ event: ViewEvent, numbered seq: UInt64)

    /// Calls a function behind everything that came before: the view is over.
    func end(_ end: @escaping @Sendable () -> Void)

    /// Takes a newer notification to show, which an update acknowledges in the same way.
    func take(_ notification: UNNotification, numbered seq: UInt64)
}
