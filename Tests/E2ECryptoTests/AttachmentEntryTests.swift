// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import E2ECrypto

struct AttachmentEntryTests {
    private static let key = "yKw5P0hr_tbxWyW_ZFLzdNyJMgMZGlocaDXwXHF6bUU"
    private static let digest = "EFFTgtgkTEIxszC9t_n3trtQUvfRZkXEh74QHGkneds"
    private static let tail = #""size":5,"key":"\#(key)","digest":"\#(digest)"}"#

    private func entry(_ json: String) throws(AttachmentError) -> AttachmentEntry {
        try AttachmentEntry(parsing: Array(json.utf8).span)
    }

    @Test(arguments: [
        #"{"id":"a","# + tail,
        #"{"id":"a","url":"https://files.example/a?b=c","type":"image/jpeg","name":"Tür \"1\".jpg","# + tail,
    ])
    func `an entry is written as it was read`(_ json: String) throws {
        #expect(try entry(json).json == json)
    }

    @Test func `the order of members and unknown ones do not matter`() throws {
        let json = #"{"digest":"\#(Self.digest)","height":4,"key":"\#(Self.key)","size":5,"id":"a"}"#
        #expect(try entry(json).json == #"{"id":"a","# + Self.tail)
    }

    @Test func `the address may come later`() throws {
        var entry = try entry(#"{"id":"a","# + Self.tail)
        entry.label = try AttachmentLabel(id: "a", url: "https://files.example/a")
        #expect(entry.json == #"{"id":"a","url":"https://files.example/a","# + Self.tail)
    }

    @Test func `of several bad members the first is named`() {
        let members: [AttachmentEntry.Member] = [.id, .url, .type, .name, .size, .key, .digest]
        #expect(AttachmentEntry.Member.allCases == members)
        for (index, member) in members.enumerated() {
            var good = #"{"id":"a","url":"u","type":"t","name":"n","# + Self.tail
            for later in members[index...] {
                good = good.replacing(
                    "\"\(later.rawValue)\":",
                    with: "\"\(later.rawValue)\":[],\"-\(later.rawValue)\":"
                )
            }
            #expect(throws: AttachmentError.badEntry(member)) { try entry(good) }
        }
    }

    @Test func `every other character in the key is refused or another key`() throws {
        let json = Array((#"{"id":"a","# + Self.tail).utf8)
        let start = try #require(Array(json).firstRange(of: Array(Self.key.utf8))?.lowerBound)
        for offset in start..<start + 43 {
            for byte in UInt8.min...UInt8.max where byte != json[offset] {
                var changed = json
                changed[offset] = byte
                guard let read = try? AttachmentEntry(parsing: changed.span) else { continue }
                #expect(Array(read.json.utf8) == changed)
            }
        }
    }

    @Test(arguments: [
        ("", AttachmentEntry.Member.id), (String(repeating: "a", count: 256), .id), ("a\u{7F}", .id), ("a\0", .id),
    ])
    func `an id has 1 to 255 bytes of text`(_ id: String, _ member: AttachmentEntry.Member) {
        #expect(throws: AttachmentError.badEntry(member)) { try AttachmentLabel(id: id) }
    }

    @Test(arguments: ["", "a b", "ä", "a\n", String(repeating: "a", count: 2049)])
    func `an address is printable ASCII`(_ url: String) {
        #expect(throws: AttachmentError.badEntry(.url)) { try AttachmentLabel(id: "a", url: url) }
    }

    @Test(arguments: ["", ".", "..", "a/b", "/", "a\u{1}", String(repeating: "ä", count: 128)])
    func `a name is a name and no path`(_ name: String) {
        #expect(throws: AttachmentError.badEntry(.name)) { try AttachmentLabel(id: "a", name: name) }
    }

    @Test func `the longest values are valid`() throws {
        let label = try AttachmentLabel(
            id: String(repeating: "a", count: 255),
            url: String(repeating: "a", count: 2048),
            type: "text/plain; charset=utf-8",
            name: String(repeating: "a", count: 255)
        )
        #expect(label.url?.count == 2048)
    }

    // MARK: Payloads

    private func entries(_ payload: String) throws(AttachmentError) -> [AttachmentEntry] {
        try AttachmentEntry.all(inPayload: Array(payload.utf8).span)
    }

    private static func list(_ ids: [String]) -> String {
        #"{"aps":{},"attachments":["# + ids.map { #"{"id":"\#($0)","# + tail }.joined(separator: ",") + "]}"
    }

    @Test func `a payload's entries are read in their order`() throws {
        #expect(try entries(Self.list(["b", "a"])).map(\.label.id) == ["b", "a"])
        #expect(try entries(Self.list((1...16).map { "\($0)" })).count == 16)
        #expect(try entries(#"{"aps":{}}"#).isEmpty)
        #expect(try entries(#"{"attachments":[]}"#).isEmpty)
    }

    @Test(arguments: [
        ("[]", AttachmentError.malformedEntry), (#"{"attachments":{}}"#, .malformedEntry),
        (#"{"attachments":[1]}"#, .malformedEntry), (list((1...17).map { "\($0)" }), .malformedEntry),
        (list(["a", "a"]), .badEntry(.id)), (#"{"attachments":[{}]}"#, .badEntry(.id)),
    ])
    func `a list that is none is refused`(_ payload: String, _ error: AttachmentError) {
        #expect(throws: error) { try entries(payload) }
    }

    @Test func `an entry that is printed by accident does not show its key`() throws {
        let entry = try entry(#"{"id":"a","# + Self.tail)
        var dumped = ""
        dump(entry, to: &dumped)
        for text in [String(describing: entry), String(reflecting: entry), dumped] {
            #expect(!text.contains(Self.key))
            // The first bytes of the key as an array would print them.
            #expect(!text.contains("200, 172, 57"))
        }
    }
}
