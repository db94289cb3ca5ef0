// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// A view that has no process yet.
struct WaitingView {
    let serial: UInt64
    var life: ViewLife
    /// The number of the site, which may have no folder yet.
    let place: Int
    let report: @Sendable (ViewReport) -> Void
    /// The end of the time for the first scene, in which the view has its turn as well.
    let limit: DeadlineQueue.ID
}

/// The views that wait for their turn at the launcher, whose socket holds few orders at once.
struct ViewLine {
    private(set) var waiting: [WaitingView] = []
    /// Orders that the launcher has not answered.
    private var orderCount = 0

    mutating func append(_ view: WaitingView) { waiting.append(view) }

    /// Takes out the view whose turn it is, which counts as ordered from now on; `nil` when there is none or no room.
    ///
    /// `processCount` is the number of processes of views, those that are ending included; `isOpen` tells whether a
    /// site has its folder. Views of a site that has none let others pass.
    mutating func next(processCount: Int, isOpen: (Int) -> Bool) -> WaitingView? {
        guard orderCount < ViewRules.orders, processCount < ViewRules.views,
            let index = waiting.firstIndex(where: { isOpen($0.place) })
        else { return nil }
        orderCount += 1
        return waiting.remove(at: index)
    }

    /// The launcher has answered an order, or never got it.
    mutating func answered() { orderCount -= 1 }

    /// Changes a view that waits, and has it hear of that; false if none of the number waits.
    mutating func amend(_ serial: UInt64, _ change: (inout ViewLife) -> Void, _ tell: (WaitingView) -> Void) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.serial == serial }) else { return false }
        change(&waiting[index].life)
        tell(waiting[index])
        return true
    }

    /// Takes a view out that ends before its turn.
    mutating func remove(_ serial: UInt64) -> WaitingView? {
        waiting.firstIndex { $0.serial == serial }.map { waiting.remove(at: $0) }
    }
}
