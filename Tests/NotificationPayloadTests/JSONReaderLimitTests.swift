// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NotificationPayload

/// Depth, duplicate keys and hostile sizes.
struct JSONReaderLimitTests {
    // MARK: Depth

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
    func `depth is counted in arrays and objects alike`(opening: String, closing: String) throws {
        let step = opening.hasPrefix("[{") ? 2 : 1
        for limit in stride(from: step, through: 16, by: step) {
            let levels = limit / step
            let inside = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
            _ = try parse(inside, depthLimit: limit)
            #expect(throws: JSONError.tooDeep(limit: limit - 1)) { try parse(inside, depthLimit: limit - 1) }
        }
    }

    @Test func `a payload may nest sixteen deep and no deeper`() throws {
        let deepest = "{\"a\":" + String(repeating: "[", count: 15) + String(repeating: "]", count: 15) + "}"
        _ = try Payload(parsing: Array(deepest.utf8).span)
        let deeper = "{\"a\":" + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}"
        #expect(throws: JSONError.tooDeep(limit: 16)) { try Payload(parsing: Array(deeper.utf8).span) }
    }

    @Test func `depth is what is open, not what was`() throws {
        let siblings = "[" + Array(repeating: "[[[]]]", count: 100).joined(separator: ",") + "]"
        #expect(try parse(siblings, depthLimit: 4).array?.count == 100)
    }

    @Test func `no depth at all still allows plain values`() throws {
        #expect(try parse("1", depthLimit: 0) == 1)
        #expect(throws: JSONError.tooDeep(limit: 0)) { try parse("[]", depthLimit: 0) }
        #expect(throws: JSONError.tooDeep(limit: 0)) { try parse("{}", depthLimit: 0) }
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[ ", "[[],"])
    func `64 KB of opening brackets end at the limit`(opening: String) {
        let hostile = String(repeating: opening, count: 65_536 / opening.utf8.count)
        #expect(throws: JSONError.tooDeep(limit: 16)) { try parse(hostile) }
    }

    // MARK: Duplicate keys

    @Test(
        arguments: [
            (#"{"a":1,"a":2}"#, 7),
            (#"{"a":1,"b":2,"a":1}"#, 13),
            (#"{"":1,"":2}"#, 6),
            (#"{"a":1, "\u0061":2}"#, 8),
            (#"[{"x":{"a":1,"a":2}}]"#, 13),
            // Canonically equivalent: é, Å in three spellings, and two signs that are letters.
            (#"{"é":1,"\u0065\u0301":2}"#, 8),
            (#"{"\u00c5":1,"\u212b":2}"#, 12),
            (#"{"A\u030a":1,"\u212b":2}"#, 13),
            (#"{"K":1,"\u212a":2}"#, 7),
            (#"{"\u212a":1,"K":2}"#, 12),
            (#"{"a\u0323\u0301":1,"a\u0301\u0323":2}"#, 19),
            (#"{"\u1100\u1161":1,"\uac00":2}"#, 18),
        ] as [(String, Int)]
    )
    func `a key that comes twice is refused where it comes again`(text: String, offset: Int) {
        #expect(throws: JSONError.duplicateKey(offset: offset)) { try parse(text) }
    }

    @Test(
        arguments: [
            #"{"a":{"a":{"a":1}}}"#,
            #"[{"a":1},{"a":1}]"#,
            #"{"a":1,"A":2}"#,
            #"{"a":1,"a ":2}"#,
            // Compatible is not canonical.
            #"{"\ufb01":1,"fi":2}"#,
            #"{"\uff21":1,"A":2}"#,
            #"{"e":1,"\u0301":2}"#,
        ] as [String]
    )
    func `keys that merely look alike differ`(text: String) throws {
        _ = try parse(text)
    }

    @Test(arguments: [1, 2, 14, 15, 16, 17, 18, 31, 32, 33, 100])
    func `a duplicate is found in an object of any size`(count: Int) throws {
        let keys = (0..<count).map { "key\($0)" }
        #expect(try parse(object(keys)).object?.count == count)
        for duplicated in Set([0, count / 2, count - 1]) {
            let offset = object(keys).utf8.count
            #expect(throws: JSONError.duplicateKey(offset: offset)) { try parse(object(keys + [keys[duplicated]])) }
        }
    }

    @Test(arguments: [0, 1, 14, 15, 16, 17, 40])
    func `an equivalent key is found in an object of any size`(count: Int) throws {
        let others = (0..<count).map { "key\($0)" }
        for (first, second) in [("é", "e\u{301}"), ("\u{212A}", "K"), ("K", "\u{212A}")] {
            let before = [first] + others
            let offset = object(before).utf8.count
            #expect(throws: JSONError.duplicateKey(offset: offset)) { try parse(object(before + [second])) }
        }
    }

    @Test func `a key may carry thirty combining marks in a row`() throws {
        // Acute above, dot below: sorting them is the work.
        let thirty = String(repeating: "\u{301}\u{323}", count: 15)
        for key in [thirty, "a" + thirty, "a" + thirty + "b" + thirty, "é" + thirty] {
            _ = try parse("{\"\(key)\":1}")
        }
        for key in [thirty + "\u{301}", "a" + thirty + "\u{323}", "a" + thirty + "b" + thirty + "\u{344}"] {
            #expect(throws: JSONError.tooManyMarks(offset: 1)) { try parse("{\"\(key)\":1}") }
        }
        #expect(throws: JSONError.tooManyMarks(offset: 7)) {
            try parse(#"{"a":1,""# + String(repeating: #"\u0301\u0323"#, count: 5000) + #"":1}"#)
        }
    }

    @Test func `a text may carry any number of combining marks`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 8000)
        let read = try #require(try parse("[\"\(marks)\"]").array?.first?.string)
        #expect(read.isWord(marks))
    }

    @Test func `a word is compared byte for byte`() {
        #expect("critical".isWord("critical"))
        #expect(!"critica".isWord("critical"))
        #expect(!"criticall".isWord("critical"))
        #expect(!"\u{212A}".isWord("K"))
        #expect(!"e\u{301}".isWord("é"))
        #expect("".isWord(""))
    }

    private func object(_ keys: [String]) -> String {
        "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    }

    // MARK: Hostile sizes

    @Test func `ten thousand keys are read`() throws {
        let keys = (0..<10_000).map { String($0, radix: 36) }
        #expect(try parse(object(keys)).object?.count == 10_000)
        #expect(throws: JSONError.duplicateKey(offset: object(keys).utf8.count)) {
            try parse(object(keys + [keys[0]]))
        }
    }

    /// Were every key to copy the keys before it, this would take minutes and not a fifth of a second.
    @Test(.timeLimit(.minutes(1)))
    func `two hundred thousand keys are read`() throws {
        let keys = (0..<200_000).map { String($0, radix: 36) }
        #expect(try parse(object(keys)).object?.count == 200_000)
    }

    @Test(arguments: [true, false])
    func `ten thousand keys cost a few comparisons each`(arePlain: Bool) {
        let counter = ComparisonCounter()
        var keys: [CountedKey] = []
        var found = KeySet<CountedKey>()
        for number in 0..<10_000 {
            let key = CountedKey(number: number, counter: counter)
            let isNew = found.insert(key, mark: arePlain ? UInt8(number % 64) : nil, after: keys)
            #expect(isNew)
            keys.append(key)
        }
        #expect(counter.comparisons < 4 * keys.count)
        let firstAgain = found.insert(keys[0], mark: arePlain ? 0 : nil, after: keys)
        let lastAgain = found.insert(keys[9_999], mark: arePlain ? 15 : nil, after: keys)
        #expect(!firstAgain)
        #expect(!lastAgain)
    }

    @Test func `64 KB of escapes are read`() throws {
        let text = "\"" + String(repeating: "\\u00e9", count: 10_900) + "\""
        #expect(try parse(text).string == String(repeating: "é", count: 10_900))
    }
}

/// A key that counts how often two are compared.
private struct CountedKey: Hashable {
    let number: Int
    let counter: ComparisonCounter

    static func == (left: CountedKey, right: CountedKey) -> Bool {
        left.counter.comparisons += 1
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }
}

private final class ComparisonCounter {
    var comparisons = 0
}
