// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload
package import SceneModel

/// An act of a person on a view.
package enum ViewAct: Sendable {
    case tap(String)
    case set(String, SceneValue)
    case respond(String, String?)
    case media(ViewEvent.MediaPress)
    /// A newer notification.
    case show(Payload)
}

/// The way of a test's steps to the view: into a process of its own, or to a controller of this one.
package protocol ViewDoor: Sendable {
    /// Hands an act over, and returns once the state has what it led to.
    ///
    /// Throws `ViewProblem` for one that is not possible.
    func take(_ act: ViewAct, _ state: ViewState) async throws

    /// Moves the time of the view.
    func advance(by duration: Duration, _ state: ViewState) async throws

    /// Ends the view, and returns once it has ended.
    func close(_ state: ViewState) async

    /// Ends the view without waiting for it.
    func letGo()
}
