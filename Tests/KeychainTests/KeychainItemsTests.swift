// SPDX-License-Identifier: Apache-2.0

import Keychain
import NotificationPayload
import Testing

struct KeychainItemsTests {
    private static func item(_ key: String, _ attributes: JSONObject = ["acct": "a"]) -> KeychainItem {
        KeychainItem(key: key, attributes: attributes)
    }

    @Test func `calls do what they say, and a refused one changes nothing`() {
        var items = KeychainItems()
        #expect(items.carryOut(.add(Self.item("b"), secret: [1])) == .done)
        #expect(items.carryOut(.add(Self.item("a"), secret: [2])) == .done)
        let before = items
        #expect(items.carryOut(.add(Self.item("a"), secret: [3])) == .duplicate)
        #expect(items.carryOut(.replace(key: "a", with: Self.item("b"), secret: nil)) == .duplicate)
        #expect(items.carryOut(.replace(key: "c", with: Self.item("c"), secret: nil)) == .absent)
        #expect(items.carryOut(.remove(key: "c")) == .absent)
        #expect(items.carryOut(.read(key: "c")) == .absent)
        #expect(items == before)

        #expect(items.carryOut(.read(key: "a")) == .secret([2]))
        #expect(items.carryOut(.replace(key: "a", with: Self.item("c"), secret: nil)) == .done)
        #expect(items.carryOut(.read(key: "c")) == .secret([2]))
        #expect(items.carryOut(.replace(key: "c", with: Self.item("c"), secret: [9])) == .done)
        #expect(items.carryOut(.read(key: "c")) == .secret([9]))
        #expect(items.carryOut(.list(after: nil)) == .items([Self.item("b"), Self.item("c")], hasMore: false))
        #expect(items.carryOut(.list(after: "b")) == .items([Self.item("c")], hasMore: false))
        #expect(items.carryOut(.remove(key: "c")) == .done)
        #expect(items.count == 1)
    }

    @Test func `256 items fit, and no more`() {
        var items = KeychainItems()
        for number in 0..<256 { #expect(items.carryOut(.add(Self.item("\(number)"), secret: [])) == .done) }
        #expect(items.carryOut(.add(Self.item("one more"), secret: [])) == .full)
        #expect(items.carryOut(.replace(key: "7", with: Self.item("seven"), secret: nil)) == .done)
    }

    @Test func `items come back from their bytes`() throws {
        var items = KeychainItems()
        for number in 0..<5 {
            #expect(items.carryOut(.add(Self.item("key \(number)"), secret: [UInt8(number), 255])) == .done)
        }
        var bytes: [UInt8] = []
        items.json.write(to: &bytes)
        let object = try JSONObject(parsing: bytes.span, depthLimit: 8)
        #expect(KeychainItems(object) == items)
        #expect(KeychainItems([:]) == nil)
        #expect(KeychainItems(["items": [["item": ["key": "a", "attributes": [:]], "secret": "?"]]]) == nil)
    }

    @Test(arguments: [
        KeychainCall.list(after: nil), .list(after: "a"), .read(key: "k"), .remove(key: "k"),
        .add(KeychainItem(key: "k", attributes: ["a": 1]), secret: [1, 2, 3]),
        .replace(key: "k", with: KeychainItem(key: "l", attributes: [:]), secret: nil),
        .replace(key: "k", with: KeychainItem(key: "l", attributes: [:]), secret: []),
    ])
    func `a call comes back from its body`(call: KeychainCall) {
        #expect(KeychainCall(call.body) == call)
    }

    @Test(arguments: [
        KeychainAnswer.done, .absent, .duplicate, .full, .failed, .secret([0, 255]),
        .items([KeychainItem(key: "k", attributes: ["a": "b"])], hasMore: true),
    ])
    func `an answer comes back from its body`(answer: KeychainAnswer) {
        #expect(KeychainAnswer(answer.body) == answer)
    }

    @Test(
        arguments: [
            [:], ["call": "open"], ["call": "read"],
            ["call": "add", "item": ["key": "", "attributes": [:]], "secret": ""],
            ["call": "add", "item": ["key": "k", "attributes": [:]]],
            ["call": "add", "item": ["key": "k", "attributes": [:]], "secret": "AB"],
            ["call": "add", "item": ["key": "k"], "secret": ""],
            ["call": "replace", "key": "k", "item": ["key": "k", "attributes": [:]], "secret": 7],
        ] as [JSONObject]
    )
    func `what is no call is none`(body: JSONObject) {
        #expect(KeychainCall(body) == nil)
    }

    @Test func `beyond its limits a call is none`() {
        let long = String(repeating: "k", count: KeychainItem.Limit.keyByteCount + 1)
        let secret = [UInt8](repeating: 0, count: KeychainItem.Limit.secretByteCount + 1)
        let large: JSONObject = ["a": .string(String(repeating: "x", count: KeychainItem.Limit.attributeByteCount))]
        #expect(KeychainCall(KeychainCall.add(Self.item(long), secret: []).body) == nil)
        #expect(KeychainCall(KeychainCall.add(Self.item("k", large), secret: []).body) == nil)
        #expect(KeychainCall(KeychainCall.add(Self.item("k"), secret: secret).body) == nil)
    }
}
