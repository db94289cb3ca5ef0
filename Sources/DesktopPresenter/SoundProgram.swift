// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that plays a sound from a file, in the order in which they are looked for.
///
/// Source: pw-cat(1), pacat(1), canberra-gtk-play(1).
package enum SoundProgram: String, Sendable, CaseIterable {
    case pwPlay = "pw-play"
    case paplay
    case canberra = "canberra-gtk-play"

    /// The arguments that play a file; `volume` is from 0 to 1, and 1 leaves the loudness to the program.
    package func arguments(playing path: String, volume: Double) -> [String] {
        switch self {
        case .pwPlay: ["--media-role=Notification"] + (volume == 1 ? [] : ["--volume=\(Self.rounded(volume))"]) + [path]
        case .paplay:
            ["--property=media.role=event"] + (volume == 1 ? [] : ["--volume=\(Int(volume * 65_536))"]) + [path]
        case .canberra:
            // Decibels, of which silence has no number.
            (volume == 1 ? [] : ["--volume=\(Self.rounded(20 * log10(max(volume, 0.001))))"]) + ["--file=\(path)"]
        }
    }

    private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
