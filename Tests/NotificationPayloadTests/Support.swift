// SPDX-License-Identifier: Apache-2.0

@testable import NotificationPayload

/// Reads a JSON text given as Swift text.
func parse(_ text: String, depthLimit: Int = Payload.depthLimit) throws(JSONError) -> JSON {
    try parse(bytes: Array(text.utf8), depthLimit: depthLimit)
}

func parse(bytes: [UInt8], depthLimit: Int = Payload.depthLimit) throws(JSONError) -> JSON {
    try JSON(parsing: bytes.span, depthLimit: depthLimit)
}

extension JSON {
    /// The value as compact text.
    var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Case and value as text: unlike `==` it tells 1 from 1.0 and -0.0 from 0.
    var exact: String { String(describing: self) }
}

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
