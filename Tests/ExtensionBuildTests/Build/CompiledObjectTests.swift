// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The compiled code that reads the content of URLs, told by its symbols: such code needs a part that Foundation finds
/// by name alone.
struct CompiledObjectTests {
    @Test(arguments: [
        "$s20FoundationEssentials4DataV10contentsOf7optionsAcA3URLVh_AC14ReadingOptionsVtKcfC",
        "$sSS20FoundationEssentialsE10contentsOf8encodingSSAA3URLVh_SSAAE8EncodingVtKcfC",
        "$sSS20FoundationEssentialsE10contentsOf12usedEncodingSSAA3URLVh_SSAAE0F0VztKcfC",
        "$sSS10FoundationE10contentsOfSS0A10Essentials3URLVh_tKcfC",
        "$s10Foundation6NSDataC10contentsOfACSg0A10Essentials3URLV_tcfc",
        "$s10Foundation6NSDataC10contentsOf7optionsAC0A10Essentials3URLV_AG0B0V14ReadingOptionsVtKcfc",
        "$s10Foundation13NSMutableDataC10contentsOfACSg0A10Essentials3URLV_tcfC",
        "$s10Foundation8NSStringC10contentsOf8encodingAC0A10Essentials3URLV_SutKcfC",
        "$s10Foundation12NSDictionaryC10contentsOfACSg0A10Essentials3URLV_tcfC",
        "$s10Foundation7NSArrayC10contentsOf5errorAC0A10Essentials3URLV_yttKcfC",
        "$s13FoundationXML9XMLParserC10contentsOfACSg0A10Essentials3URLV_tcfC",
    ])
    func `an initialiser that reads a URL is one`(symbol: String) {
        #expect(CompiledObject.isReaderOfURLs(Data(symbol.utf8)))
    }

    @Test(arguments: [
        "$s10Foundation11FileManagerC19contentsOfDirectory2at26includingPropertiesForKeysSay0A10Essentials3URLVGAI_",
        "$s20FoundationEssentials4DataV6append10contentsOfySays5UInt8VG_tF",
        "$s10Foundation4DataV14contentsOfFileACSgSS_tcfC", "contentsOf", "10contentsOf3URLV", "",
    ])
    func `what reads no URL is none`(symbol: String) {
        #expect(!CompiledObject.isReaderOfURLs(Data(symbol.utf8)))
    }

    @Test func `an object's names are found between its other bytes`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("object-\(UUID().uuidString).o").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let names = ["\u{7f}ELF", "main", "$s20FoundationEssentials4DataV10contentsOf7optionsAcA3URLVh_", "memcpy"]
        try Data(names.joined(separator: "\0").utf8).write(to: URL(fileURLWithPath: path))
        #expect(try CompiledObject(path: path).readsContentsOfURLs())
        try Data("\u{7f}ELF\0main\0memcpy\0".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try !CompiledObject(path: path).readsContentsOfURLs())
    }
}
