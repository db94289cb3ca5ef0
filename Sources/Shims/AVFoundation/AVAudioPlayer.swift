// SPDX-License-Identifier: Apache-2.0

public import Foundation
import UIKit

/// The object that hears of the end of a sound.
@preconcurrency @MainActor public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound is over; the default does nothing.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The page cannot play the sound; the default does nothing.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// A player of a sound, which the page plays.
///
/// Source: Apple, "AVAudioPlayer".
@preconcurrency @MainActor open class AVAudioPlayer: NSObject {
    /// The file.
    open var url: URL? { item.asset.source }
    /// The object that hears of the end.
    open weak var delegate: (any AVAudioPlayerDelegate)?
    /// The rounds beside the first one; less than 0 for no end.
    open var numberOfLoops = 0 { didSet { player.isLooping = numberOfLoops < 0 } }
    /// This has no effect: the page plays at the usual pace.
    open var enableRate = false
    /// This has no effect: the page plays at the usual pace.
    open var rate: Float = 1
    /// This has no effect: the page plays both sides alike.
    open var pan: Float = 0
    /// This has no effect: the page tells no loudness.
    open var isMeteringEnabled = false

    private let item: AVPlayerItem
    private let player: AVPlayer
    private var roundsLeft = 0
    private var observation: NSKeyValueObservation?
    /// The file of bytes that the player was made of.
    private var ownFile: OwnFile?

    /// A player of a file of the notification or of the bundle.
    ///
    /// Throws an error of Foundation's when there is no file.
    public init(contentsOf url: URL) throws {
        guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        item = AVPlayerItem(url: url)
        player = AVPlayer(playerItem: item)
        super.init()
        player.actionAtItemEnd = .none
        player.onEnd = { [weak self] in self?.end() }
        observation = item.observe(\.status) { [weak self] item, _ in
            guard let self, item.status == .failed else { return }
            self.delegate?.audioPlayerDecodeErrorDidOccur(self, error: item.error)
        }
    }

    /// A player of a file; the kind of the file is known by its first bytes.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(contentsOf: url)
    }

    /// A player of the bytes of a file, which are written to the temporary folder: the page plays files.
    ///
    /// The file goes with the player. Throws an error of Foundation's when it cannot be written.
    public convenience init(data: Data) throws {
        let name = "sound-\(UUID().uuidString).\(Self.pathExtension(of: data))"
        let file = OwnFile(url: FileManager.default.temporaryDirectory.appendingPathComponent(name))
        try data.write(to: file.url)
        try self.init(contentsOf: file.url)
        ownFile = file
    }

    /// A player of the bytes of a file; the kind of the file is known by its first bytes.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws {
        try self.init(data: data)
    }

    /// The extension by which the page takes the bytes for a sound.
    private static func pathExtension(of data: Data) -> String {
        if data.starts(with: "RIFF".utf8) { return "wav" }
        if data.starts(with: "FORM".utf8) { return "aiff" }
        return data.dropFirst(4).starts(with: "ftyp".utf8) ? "m4a" : "mp3"
    }

    /// True while it plays.
    open var isPlaying: Bool { player.rate != 0 }
    /// 0 to 1.
    open var volume: Float {
        get { player.volume }
        set { player.volume = newValue }
    }
    /// Seconds, as the file or the page says them; 0 until one of them has.
    open var duration: TimeInterval { item.asset.seconds ?? item.asset.written ?? 0 }
    /// The place in seconds.
    open var currentTime: TimeInterval {
        get { player.seconds }
        set { player.seek(to: CMTime(seconds: newValue, preferredTimescale: 1000)) }
    }
    /// The channels, which the page does not tell.
    open var numberOfChannels: Int { 0 }
    /// The seconds of the clock.
    open var deviceCurrentTime: TimeInterval { player.stage.timeline.seconds }

    /// Does nothing: the page reads a file when it plays.
    @discardableResult
    open func prepareToPlay() -> Bool { true }

    /// Begins, or goes on.
    @discardableResult
    open func play() -> Bool {
        if !isPlaying { roundsLeft = max(0, numberOfLoops) }
        player.play()
        return true
    }

    /// Begins at a time of the clock.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        player.stage.timeline.call(after: time - deviceCurrentTime) { [weak self] in self?.play() }
        return true
    }

    /// Stops where it is.
    open func pause() { player.pause() }

    /// Stops where it is.
    open func stop() { player.pause() }

    /// Sets the volume; at once, whatever the time.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }

    /// Does nothing: the page tells no loudness.
    open func updateMeters() {}
    /// Silence, since the page tells no loudness.
    open func averagePower(forChannel channelNumber: Int) -> Float { -160 }
    /// Silence, since the page tells no loudness.
    open func peakPower(forChannel channelNumber: Int) -> Float { -160 }

    private func end() {
        player.seek(to: .zero)
        guard roundsLeft == 0 else {
            roundsLeft -= 1
            return
        }
        player.pause()
        delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    }
}

/// A file that is removed with its last owner.
private final class OwnFile {
    let url: URL

    init(url: URL) {
        self.url = url
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
