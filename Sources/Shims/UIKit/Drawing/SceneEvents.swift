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

extension UIWindow {
    /// Tells views and controllers that they are shown in another place, once the surroundings have changed.
    package func surroundingsChanged(from before: UITraitCollection) {
        rootViewController?.tell { $0.traitCollectionDidChange(before) }
        tell { view in
            view.traitCollectionDidChange(before)
            view.invalidateIntrinsicContentSize()
            view.setNeedsLayout()
        }
    }
}

extension UIViewController {
    fileprivate func tell(_ call: (UIViewController) -> Void) {
        call(self)
        for child in children { child.tell(call) }
    }
}
