// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A picture: a file of the view, or a symbol that the page draws.
package struct SceneImage: Sendable, Equatable {
    /// The way in which a picture fills a frame of another shape.
    package enum Fit: String, Sendable, CaseIterable {
        /// Whole and undistorted, with room beside it.
        case contain
        /// Undistorted, without room, cut where it is larger.
        case cover
        /// Stretched to the frame.
        case fill
        /// In its own size, in the middle.
        case center
    }

    /// The number of a file; `nil` draws nothing, or the symbol.
    package var source: UInt32?
    /// A name of Apple's SF Symbols, letters, digits and points; the page draws a plain square for one that it does not
    /// have, and the file for an image that has both.
    package var symbol: String?
    package var fit: Fit
    /// The colour of a symbol, or of a file that is drawn by its opacity alone; `nil` means the page's accent, and the
    /// colours of the file.
    package var tint: SceneColor?

    package init(source: UInt32? = nil, symbol: String? = nil, fit: Fit = .fill, tint: SceneColor? = nil) {
        self.source = source
        self.symbol = symbol
        self.fit = fit
        self.tint = tint
    }

    func write(to object: inout JSONObject) {
        object["src"] = source.map { .integer(Int64($0)) }
        object["symbol"] = symbol.map(JSON.string)
        if fit != .fill { object["fit"] = .string(fit.rawValue) }
        object["tint"] = tint?.json
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            source: try members.optionalFile(),
            symbol: try members.optionalSymbol(),
            fit: try members.optionalWord("fit") ?? .fill,
            tint: try members.optionalColor("tint")
        )
    }
}

/// A film or a sound that the page plays: a file of the notification or of the bundle.
package struct SceneMedia: Sendable, Equatable {
    /// The number of a file.
    package var source: UInt32?
    package var isPlaying: Bool
    /// Counts the jumps; the page jumps to `seconds` when it has changed.
    package var jump: UInt32
    /// The place to which the last jump went, from the beginning.
    package var seconds: Double
    package var isMuted: Bool
    /// 0 to 1.
    package var volume: Double
    /// True if the film begins again at its end.
    package var isLooping: Bool
    /// True if the page shows its own buttons over it.
    package var hasControls: Bool
    package var fit: SceneImage.Fit

    package init(
        source: UInt32? = nil,
        isPlaying: Bool = false,
        jump: UInt32 = 0,
        seconds: Double = 0,
        isMuted: Bool = false,
        volume: Double = 1,
        isLooping: Bool = false,
        hasControls: Bool = false,
        fit: SceneImage.Fit = .contain
    ) {
        self.source = source
        self.isPlaying = isPlaying
        self.jump = jump
        self.seconds = seconds
        self.isMuted = isMuted
        self.volume = volume
        self.isLooping = isLooping
        self.hasControls = hasControls
        self.fit = fit
    }

    /// The longest film, in seconds: a day.
    package static let times = 0.0...86_400.0

    func write(to object: inout JSONObject) {
        object["src"] = source.map { .integer(Int64($0)) }
        if isPlaying { object["playing"] = true }
        if jump != 0 { object["jump"] = .integer(Int64(jump)) }
        if seconds != 0 { object["at"] = .double(seconds) }
        if isMuted { object["muted"] = true }
        if volume != 1 { object["volume"] = .double(volume) }
        if isLooping { object["loop"] = true }
        if hasControls { object["controls"] = true }
        if fit != .contain { object["fit"] = .string(fit.rawValue) }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            source: try members.optionalFile(),
            isPlaying: try members.optionalFlag("playing") ?? false,
            jump: UInt32(try members.optionalInteger("jump", 0...Int64(UInt32.max)) ?? 0),
            seconds: try members.optionalNumber("at", Self.times) ?? 0,
            isMuted: try members.optionalFlag("muted") ?? false,
            volume: try members.optionalNumber("volume", 0...1) ?? 1,
            isLooping: try members.optionalFlag("loop") ?? false,
            hasControls: try members.optionalFlag("controls") ?? false,
            fit: try members.optionalWord("fit") ?? .contain
        )
    }
}
