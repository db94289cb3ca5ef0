// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The declarations of E2ECrypto that another package can see, as the compiler wrote them down.
struct PublicInterfaceTests {
    @Test func `no public declaration names a type of a dependency`() throws {
        let graphs = try SymbolGraph.extract("E2ECrypto")
        let symbols = try #require(graphs.first { $0.module.name == "E2ECrypto" }?.symbols)
        for symbol in symbols {
            let foreign = symbol.declarationFragments.filter { $0.preciseIdentifier.map(Self.isForeign) ?? false }
            #expect(foreign.isEmpty, "\(symbol.text)")
        }
        let names = symbols.map { "  " + $0.pathComponents.joined(separator: ".") }.sorted()
        print("E2ECrypto: \(names.count) public declarations\n" + names.joined(separator: "\n"))
        // A change of name of the tool's output must not make the loop above run over nothing.
        #expect(names.contains("  Sealer.sealPush(_:fallback:keeping:context:issued:ttl:padding:byteLimit:)"))
    }

    @Test func `no public type conforms to a protocol of a dependency, or extends a type of one`() throws {
        let graphs = try SymbolGraph.extract("E2ECrypto")
        // The graph of an extension is a file of its own.
        #expect(graphs.count == 1)
        let conformances = graphs.flatMap(\.relationships).filter { $0.kind == "conformsTo" }
        #expect(conformances.contains { $0.targetFallback == "Swift.Sendable" })
        #expect(conformances.filter { Self.isForeign($0.target) } == [])
    }

    @Test func `every public declaration has a comment`() throws {
        let symbols = try SymbolGraph.extract("E2ECrypto").flatMap(\.symbols)
        #expect(symbols.filter { $0.docComment == nil }.map(\.text) == [])
    }

    @Test(arguments: [
        ("s:9E2ECrypto6SealerC", false), ("s:s4SpanV", false), ("s:SS", false), ("s:ScA", false),
        ("s:19NotificationPayload10JSONObjectV", true), ("s:6Crypto12SymmetricKeyV", true),
        ("s:10Foundation4DataV", true), ("s:So4statV", true), ("c:@S@stat", true),
        ("s:20FoundationEssentials4DataV", true), ("s:10E2ECryptoX6SealerC", true),
    ])
    func `a foreign type is told by its mangled name`(_ identifier: String, _ isForeign: Bool) {
        #expect(Self.isForeign(identifier) == isForeign)
    }

    /// Ours begins with the module's name and its length, Swift's own with `s` or an abbreviation that is neither that
    /// of C (`So`) nor that of what the importer of C makes (`SC`).
    private static func isForeign(_ identifier: String) -> Bool {
        guard identifier.hasPrefix("s:") else { return true }
        let name = identifier.dropFirst(2)
        if name.hasPrefix("So") || name.hasPrefix("SC") { return true }
        return !(name.hasPrefix("s") || name.hasPrefix("S") || name.hasPrefix("9E2ECrypto"))
    }
}
