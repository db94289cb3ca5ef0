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

    /// The act as `extension-host view --steps` reads it.
    var json: JSONObject {
        switch self {
        case .tap(let name): ["tap": .string(name)]
        case .set(let name, let value): ["set": .string(name), "value": value.json]
        case .respond(let action, let text):
            text.map { ["respond": .string(action), "text": .string($0)] } ?? ["respond": .string(action)]
        case .media(let press): ["media": .string(press.rawValue)]
        case .show(let payload): ["show": .object(payload.object)]
        }
    }
}
