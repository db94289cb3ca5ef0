// SPDX-License-Identifier: Apache-2.0

// AVFoundation comes with AVKit, as with Apple.
@_exported public import AVFoundation
public import UIKit

/// The object that decides about a player's controller; nothing asks it here.
@preconcurrency @MainActor public protocol AVPlayerViewControllerDelegate: NSObjectProtocol {}

/// A controller whose view shows the film of a player, with the page's buttons over it.
///
/// Source: Apple, "AVPlayerViewController".
@preconcurrency @MainActor open class AVPlayerViewController: UIViewController {
    /// A view that is a film.
    private final class FilmView: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }
    }

    /// The player.
    open var player: AVPlayer? { didSet { film?.player = player } }
    /// True if the page shows its buttons.
    open var showsPlaybackControls = true { didSet { film?.hasControls = showsPlaybackControls } }
    /// The way in which the film fills the view.
    open var videoGravity = AVLayerVideoGravity.resizeAspect { didSet { film?.videoGravity = videoGravity } }
    /// The object that decides; nothing asks it here.
    open weak var delegate: (any AVPlayerViewControllerDelegate)?
    /// This has no effect: the page plays in the box.
    open var allowsPictureInPicturePlayback = true
    /// This has no effect: the page plays in the box.
    open var canStartPictureInPictureAutomaticallyFromInline = false
    /// This has no effect: the page plays in the box.
    open var entersFullScreenWhenPlaybackBegins = false
    /// This has no effect: the page plays in the box.
    open var exitsFullScreenWhenPlaybackEnds = false
    /// This has no effect: the page's person has no place for it.
    open var updatesNowPlayingInfoCenter = true
    /// This has no effect: there is one pace.
    open var requiresLinearPlayback = false

    private var film: AVPlayerLayer? { viewIfLoaded?.layer as? AVPlayerLayer }

    /// The view between the film and the page's buttons.
    open private(set) lazy var contentOverlayView: UIView? = {
        let overlay = UIView(frame: view.bounds)
        overlay.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(overlay)
        return overlay
    }()

    /// True once the page can show the film.
    open var isReadyForDisplay: Bool { film?.isReadyForDisplay ?? false }
    /// The rectangle of the film: that of the view, since the page alone knows the film's size.
    open var videoBounds: CGRect { film?.videoRect ?? .zero }

    open override func loadView() {
        let view = FilmView(frame: CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: 0))
        view.backgroundColor = .black
        self.view = view
        film?.player = player
        film?.videoGravity = videoGravity
        film?.hasControls = showsPlaybackControls
    }
}

/// Shows a film in a window of its own.
@available(*, unavailable, message: "the page plays in the box of the view: use an AVPlayerViewController")
open class AVPictureInPictureController: NSObject {}
