// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SceneModel
public import UIKit

/// A layer that shows the film of a player; of several layers of one player the last one does.
///
/// Source: Apple, "AVPlayerLayer".
@preconcurrency @MainActor open class AVPlayerLayer: CALayer {
    /// The player whose film is shown.
    open var player: AVPlayer? {
        didSet {
            guard player !== oldValue else { return }
            if oldValue?.screen === self { oldValue?.screen = nil }
            player?.screen = self
            setNeedsDisplay()
        }
    }
    /// The way in which the film fills the layer.
    open var videoGravity = AVLayerVideoGravity.resizeAspect { didSet { setNeedsDisplay() } }
    /// True if the page shows its own buttons over the film.
    package var hasControls = false { didSet { setNeedsDisplay() } }

    /// Makes an empty one.
    public required init() {
        super.init()
        content = self
    }

    /// A layer of a player.
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
        player?.screen = self
    }

    /// True once the page can show the film.
    open var isReadyForDisplay: Bool { player?.currentItem?.status == .readyToPlay }

    /// The rectangle of the film: that of the layer, since the page alone knows the film's size.
    open var videoRect: CGRect { bounds }
}

extension AVPlayerLayer: LayerContent {
    package func sceneKind(_ drawing: SceneDrawing) -> SceneKind {
        guard let player, player.screen === self else { return .view }
        let fit: SceneImage.Fit =
            switch videoGravity {
            case .resizeAspectFill: .cover
            case .resize: .fill
            default: .contain
            }
        return player.media(drawing, fit: fit, hasControls: hasControls)
    }

    package func take(_ event: NodeEvent) {
        guard let player, player.screen === self else { return }
        player.hear(event)
    }
}
