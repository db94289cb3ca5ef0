// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The classes of the SDK that an extension's sources get by the names of Foundation's.
struct ReplacedTypesTests {
    @Test(arguments: [
        ("let formatter = NumberFormatter()", true),
        ("extension NumberFormatter { static let price = NumberFormatter() }", true),
        ("class A { class NumberFormatter {} }", true),
        ("class NumberFormatter {}", false), ("struct NumberFormatter {}", false),
    ])
    func `a formatter of numbers is that of the SDK, unless the sources have one of that name`(
        source: String,
        isReplaced: Bool
    ) {
        let sources = RewrittenSources(["a.swift": Array(source.utf8)])
        let expected = isReplaced ? ["public typealias NumberFormatter = FoundationCompatibility._NumberFormatter"] : []
        #expect(sources.replacements == expected)
    }
}
