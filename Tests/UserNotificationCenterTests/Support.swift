// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import UserNotificationCenter

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}

extension Showing {
    /// The surfaces and effects of a decision, in a fixed order of words.
    ///
    /// "critical" stands for the critical sound, and "-" for nothing.
    var words: String {
        let sound: String? =
            switch sound {
            case .none: nil
            case .ordinary: "sound"
            case .critical: "critical"
            }
        let words = [
            banner ? "banner" : nil, list ? "list" : nil, lock ? "lock" : nil, held ? "held" : nil, sound,
            badge ? "badge" : nil,
        ]
        let text = words.compactMap { $0 }.joined(separator: " ")
        return text.isEmpty ? "-" : text
    }
}

extension NotificationTraits {
    /// A notification with text, sound and badge.
    static func full(_ level: InterruptionLevel = .active) -> NotificationTraits {
        NotificationTraits(
            Payload(["aps": ["alert": "Hi", "sound": "default", "badge": 3, "interruption-level": .string(level.word)]])
        )
    }
}

extension Set {
    static func random(of elements: [Element], using generator: inout some RandomNumberGenerator) -> Set {
        Set(elements.filter { _ in Bool.random(using: &generator) })
    }
}
