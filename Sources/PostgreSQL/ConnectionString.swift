// SPDX-License-Identifier: Apache-2.0

private import CPostgreSQL

/// A connection string of libpq or a URI, as libpq itself reads it.
package struct ConnectionString {
    /// The options that the text gives, by their names.
    package let options: [String: String]

    /// Reads a text; nil if it is none, or there is no libpq.
    package init?(_ text: String) {
        guard text.contains("=") || text.contains("://") else {
            // As libpq does with the name of a database alone.
            options = ["dbname": text]
            return
        }
        guard unsafe postgres_load() == nil, let parsed = unsafe text.withCString({ unsafe postgres_parse($0) }) else {
            return nil
        }
        defer { unsafe postgres_parse_free(parsed) }
        var options: [String: String] = [:]
        var index: Int32 = 0
        while let keyword = unsafe postgres_parsed_keyword(parsed, index) {
            if let value = unsafe postgres_parsed_value(parsed, index) {
                options[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            index += 1
        }
        self.options = options
    }

    /// Reads a text that is to be connected with; the error tells no part of it, for it may hold a password.
    package init(checked text: String) throws(DatabaseError) {
        if let fault = unsafe postgres_load() { throw .noLibrary(unsafe String(cString: fault)) }
        guard let string = ConnectionString(text) else { throw .unreachable("the connection string is malformed") }
        let isURI = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
        guard !isURI || string.isWellDivided else {
            throw .unreachable("the connection string has an \"@\" or a \"/\" in a user or password: write %40, %2F")
        }
        self = string
    }

    /// False if a part of a URI's password seems to stand where hosts, ports or the database do, which errors repeat.
    private var isWellDivided: Bool {
        let hosts = (options["host"] ?? "").split(separator: ",")
        let isNamed = hosts.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("@") || !$0.contains("@") }
        let isNumbered = (options["port"] ?? "").allSatisfy { $0.isASCII && $0.isNumber || $0 == "," }
        return isNamed && isNumbered && !(options["dbname"] ?? "").contains("@")
    }

    /// The number of servers that the text names; 1 if it names none, and libpq finds one by itself.
    package var serverCount: Int { lists.map(\.value.count).max() ?? 1 }

    /// The options that say where the servers are, with another one first: libpq tries them in their order.
    func servers(beginningWith first: Int) -> [(key: String, value: String)] {
        let count = serverCount
        // A single value counts for each of them.
        return lists.filter { $0.value.count == count && count > 1 }.map { key, values in
            (key, (0..<count).map { values[(first + $0) % count] }.joined(separator: ","))
        }
    }

    /// Returns the place of the server that libpq has reached, by what it calls it, from `first` on; `first` where the
    /// text does not tell the servers apart.
    func place(of host: String, _ port: String, beginningWith first: Int) -> Int {
        let (count, lists) = (serverCount, Dictionary(uniqueKeysWithValues: lists))
        func has(_ value: String, _ key: String, at place: Int) -> Bool {
            guard let values = lists[key], values.count == count else { return true }
            return values[place] == value
        }
        let hostKey = lists["host"] == nil ? "hostaddr" : "host"
        let places = (0..<count).map { (first + $0) % count }
        return places.first { has(host, hostKey, at: $0) && has(port, "port", at: $0) } ?? first % count
    }

    private var lists: [(key: String, value: [Substring])] {
        ["host", "hostaddr", "port"].compactMap { key in
            options[key].map { (key, $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
    }

    /// Files that libpq reads for a connection, as far as the text names them.
    package var files: [String] { named.filter { $0.hasPrefix("/") } }

    /// Files that libpq would look for in the folder of the process.
    package var relativeFiles: [String] { named.filter { !$0.hasPrefix("/") && $0 != "system" } }

    private var named: [String] {
        ["passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl"]
            .compactMap { options[$0] }
    }
}
