// SPDX-License-Identifier: Apache-2.0

private import CPostgreSQL
private import Glibc

/// A statement that a connection prepares when it is first run, and keeps.
package struct Statement: Sendable {
    /// The name under which the server keeps the statement: at most 63 bytes, and no other statement's.
    package let name: String
    package let sql: String

    package init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// A connection to a PostgreSQL server.
///
/// One thread at a time may use it; calls block it, each for as long as it is given. After `unanswered` the connection
/// is closed, since the answer may still come and would be taken for that of the next call.
// SAFETY: the pointer is this object's alone, and is freed with it.
@safe package final class Connection {
    private var connection: OpaquePointer?
    private var prepared: Set<String> = []
    private let notices = Notices()
    /// The place of the server that was reached among those that the connection string names.
    package let server: Int

    /// Connects to the server that a connection string of libpq names, as `application`.
    ///
    /// A string that does not say otherwise has five seconds for each address, and finds only a server that can be
    /// written to. Of several servers libpq takes the first that will do; `first` says with which it begins.
    package init(_ conninfo: String, application: String, beginningWith first: Int = 0) throws(DatabaseError) {
        if let fault = unsafe postgres_load() { throw .noLibrary(unsafe String(cString: fault)) }
        // What libpq says of a text that is none repeats parts of it, and one of them may be a password.
        let string = try ConnectionString(checked: conninfo)
        // What stands behind the string counts, not what it says itself.
        let options =
            [
                ("connect_timeout", "5"), ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"),
                ("fallback_application_name", application), ("dbname", conninfo),
            ] + string.servers(beginningWith: first)
        let made = unsafe withCStrings(options.map(\.0)) { keywords in
            unsafe withCStrings(options.map(\.1)) { values in unsafe postgres_connect(keywords, values) }
        }
        guard let made = unsafe made else { throw .unreachable("no memory for a connection") }
        guard unsafe Int(postgres_status(made)) == Int(POSTGRES_CONNECTION_OK),
            unsafe postgres_set_nonblocking(made) == 0
        else {
            defer { unsafe postgres_finish(made) }
            throw .unreachable(unsafe Self.text(postgres_error(made)))
        }
        unsafe connection = made
        server = string.place(
            of: unsafe postgres_host(made).map { unsafe String(cString: $0) } ?? "",
            unsafe postgres_port(made).map { unsafe String(cString: $0) } ?? "",
            beginningWith: first
        )
        unsafe postgres_set_notice_receiver(
            made,
            { context, notice in
                guard let context = unsafe context, let notice = unsafe notice else { return }
                unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().take(notice)
            },
            Unmanaged.passUnretained(notices).toOpaque()
        )
    }

    deinit { close() }

    /// False after `close` or `unanswered`.
    package var isOpen: Bool { unsafe connection != nil }

    /// The server's version, as 150,018 for 15.18; zero when it is closed.
    package var serverVersion: Int { unsafe connection.map { unsafe Int(postgres_server_version($0)) } ?? 0 }

    package func close() {
        if let connection = unsafe connection { unsafe postgres_finish(connection) }
        unsafe connection = nil
    }

    /// Runs a statement as a transaction of its own, and returns its rows.
    @discardableResult
    package func run(
        _ statement: Statement,
        _ parameters: [Parameter] = [],
        within limit: Duration = .seconds(5)
    ) throws(DatabaseError) -> Rows {
        let end = ContinuousClock.now + limit
        if !prepared.contains(statement.name) {
            _ = unsafe try call(until: end) { unsafe postgres_send_prepare($0, statement.name, statement.sql) }
            prepared.insert(statement.name)
        }
        let values = parameters.map(\.encoded)
        let lengths = values.map { Int32($0?.count ?? 0) }
        let rows = unsafe try call(until: end) { connection in
            unsafe withBytes(values) {
                unsafe postgres_send_prepared(connection, statement.name, Int32(values.count), $0, lengths)
            }
        }
        guard let rows else { throw .malformed("no result") }
        return rows
    }

    /// Runs statements without parameters, in one transaction unless they say otherwise.
    package func runScript(_ sql: String, within limit: Duration = .seconds(60)) throws(DatabaseError) {
        _ = unsafe try call(until: .now + limit) { unsafe postgres_send_script($0, sql) }
    }

    // MARK: One call

    /// Sends a call and returns the last of its results.
    private func call(
        until end: ContinuousClock.Instant,
        _ send: (OpaquePointer) -> Int32
    ) throws(DatabaseError) -> Rows? {
        guard let connection = unsafe connection else { throw .unreachable("the connection is closed") }
        notices.begin()
        guard unsafe send(connection) == 1 else { throw lost() }
        try flush(until: end)
        var last: Rows?
        var failure: DatabaseError?
        while let result = unsafe try next(until: end) {
            switch unsafe Int(postgres_result_status(result)) {
            case Int(POSTGRES_COMMAND_OK), Int(POSTGRES_TUPLES_OK): last = unsafe Rows(result)
            default:
                failure = unsafe failure ?? Self.error(result)
                unsafe postgres_clear(result)
            }
        }
        // A server that ends or dies says so in its last result, and the connection is of no use.
        if unsafe Int(postgres_status(connection)) != Int(POSTGRES_CONNECTION_OK) { throw lost() }
        if let failure { throw failure }
        if notices.isOnOneMachine { throw .onOneMachine }
        return last
    }

    private func flush(until end: ContinuousClock.Instant) throws(DatabaseError) {
        while true {
            guard let connection = unsafe connection else { throw .unreachable("the connection is closed") }
            switch unsafe postgres_flush(connection) {
            case 0: return
            case 1:
                // The server may want to be read from before it reads on.
                try wait(for: Int16(POLLIN | POLLOUT), until: end)
                guard unsafe postgres_consume_input(connection) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    private func next(until end: ContinuousClock.Instant) throws(DatabaseError) -> OpaquePointer? {
        while true {
            guard let connection = unsafe connection else { throw .unreachable("the connection is closed") }
            guard unsafe postgres_is_busy(connection) != 0 else { return unsafe postgres_next_result(connection) }
            try wait(for: Int16(POLLIN), until: end)
            guard unsafe postgres_consume_input(connection) == 1 else { throw lost() }
        }
    }

    private func wait(for events: Int16, until end: ContinuousClock.Instant) throws(DatabaseError) {
        guard let connection = unsafe connection else { throw .unreachable("the connection is closed") }
        var socket = unsafe pollfd(fd: postgres_socket(connection), events: events, revents: 0)
        while true {
            let left = (end - .now) / .milliseconds(1)
            let found = unsafe poll(&socket, 1, Int32(max(0, min(left.rounded(.up), 1e9))))
            if found > 0 { return }
            if found == 0, ContinuousClock.now >= end {
                close()
                throw .unanswered("its time is over")
            }
        }
    }

    /// Closes the connection, of which something was asked.
    private func lost() -> DatabaseError {
        defer { close() }
        return .unanswered(unsafe connection.map { unsafe Self.text(postgres_error($0)) } ?? "the connection is closed")
    }

    private static func error(_ result: OpaquePointer) -> DatabaseError {
        func field(_ field: Int) -> String { unsafe text(postgres_result_field(result, Int32(field))) }
        return .refused(
            state: SQLState(field(Int(POSTGRES_FIELD_SQLSTATE))),
            message: field(Int(POSTGRES_FIELD_MESSAGE))
        )
    }

    /// Returns a text of libpq as one line without a full stop.
    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "no reason given" }
        let lines = unsafe String(cString: text).split(whereSeparator: \.isNewline)
        return lines.map { $0.trimmingPrefix { $0.isWhitespace } }.joined(separator: "; ")
    }
}

/// The server's remarks beside its answer to the call under way.
private final class Notices {
    private(set) var isOnOneMachine = false

    func begin() { isOnOneMachine = false }

    /// Takes a notice; the library frees it afterwards.
    ///
    /// The one that counts is known by the function of the server that gives it, since its text is in the server's
    /// language and its code that of every warning. Source: PostgreSQL 15, src/backend/replication/syncrep.c.
    func take(_ notice: OpaquePointer) {
        guard let name = unsafe postgres_result_field(notice, Int32(POSTGRES_FIELD_FUNCTION)) else { return }
        if unsafe String(cString: name) == "SyncRepWaitForLSN" { isOnOneMachine = true }
    }
}

/// Calls `body` with pointers to strings that end in a null, and a null pointer behind them.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    unsafe withBytes(strings.map { Array($0.utf8) + [0] } + [nil], body)
}

/// Calls `body` with a pointer to each value, null for nil.
private func withBytes<Result>(
    _ values: [[UInt8]?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    // One piece of memory holds them all; a byte at its end gives the last one a place even if it is empty.
    var places: [Int?] = []
    var all: [UInt8] = []
    all.reserveCapacity(values.reduce(1) { $0 + ($1?.count ?? 0) })
    for value in values {
        places.append(value == nil ? nil : all.count)
        all += value ?? []
    }
    all.append(0)
    return unsafe all.withUnsafeBytes { bytes in
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        let pointers = unsafe places.map { place in
            unsafe place.flatMap { offset in unsafe start.map { unsafe $0 + offset } }
        }
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
