// SPDX-License-Identifier: Apache-2.0

/// A push that is not counted any more, because it has ended or somebody else counts it.
struct Departure: Sendable {
    let deviceToken: String
    let topic: String
    let byteCount: Int

    init(_ push: IncomingPush) {
        (deviceToken, topic, byteCount) = (push.deviceToken, push.topic, push.payloadByteCount)
    }

    init(_ ending: PushEnding) {
        (deviceToken, topic, byteCount) = (ending.conclusion.deviceToken, ending.topic, ending.byteCount)
    }
}

/// Counts what has no outcome yet, and says who may add to it.
///
/// A topic may have at most as many pushes as there is room left for others: one that floods the host takes half of
/// it, two a third each, and whoever comes next finds room. A device has a bound of its own and a rate.
/// Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998.
struct Admission {
    /// The part of the queue that has to get smaller before a push finds room.
    enum Room: Hashable, Sendable {
        case device(String)
        case topic(String)
        case host
    }

    enum Verdict: Equatable {
        case admitted
        case full(Room)
        /// The device gets pushes faster than its rate allows: whoever waited would meet the same limit afterwards.
        case tooFast
    }

    private struct Device {
        var count = 0
        /// Pushes it may still get at `asOf`.
        var allowance: Double
        var asOf: Duration
    }

    private let limits: QueueLimits
    private(set) var pushes = 0
    private(set) var byteCount = 0
    private var topics: [String: Int] = [:]
    /// Devices by the hash of their tokens.
    ///
    /// Two tokens with one hash would share a bound and a rate. The hash has 64 bits and a seed that is new in each
    /// process, so no sender can choose such tokens. A token in the place of its hash would be a string of its own in
    /// the heap, and each would keep a page of a host at rest.
    private var devices: [Int: Device] = [:]
    private var sweepAt = 1024

    init(limits: QueueLimits) {
        self.limits = limits
    }

    mutating func admit(_ push: IncomingPush, now: Duration) -> Verdict {
        let key = push.deviceToken.hashValue
        var device = device(key, now: now)
        guard device.count < limits.pushesPerDevice else { return .full(.device(push.deviceToken)) }
        guard device.allowance >= 1 else { return .tooFast }
        guard pushes < limits.pushes, byteCount + push.payloadByteCount <= limits.byteCount else { return .full(.host) }
        guard limits.hasRoom(topicCount: topics[push.topic, default: 0], of: pushes) else {
            return .full(.topic(push.topic))
        }
        device.allowance -= 1
        device.count += 1
        devices[key] = device
        add(topic: push.topic, byteCount: push.payloadByteCount)
        if devices.count > sweepAt { sweep(now: now) }
        return .admitted
    }

    /// Counts what a former process had accepted; it is in whether or not there is room.
    mutating func takeUp(_ push: UnfinishedPush, now: Duration) {
        let key = push.deviceToken.hashValue
        var device = device(key, now: now)
        device.count += 1
        devices[key] = device
        add(topic: push.topic, byteCount: push.byteCount)
    }

    mutating func release(_ departure: Departure) {
        pushes -= 1
        byteCount -= departure.byteCount
        devices[departure.deviceToken.hashValue]?.count -= 1
        if let count = topics[departure.topic] { topics[departure.topic] = count > 1 ? count - 1 : nil }
    }

    /// Returns the number of pushes that a topic may still get if no other gets any.
    ///
    /// Each of them counts twice: it adds to the topic's pushes, and takes from the limit that they are compared with.
    func room(for topic: String) -> Int {
        max(0, (limits.pushes - pushes - topics[topic, default: 0] + 1) / 2)
    }

    private mutating func add(topic: String, byteCount added: Int) {
        pushes += 1
        byteCount += added
        topics[topic, default: 0] += 1
    }

    private func device(_ key: Int, now: Duration) -> Device {
        guard var device = devices[key] else { return Device(allowance: limits.burst, asOf: now) }
        device.allowance = min(
            limits.burst,
            device.allowance + (now - device.asOf) / .seconds(1) * limits.pushesPerSecond
        )
        device.asOf = now
        return device
    }

    /// Forgets devices of which nothing is left to know.
    private mutating func sweep(now: Duration) {
        devices = devices.filter { key, known in
            known.count > 0 || device(key, now: now).allowance < limits.burst
        }
        sweepAt = max(1024, 2 * devices.count)
    }
}
