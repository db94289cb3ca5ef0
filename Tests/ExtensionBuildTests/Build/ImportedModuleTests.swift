// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The modules that a source imports, for the list of those without a shim.
struct ImportedModuleTests {
    @Test func `imports are found with their lines`() {
        let source = """
            import UserNotifications
            @preconcurrency public import os.log
            // import Comment
            /* import Comment
            import Comment */
            import struct Foundation.Date
            let text = "import Text"
            #if canImport(CoreData)
            import CoreData
              #if DEBUG
            import Debugging
              #endif
            #endif
            import Combine; import `Network`; let important = 1
            """
        let found = ImportedModule.all(in: Array(source.utf8), path: "a.swift")
        #expect(
            found == [
                ImportedModule(name: "UserNotifications", place: "a.swift:1"),
                ImportedModule(name: "os", place: "a.swift:2"),
                ImportedModule(name: "Foundation", place: "a.swift:6"),
                ImportedModule(name: "Combine", place: "a.swift:14"),
                ImportedModule(name: "Network", place: "a.swift:14"),
            ]
        )
    }

    @Test func `what a condition may take away is named as well, and what a condition asks for`() {
        let source = """
            import UserNotifications
            #if canImport( CryptoKit ) && !canImport(CommonCrypto.CommonDigest)
            @preconcurrency import CryptoKit
            #else
            import Crypto
            #endif
            // canImport(Comment)
            let text = "canImport(Text)"
            """
        let found = ImportedModule.mentioned(in: Array(source.utf8), path: "a.swift")
        #expect(
            found == [
                ImportedModule(name: "UserNotifications", place: "a.swift:1"),
                ImportedModule(name: "CryptoKit", place: "a.swift:2"),
                ImportedModule(name: "CommonCrypto", place: "a.swift:2"),
                ImportedModule(name: "CryptoKit", place: "a.swift:3"),
                ImportedModule(name: "Crypto", place: "a.swift:5"),
            ]
        )
    }

    @Test func `a raw text of one quote ends on its line, and one of several lines does not`() {
        let source = ##"""
            let quote = #"""#
            import Foundation
            let lines = #"""
                import Foundation
                """#
            import Foundation
            """##
        let found = ImportedModule.all(in: Array(source.utf8), path: "a.swift")
        #expect(found.map(\.place) == ["a.swift:2", "a.swift:6"])
    }

    @Test func `quotes in regular expressions begin no text, and words that are no statements import nothing`() {
        let source = """
            let quotes = [/[\"]/, #/
              \" # import Text
              /#, /\\//]
            @testable import Foundation
            let a = b(import: c), d = .import
            @_implementationOnly @preconcurrency internal import Combine
            let e = (/), f = \"import Text\" // import Comment
            import func Darwin.C.exit; public import struct `os`.OSLog
            """
        let found = ImportedModule.all(in: Array(source.utf8), path: "a.swift")
        #expect(
            found == [
                ImportedModule(name: "Foundation", place: "a.swift:4"),
                ImportedModule(name: "Combine", place: "a.swift:6"),
                ImportedModule(name: "Darwin", place: "a.swift:8"),
                ImportedModule(name: "os", place: "a.swift:8"),
            ]
        )
    }

    @Test func `a megabyte of one sign is read in a moment`() {
        let source = [UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20)
        #expect(ImportedModule.all(in: source, path: "a.swift") == [])
    }
}
