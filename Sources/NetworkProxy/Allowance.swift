// SPDX-License-Identifier: Apache-2.0

/// The connections, bytes and log lines that are left for one open request.
final class Allowance {
    enum Direction {
        case up, down
    }

    let request: UInt64
    private(set) var isOpen = true
    private(set) var connectionsLeft: Int
    private(set) var refusalsToLog: Int
    private var upLeft: Int
    private var downLeft: Int

    init(request: UInt64, limits: NetworkProxy.Limits) {
        self.request = request
        connectionsLeft = limits.connectionsInAll
        refusalsToLog = limits.loggedRefusals
        upLeft = limits.upByteCount
        downLeft = limits.downByteCount
    }

    func end() {
        isOpen = false
    }

    func takeConnection() -> Bool {
        guard connectionsLeft > 0 else { return false }
        connectionsLeft -= 1
        return true
    }

    func takeLogLine() -> Bool {
        guard refusalsToLog > 0 else { return false }
        refusalsToLog -= 1
        return true
    }

    /// Takes up to `count` bytes; returns how many were left to take.
    fileprivate func take(_ count: Int, _ direction: Direction) -> Int {
        switch direction {
        case .up:
            let taken = min(count, upLeft)
            upLeft -= taken
            return taken
        case .down:
            let taken = min(count, downLeft)
            downLeft -= taken
            return taken
        }
    }
}

extension [Allowance] {
    /// Charges bytes to the oldest requests that still have room; false when together they have not enough.
    func take(_ count: Int, _ direction: Allowance.Direction) -> Bool {
        var rest = count
        for allowance in self where rest > 0 && allowance.isOpen { rest -= allowance.take(rest, direction) }
        return rest == 0
    }
}
