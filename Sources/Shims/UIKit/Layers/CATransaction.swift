// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The changes of layers from a beginning to its end.
struct LayerTransaction {
    /// The time of animations without one.
    static let usualSeconds = 0.25

    var duration = Self.usualSeconds
    var disablesActions = false
    var timingFunction: CAMediaTimingFunction?
    var completion: (() -> Void)?
    /// The seconds until the last of its animations ends.
    var lastEnd = 0.0
    /// True for the one of the turn, which code did not begin.
    var isImplicit = false
}

extension Stage {
    var transaction: LayerTransaction? { transactions.last }

    /// Changes the innermost transaction; that of the turn, if code began none.
    func changeTransaction(_ change: (inout LayerTransaction) -> Void) {
        if transactions.isEmpty {
            transactions = [LayerTransaction(isImplicit: true)]
            timeline.call(after: 0) { [self] in
                guard let first = transactions.first, first.isImplicit else { return }
                transactions.removeFirst()
                complete(first)
            }
        }
        change(&transactions[transactions.count - 1])
    }

    /// Notes that an animation of the innermost transaction ends after so many seconds.
    func noteEnd(after seconds: Double) {
        guard !transactions.isEmpty else { return }
        let last = transactions.count - 1
        transactions[last].lastEnd = max(transactions[last].lastEnd, seconds)
    }

    /// Ends the innermost transaction that code began.
    func commit() {
        guard let last = transactions.last, !last.isImplicit else { return }
        transactions.removeLast()
        noteEnd(after: last.lastEnd)
        complete(last)
    }

    /// Calls the completion when the last animation is over; never, if that has no end.
    private func complete(_ transaction: LayerTransaction) {
        guard let completion = transaction.completion, transaction.lastEnd.isFinite else { return }
        timeline.call(after: transaction.lastEnd) { completion() }
    }

    /// Counts a play that begins; false if there are too many.
    func takePlay() -> Bool {
        guard playCount < MotionPlay.limit else { return false }
        playCount += 1
        return true
    }
}

/// A group of changes of layers.
///
/// A layer changes at once, with or without a transaction: what moves are animations that are added. Those without a
/// duration have that of the transaction, and the completion is called when all that were added are over.
/// Source: Apple, "CATransaction".
@preconcurrency @MainActor open class CATransaction: NSObject {
    /// Begins a group.
    open class func begin() {
        guard onMain(self.begin()) else { return }
        var transaction = LayerTransaction()
        if let outer = Stage.current.transaction { transaction.duration = outer.duration }
        Stage.current.transactions.append(transaction)
    }

    /// Ends the group that began last.
    open class func commit() {
        guard onMain(self.commit()) else { return }
        Stage.current.commit()
    }

    /// Has the changes so far sent with the next turn, as all changes are.
    open class func flush() {}

    /// The seconds of animations that have no time.
    open class func animationDuration() -> CFTimeInterval {
        Stage.current.transaction?.duration ?? LayerTransaction.usualSeconds
    }

    /// Sets the seconds of animations that have no time.
    open class func setAnimationDuration(_ dur: CFTimeInterval) {
        guard onMain(self.setAnimationDuration(dur)) else { return }
        Stage.current.changeTransaction { $0.duration = dur > 0 ? dur : 0 }
    }

    /// The curve of time of the group; without effect.
    open class func animationTimingFunction() -> CAMediaTimingFunction? { Stage.current.transaction?.timingFunction }

    /// Sets the curve of time of the group; without effect.
    open class func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        guard onMain(self.setAnimationTimingFunction(function)) else { return }
        Stage.current.changeTransaction { $0.timingFunction = function }
    }

    /// True if changes of layers do not move; they never do.
    open class func disableActions() -> Bool { Stage.current.transaction?.disablesActions ?? false }

    /// Has changes of layers not move; they never do.
    open class func setDisableActions(_ flag: Bool) {
        guard onMain(self.setDisableActions(flag)) else { return }
        Stage.current.changeTransaction { $0.disablesActions = flag }
    }

    /// The function that is called at the end.
    open class func completionBlock() -> (() -> Void)? { Stage.current.transaction?.completion }

    /// Sets the function that is called when the animations of the group are over.
    open class func setCompletionBlock(_ block: (() -> Void)?) {
        guard onMain(self.setCompletionBlock(block)) else { return }
        Stage.current.changeTransaction { $0.completion = block }
    }

    /// This has no effect: there is one thread.
    open class func lock() {}
    /// This has no effect: there is one thread.
    open class func unlock() {}
}
