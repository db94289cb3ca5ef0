// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The desktop's own sound, which is the page's as well: two short tones, as a WAV file of half a second.
package enum OwnSound {
    private static let rate = 22_050
    private static let seconds = 0.5
    /// Hertz, and the seconds at which each tone begins.
    private static let tones = [(784.0, 0.0), (1047.0, 0.12)]

    /// 16 bits a sample, one channel.
    package static var bytes: [UInt8] {
        let count = Int(Double(rate) * seconds)
        let samples = (0..<count).map { place -> Int16 in
            let moment = Double(place) / Double(rate)
            // The loudness falls from a quarter to a thousandth, as it does on the page.
            let gain = 0.25 * pow(0.004, moment / seconds)
            let wave = tones.reduce(0.0) { sum, tone in
                moment < tone.1 ? sum : sum + sin(2 * .pi * tone.0 * (moment - tone.1))
            }
            return Int16(gain * wave * Double(Int16.max))
        }
        return Array("RIFF".utf8) + number(36 + 2 * count, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
            + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2)
            + Array("data".utf8) + number(2 * count, 4) + samples.flatMap { number(Int(UInt16(bitPattern: $0)), 2) }
    }

    /// A number in bytes, the lowest first.
    private static func number(_ number: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
