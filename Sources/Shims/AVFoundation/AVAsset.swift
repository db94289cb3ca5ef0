// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A film or a sound: a file.
///
/// Source: Apple, "AVAsset".
@preconcurrency @MainActor open class AVAsset: NSObject {
    /// The address of the file.
    let source: URL
    /// Seconds, once the page has told them.
    var seconds: Double?
    /// Seconds as the head of the file says them, read once.
    private(set) lazy var written: Double? = MediaLength.seconds(of: source)

    init(source: URL) {
        self.source = source
        super.init()
    }

    /// A film or a sound.
    public convenience init(url URL: URL) {
        self.init(source: URL)
    }

    /// The length: as the page has told it, or before that as the head of a WAV, MP4, M4A or MP3 says it.
    open var duration: CMTime {
        (seconds ?? written).map { CMTime(seconds: $0, preferredTimescale: 1000) } ?? .indefinite
    }
    /// True: the page says at once when it cannot play a file.
    open var isPlayable: Bool { true }
    /// The loudness that its author wished.
    open var preferredVolume: Float { 1 }
    /// The pace that its author wished.
    open var preferredRate: Float { 1 }

    /// Calls at once: values are there or come with the page's word.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (() -> Void)? = nil) {
        handler?()
    }

    /// Loaded, whatever the key.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// The tracks of a file; nobody here reads files of media.
    @available(*, unavailable, message: "nothing reads media files in this process: play it with an AVPlayer")
    open func tracks(withMediaType mediaType: AVMediaType) -> [Never] { [] }
}

/// A film or a sound by its address.
///
/// Source: Apple, "AVURLAsset".
@preconcurrency @MainActor open class AVURLAsset: AVAsset {
    /// The address of the file.
    open var url: URL { source }

    /// A file of the notification or of the bundle; the page plays no others.
    public init(url URL: URL, options: [String: Any]? = nil) {
        super.init(source: URL)
    }
}

/// The state of a value that is read.
public enum AVKeyValueStatus: Int, Sendable {
    case unknown, loading, loaded, failed, cancelled
}

/// The kind of a track.
public struct AVMediaType: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Words.
    public static let text = AVMediaType(rawValue: "text")
}

/// Makes pictures of a film.
@available(*, unavailable, message: "nothing reads media files in this process: attach a picture of the film")
open class AVAssetImageGenerator: NSObject {}

/// Writes films.
@available(*, unavailable, message: "nothing writes media files in this process")
open class AVAssetExportSession: NSObject {}

/// The way in which a film fills a layer of another shape.
public struct AVLayerVideoGravity: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whole and undistorted, with room beside it.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Undistorted, without room, cut where it is larger.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Stretched.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}
