// SPDX-License-Identifier: Apache-2.0

package import GRDB

/// A value that a statement takes as an argument.
package protocol HotValue {
    /// Hands the value to a statement as its argument number `index`, counted from 1.
    func bind(to statement: HotStatement, at index: CInt)
}

extension Int64: HotValue {
    package func bind(to statement: HotStatement, at index: CInt) { statement.bind(self, at: index) }
}

extension Int: HotValue {
    package func bind(to statement: HotStatement, at index: CInt) { statement.bind(Int64(self), at: index) }
}

extension String: HotValue {
    package func bind(to statement: HotStatement, at index: CInt) { statement.bind(self, at: index) }
}

extension [UInt8]: HotValue {
    package func bind(to statement: HotStatement, at index: CInt) { statement.bind(self, at: index) }
}

extension Optional: HotValue where Wrapped: HotValue {
    /// Binds null where there is no value.
    package func bind(to statement: HotStatement, at index: CInt) {
        if let self { self.bind(to: statement, at: index) } else { statement.bind(nil as Int64?, at: index) }
    }
}

extension HotStatement {
    /// Takes all arguments of the statement, the first of which has the number 1.
    package func bind<each Value: HotValue>(_ values: repeat each Value) -> HotStatement {
        var index: CInt = 0
        for value in repeat each values {
            index += 1
            value.bind(to: self, at: index)
        }
        return self
    }
}

/// The statements of one connection, each prepared when it is first used and kept under its text.
///
/// The texts are those that stand in the sources, so their number has a bound. `close()` comes before the connection's.
package final class HotStatements {
    private var prepared: [String: HotStatement] = [:]
    private var isClosed = false

    package init() {}

    package func callAsFunction(_ sql: String, on database: Database) throws -> HotStatement {
        if let statement = prepared[sql] { return statement }
        guard !isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed") }
        let statement = try HotStatement(sql, on: database)
        prepared[sql] = statement
        return statement
    }

    package func close() {
        isClosed = true
        for statement in prepared.values { statement.close() }
        prepared = [:]
    }
}
