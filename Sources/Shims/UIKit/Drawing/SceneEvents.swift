// SPDX-License-Identifier: Apache-2.0

package import SceneModel

extension UIWindow {
    /// Hands an event to the view of a node and to its recognizers; a node that is gone has none.
    package func take(_ event: NodeEvent, ofNode id: UInt32) {
        content(ofNode: id)?.take(event)
        guard let view = view(ofNode: id) else { return }
        view.take(event)
        for recognizer in view.gestureRecognizers ?? [] where recognizer.isEnabled && recognizer.heard == event.name {
            guard view.gestureRecognizerShouldBegin(recognizer) else { continue }
            recognizer.take(event, of: view)
        }
    }
}
