// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import AVKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// A view that is the layer of a film.
class PlayerView: UIView {
    override static var layerClass: AnyClass { AVPlayerLayer.self }
    // swift-format-ignore: NeverForceUnwrap
    var playerLayer: AVPlayerLayer { layer as! AVPlayerLayer }
    var player: AVPlayer? {
        get { playerLayer.player }
        set { playerLayer.player = newValue }
    }
}

/// A film in a layer of its own view and a sound, started and stopped by the media button.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
    @IBOutlet weak var playerView: PlayerView!
    @IBOutlet weak var label: UILabel!
    private var player: AVPlayer?
    private var sound: AVAudioPlayer?

    override func viewDidLoad() {
        super.viewDidLoad()
        playerView.playerLayer.videoGravity = .resizeAspectFill
        guard let url = Bundle.main.url(forResource: "film", withExtension: "mp4") else {
            label.text = "No film"
            return
        }
        let item = AVPlayerItem(url: url)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        player.actionAtItemEnd = .pause
        playerView.player = player
        self.player = player
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(filmEnded(_:)),
            name: .AVPlayerItemDidPlayToEndTime,
            object: item
        )
    }

    @objc private func filmEnded(_ notification: Notification) {
        player?.seek(to: CMTime.zero)
        extensionContext?.mediaPlayingPaused()
    }

    func didReceive(_ notification: UNNotification) {
        label.text = "Paused"
        if let url = Bundle.main.url(forResource: "tick", withExtension: "wav") {
            sound = try? AVAudioPlayer(contentsOf: url)
            sound?.numberOfLoops = 1
            sound?.volume = 0.5
            sound?.prepareToPlay()
        }
    }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }

    var mediaPlayPauseButtonFrame: CGRect {
        let bounds = playerView.frame
        return CGRect(x: bounds.midX - 25, y: bounds.midY - 25, width: 50, height: 50)
    }

    var mediaPlayPauseButtonTintColor: UIColor { UIColor.orange }

    func mediaPlay() {
        player?.play()
        if player == nil { sound?.play() }
        label.text = player?.rate == 1 ? "Playing" : "Not playing"
    }

    func mediaPause() {
        player?.pause()
        label.text = "Paused"
    }

    @IBAction func toggle(_ sender: Any) {
        if player?.timeControlStatus == .paused {
            mediaPlay()
            extensionContext?.mediaPlayingStarted()
        } else {
            mediaPause()
            extensionContext?.mediaPlayingPaused()
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        player?.pause()
        NotificationCenter.default.removeObserver(self)
    }
}
