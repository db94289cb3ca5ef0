// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The page's scripts for scenes: no text of a view reaches a style, an address or markup, by any way that there is.
struct SceneScriptTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CPage/Files")

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("scene") && $0.hasSuffix(".js") }.sorted()
    }

    /// A script without its comments.
    private static func script(_ name: String) throws -> String {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.replacing(/(?m)^\s*\/\/.*$/, with: "")
    }

    /// Ways by which a text becomes markup, a script, or a whole style.
    private static let ways = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "createContextualFragment", "DOMParser", "document.write",
        "setHTMLUnsafe", "srcdoc", "srcset", "cssText", "insertRule", "replaceSync", "attributeStyleMap", "eval(",
        "Function(", "setAttributeNS", "window.open", "location =", ".action =", ".formAction", ".poster", ".data =",
    ]

    @Test(arguments: try names())
    func `no script has a way by which a text becomes markup, a script or a style`(name: String) throws {
        let script = try Self.script(name)
        #expect(Self.ways.filter { script.contains($0) } == [])
        // Attributes have names that are written here, and none of those that take an address or a style.
        for match in script.matches(of: /setAttribute\(\s*([^,]+),/) where name != "scene-symbols.js" {
            let attribute = String(match.output.1)
            #expect(attribute.wholeMatch(of: /"(aria-[a-z]+|role)"/) != nil, "\(name): \(attribute)")
        }
    }

    @Test
    func `an address is the page's own, or has two numbers in it`() throws {
        var places: [String] = []
        for name in try Self.names() {
            let script = try Self.script(name)
            for match in script.matches(of: /[\w.]+\.(?:src|href) = [^;]+;/) { places.append(String(match.output)) }
            for match in script.matches(of: /\{[^{}]*\bsrc\b[^{}]*\}(?=\);)/) { places.append(String(match.output)) }
            for match in script.matches(of: /url\([^)]*\)/) { places.append(String(match.output)) }
        }
        let own = [
            #"sheet.href = new URL("./scene.css", import.meta.url);"#, "video.src = address;",
            ##"url("${this.address}")"##,
        ]
        #expect(places.filter { !own.contains($0) && !$0.contains("src }") } == [])
        let tree = try Self.script("scene-tree.js")
        #expect(tree.contains("return this.files.has(number) ? `/v1/views/${this.view}/files/${number}` : undefined;"))
        #expect(tree.contains("if (!isView(view)) return;"))
        #expect(tree.contains("this.files = new Set(list(numbers).filter(isId));"))
        // The two elements that have addresses have those of that function.
        #expect(try Self.script("scene-player.js").contains("const address = this.part.scene.addressOf(node.src);"))
        #expect(try Self.script("scene-picture.js").contains("? undefined : this.part.scene.addressOf(number);"))
    }

    /// A call whose value only numbers, flags and words of the page's own can be.
    private static var guarded: Regex<Substring> {
        /\b(?:points|number|numbers|colour|lineHeight|sides\.get|curves\.get)\([^\(\)]*\)/
    }
    /// A word that is one of a list which is written here.
    private static var listed: Regex<(Substring, Substring)> {
        /\[[^\]]*\]\.includes\(([\w.]+)\) \? \1/
    }
    /// A member of what a view says, as it is.
    private static var said: Regex<Substring> {
        /\b(?:node|part|font|gradient|border|shadow|update|motion|button)\??\.\w+\b(?! (?:===|!==))/
    }

    /// Returns what a view says in a value, as it is.
    private static func unguarded(_ value: String) -> [String] {
        var value = value.replacing(listed, with: "listed")
        var before = ""
        while before != value {
            before = value
            value = value.replacing(guarded, with: "guarded")
            value = value.replacing(/\bString\(guarded\)|Math\.round\(guarded\)/, with: "guarded")
        }
        return value.matches(of: said).map { String($0.output) }
    }

    @Test(arguments: try names())
    func `a style has numbers, colours and words of the page's own`(name: String) throws {
        let script = try Self.script(name)
        var values = script.matches(of: /style\.\w+(?:, style\.\w+\])? = ([^;]+);/).map { String($0.output.1) }
        values += script.matches(of: /setProperty\("--[a-z]+", ([^;]+)\);/).map { String($0.output.1) }
        for value in values { #expect(Self.unguarded(value) == [], "\(value)") }
        // No other name of a property is set, and none by a name that is made.
        #expect(script.firstMatch(of: /style\[/) == nil && script.firstMatch(of: /setProperty\([^"]/) == nil)
    }

    @Test
    func `a value that is not guarded would be found`() throws {
        #expect(Self.unguarded("node.bg") == ["node.bg"])
        #expect(Self.unguarded("`${points(node.x)} ${node.color}`") == ["node.color"])
        #expect(Self.unguarded("String(font.size)") == ["font.size"])
        #expect(Self.unguarded("node.italic === true ? \"italic\" : \"\"") == [])
        #expect(Self.unguarded("[\"start\", \"end\"].includes(node.align) ? node.align : \"stretch\"") == [])
        let values = try Self.names().reduce(0) { count, name in
            count + (try Self.script(name)).matches(of: /style\.\w+/).count
        }
        #expect(values > 40)
    }
}
