// SPDX-License-Identifier: Apache-2.0

private import CPostgreSQL

/// A connection string of libpq or a URI, as libpq itself reads it.
package struct ConnectionString {
    /// The options that the text gives, by their names.
    package let options: [String: String]

    /// Reads a text; nil if it is none, or there is no libpq.
    package init?(_ text: String) {
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

    /// Files that libpq reads for a connection, as far as the text names them.
    package var files: [String] {
        ["passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir"]
            .compactMap { options[$0] }
            .filter { $0.hasPrefix("/") }
    }
}
