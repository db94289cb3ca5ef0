// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An extension's own code, compiled and not yet linked.
struct CompiledObject {
    let path: String

    /// True when the code reads the content of a URL through Foundation: `Data(contentsOf:)` and its siblings.
    ///
    /// The kind of the URL, a file's or a web server's, is known when the extension runs.
    func readsContentsOfURLs() throws -> Bool {
        let object = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        return object.split(separator: 0).contains { Self.isReaderOfURLs($0) }
    }

    /// Tells whether a symbol's name is that of an initialiser that takes a URL as `contentsOf`.
    ///
    /// Swift writes an identifier into a symbol behind its length, so that a longer name is not mistaken for it.
    static func isReaderOfURLs(_ name: Data) -> Bool {
        guard name.count < 1000, name.starts(with: "$s".utf8) else { return false }
        return name.contains(Self.label) && name.contains(Self.parameter)
    }

    private static let label = Data("10contentsOf".utf8)
    private static let parameter = Data("3URLV".utf8)
}

extension Data {
    fileprivate func contains(_ part: Data) -> Bool {
        range(of: part) != nil
    }
}
