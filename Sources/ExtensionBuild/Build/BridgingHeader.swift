// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The header by which an Xcode target shows Objective-C and C to Swift: here, the modules that its imports stand for.
struct BridgingHeader {
    /// The modules of frameworks, which every source of the target sees.
    private(set) var modules: [ImportedModule] = []
    /// The headers of the C library, whose declarations Foundation brings along.
    private static let ofTheCLibrary: Set<String> = [
        "assert.h", "ctype.h", "dirent.h", "errno.h", "fcntl.h", "fenv.h", "float.h", "inttypes.h", "limits.h",
        "locale.h", "math.h", "netdb.h", "pthread.h", "setjmp.h", "signal.h", "stdarg.h", "stdbool.h", "stddef.h",
        "stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h", "time.h", "unistd.h", "wchar.h",
    ]

    /// "FILE:LINE" and the name of each header that is no framework's, and that nothing here compiles.
    private(set) var headers: [(place: String, name: String)] = []

    /// Reads the lines that import something; comments and all else are passed over.
    init(at path: String) throws(CommandError) {
        let data = try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit)
        var isComment = false
        for (number, line) in String(decoding: data, as: UTF8.self).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        ).enumerated() {
            let text = Self.withoutComments(line, &isComment)
            let place = "\(path):\(number + 1)"
            if let rest = text.wholeMatch(of: /\s*@import\s+(\w+)[\w.]*\s*;?\s*/) {
                modules.append(ImportedModule(name: String(rest.1), place: place))
            } else if let rest = text.wholeMatch(of: /\s*#\s*(?:import|include)\s*<(\w+)\/[^>]+>\s*/) {
                modules.append(ImportedModule(name: String(rest.1), place: place))
            } else if let rest = text.wholeMatch(of: /\s*#\s*(?:import|include)\s*["<]([^">]+)[">]\s*/) {
                let name = String(rest.1)
                if !Self.ofTheCLibrary.contains(name) { headers.append((place, name)) }
            }
        }
    }

    private static func withoutComments(_ line: Substring, _ isComment: inout Bool) -> String {
        var text = ""
        var rest = line
        while !rest.isEmpty {
            if isComment {
                guard let end = rest.range(of: "*/") else { return text }
                isComment = false
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("/*") {
                isComment = true
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("//") {
                return text
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text
    }
}
