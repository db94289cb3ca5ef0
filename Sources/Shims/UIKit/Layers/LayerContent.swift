// SPDX-License-Identifier: Apache-2.0

package import SceneModel

/// An object that draws a layer in the place of its view, as a film does.
@MainActor package protocol LayerContent: AnyObject {
    /// The node that draws the layer.
    func sceneKind(_ drawing: SceneDrawing) -> SceneKind

    /// Takes what has become of the node.
    func take(_ event: NodeEvent)
}

/// An object that draws a layer, which is not kept alive by its node.
struct DrawnContent {
    weak var content: (any LayerContent)?
}
