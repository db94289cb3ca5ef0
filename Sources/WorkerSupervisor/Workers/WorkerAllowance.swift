// SPDX-License-Identifier: Apache-2.0

/// A token bucket: `capacity` at once, and `perSecond` more each second.
struct TokenBucket {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var refilled = Duration.zero

    init(capacity: Double, perSecond: Double) {
        self.capacity = capacity
        self.perSecond = perSecond
        tokens = capacity
    }

    /// False, and nothing taken, when there is not enough.
    mutating func take(_ amount: Double = 1, now: Duration) -> Bool {
        tokens = min(capacity, tokens + (now - refilled) / .seconds(1) * perSecond)
        refilled = now
        guard tokens >= amount else { return false }
        tokens -= amount
        return true
    }
}

/// The limits on what a worker may send beside the one completion of each request.
///
/// Log messages: 64 a second, 256 at once, the rest is dropped and counted. Keychain calls: 32 a second, 1,024 at once,
/// the rest fail. Anything: 1 MB a second and once as much at once, where a packet counts as 128 bytes at least,
/// because its reading costs even when its bytes do not. All but calls is judged before anything is parsed.
struct WorkerAllowance {
    private var logs = TokenBucket(capacity: 256, perSecond: 64)
    private var bytes = TokenBucket(capacity: 1_000_000, perSecond: 1_000_000)
    private var keychainCalls = TokenBucket(capacity: 1024, perSecond: 32)
    private(set) var droppedLogCount = 0

    mutating func takeLog(now: Duration) -> Bool {
        if logs.take(now: now) { return true }
        droppedLogCount += 1
        return false
    }

    /// False: the call fails, as each may cost a write to the disk.
    mutating func takeKeychainCall(now: Duration) -> Bool {
        keychainCalls.take(now: now)
    }

    /// False: more than a worker with nothing to hide has to say.
    mutating func takePacket(byteCount: Int, now: Duration) -> Bool {
        bytes.take(Double(max(128, byteCount)), now: now)
    }
}
