// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The wishes of a program for sound; without effect, since the person's browser plays.
///
/// Source: Apple, "AVAudioSession".
@preconcurrency @MainActor open class AVAudioSession: NSObject {
    /// The kind of a program's sound.
    public struct Category: Hashable, Sendable, RawRepresentable {
        /// The value by which Apple knows it.
        public let rawValue: String

        /// Takes the value by which Apple knows it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A program that works without sound too.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// The same, alone.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// A program that is there to play.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// A program that records.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// A program that does both.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// A program of many inputs and outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// The use of a program's sound.
    public struct Mode: Hashable, Sendable, RawRepresentable {
        /// The value by which Apple knows it.
        public let rawValue: String

        /// Takes the value by which Apple knows it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing in particular.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A film.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Speech.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// A talk.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// A talk with pictures.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// A measurement.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    /// The relation of a program's sound to others.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The value by which Apple knows it.
        public let rawValue: UInt

        /// Takes the value by which Apple knows it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The sound is heard beside others.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Louder than others.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Headsets too.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Out of the speaker.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// The sound is heard beside music, not beside speech.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Headphones too.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// Other machines too.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
    }

    /// The consequences when a program becomes silent.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The value by which Apple knows it.
        public let rawValue: UInt

        /// Takes the value by which Apple knows it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Others are told.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The place where sound comes out.
    public enum PortOverride: UInt, Sendable {
        case none
        case speaker = 1_936_747_378
    }

    private static let only = AVAudioSession()

    /// The session of the process.
    open class func sharedInstance() -> AVAudioSession { only }

    open private(set) var category = Category.soloAmbient
    open private(set) var categoryOptions: CategoryOptions = []
    open private(set) var mode = Mode.default
    /// True if another program plays, which nobody tells.
    open var isOtherAudioPlaying: Bool { false }
    /// True if another program plays, which nobody tells.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }
    /// The loudness of the machine, which nobody tells.
    open var outputVolume: Float { 1 }

    /// Keeps the wish; without effect.
    open func setCategory(_ category: Category) throws { self.category = category }

    /// Keeps the wishes; without effect.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        (self.category, categoryOptions) = (category, options)
    }

    /// Keeps the wishes; without effect.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        (self.category, self.mode, categoryOptions) = (category, mode, options)
    }

    /// Keeps the wish; without effect.
    open func setMode(_ mode: Mode) throws { self.mode = mode }

    /// This has no effect.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

    /// This has no effect.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// Posted when another program takes the sound; never here.
    public nonisolated static let interruptionNotification = NSNotification.Name(
        "AVAudioSessionInterruptionNotification"
    )
    /// Posted when sound comes out elsewhere; never here.
    public nonisolated static let routeChangeNotification = NSNotification.Name(
        "AVAudioSessionRouteChangeNotification"
    )
}

/// Speaks a text.
@available(*, unavailable, message: "nothing speaks here: attach a sound and play it with an AVAudioPlayer")
open class AVSpeechSynthesizer: NSObject {}

/// Takes films and pictures of a camera.
@available(*, unavailable, message: "a view has no camera: ask for it in the app")
open class AVCaptureSession: NSObject {}

/// Takes sound of a microphone.
@available(*, unavailable, message: "a view has no microphone: ask for it in the app")
open class AVAudioRecorder: NSObject {}

/// Works on sound.
@available(*, unavailable, message: "the page plays whole files: use an AVAudioPlayer")
open class AVAudioEngine: NSObject {}
