// SPDX-License-Identifier: Apache-2.0

package import SceneModel
package import UserNotificationsUI

/// The code that makes a view's scene: a description that is drawn anew, or a controller with its views.
@MainActor package protocol ViewContent: AnyObject {
    /// Puts into an update the nodes that look otherwise than at the last drawing, those that went, and new files.
    func draw(in environment: ViewEnvironment, into update: inout SceneUpdate)

    /// True if the last drawing was a step of what has changed, and others follow it by themselves.
    var hasSteps: Bool { get }

    /// Takes an event of a node.
    func take(_ event: NodeEvent, of id: UInt32)

    /// Takes a press of the page's button for what the view plays.
    func take(_ press: ViewEvent.MediaPress)

    /// Takes in that the view is shown in another place, in which it is drawn next.
    func move(to environment: ViewEnvironment)

    /// Takes a newer version of the notification.
    func show(_ notification: UNNotification)

    /// Decides on a person's response; the host waits five seconds for it.
    ///
    /// `answer` is called once, or not at all by an author's code that never decides.
    func decide(
        on response: UNNotificationResponse,
        answer: @escaping @MainActor (UNNotificationContentExtensionResponseOption) -> Void
    )

    /// Takes in that the view is shown no more.
    func close()
}
