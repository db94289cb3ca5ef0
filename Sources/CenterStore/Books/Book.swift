// SPDX-License-Identifier: Apache-2.0

/// One part of the store's writing side: the rows of some tables, and what is kept in memory of them.
///
/// Each serves one thread at a time; the connection's queue sees to it.
protocol Book: AnyObject {
    /// The transaction is on the disk.
    func committed()
    /// The transaction has not happened: what it changed in memory is taken back.
    func rolledBack()
}

/// A value that a transaction changes, and as it was before that transaction.
struct Undoable<Value> {
    var value: Value
    private var saved: Value

    init(_ value: Value) {
        self.value = value
        saved = value
    }

    mutating func commit() { saved = value }

    mutating func rollBack() { value = saved }
}
