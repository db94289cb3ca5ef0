// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Synchronization

/// The events of a test in order, to be awaited one by one.
struct Journal<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func note(_ element: Element) {
        continuation.yield(element)
    }

    /// The next so many, waiting for them.
    func next(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in stream {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }

    /// All that was noted and not taken yet; nothing can be noted after it.
    func rest() async -> [Element] {
        continuation.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }
}

/// A number that many tasks change.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func change(by difference: Int) {
        number.wrappingAdd(difference, ordering: .sequentiallyConsistent)
    }
}

extension IncomingPush {
    static let received = Date(timeIntervalSince1970: 1_795_230_000.123)

    static func sample(
        id: String = "2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0",
        device: String = "00",
        topic: String = "com.example.chat",
        owner: String = OwnedApp.onlyOwner,
        pushType: PushType = .alert,
        priority: PushPriority = .immediate,
        expiration: Date? = nil,
        isKept: Bool = true,
        collapseID: String? = nil,
        payload: JSONObject = ["aps": ["alert": "clear", "mutable-content": 1]],
        byteCount: Int = 100
    ) -> IncomingPush {
        IncomingPush(
            id: id,
            deviceToken: device,
            topic: topic,
            owner: owner,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            isKept: isKept,
            collapseID: collapseID,
            payload: Payload(payload),
            payloadByteCount: byteCount,
            receivedAt: received
        )
    }
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
