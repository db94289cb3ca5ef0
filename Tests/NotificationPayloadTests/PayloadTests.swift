// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

/// The questions a host asks of a payload.
///
/// Source: Apple, "Generating a remote notification" and "Modifying content in newly delivered notifications".
struct PayloadTests {
    private static func payload(_ text: String) throws -> Payload {
        try Payload(parsing: Array(text.utf8).span)
    }

    @Test(
        arguments: [
            (#"{"aps":{"mutable-content":1}}"#, true),
            (#"{"aps":{"mutable-content":1.0}}"#, true),
            (#"{"aps":{"mutable-content":0}}"#, false),
            (#"{"aps":{"mutable-content":2}}"#, false),
            (#"{"aps":{"mutable-content":1.5}}"#, false),
            (#"{"aps":{"mutable-content":true}}"#, false),
            (#"{"aps":{"mutable-content":"1"}}"#, false),
            (#"{"aps":{"mutable-content":null}}"#, false),
            (#"{"aps":{"mutable-content":[1]}}"#, false),
            (#"{"aps":{"Mutable-Content":1}}"#, false),
            (#"{"aps":{}}"#, false),
            (#"{"aps":[]}"#, false),
            (#"{"aps":1}"#, false),
            (#"{"mutable-content":1}"#, false),
            (#"{}"#, false),
        ] as [(String, Bool)]
    )
    func `a payload is mutable when mutable-content is the number 1`(text: String, isMutable: Bool) throws {
        #expect(try Self.payload(text).isMutable == isMutable)
    }

    @Test(
        arguments: [
            (#"{"aps":{"alert":"Hi"}}"#, true),
            (#"{"aps":{"alert":" "}}"#, true),
            (#"{"aps":{"alert":{"title":"Hi"}}}"#, true),
            (#"{"aps":{"alert":{"subtitle":"Hi"}}}"#, true),
            (#"{"aps":{"alert":{"body":"Hi"}}}"#, true),
            (#"{"aps":{"alert":{"loc-key":"K"}}}"#, true),
            (#"{"aps":{"alert":{"title-loc-key":"K"}}}"#, true),
            (#"{"aps":{"alert":{"subtitle-loc-key":"K"}}}"#, true),
            (#"{"aps":{"alert":{"title":"","subtitle":1,"body":"Hi"}}}"#, true),
            (#"{"aps":{"alert":""}}"#, false),
            (#"{"aps":{"alert":{}}}"#, false),
            (#"{"aps":{"alert":{"title":"","subtitle":"","body":""}}}"#, false),
            (#"{"aps":{"alert":{"title":1,"body":null}}}"#, false),
            (#"{"aps":{"alert":{"loc-key":"","launch-image":"x","loc-args":["x"]}}}"#, false),
            (#"{"aps":{"alert":1}}"#, false),
            (#"{"aps":{"alert":["Hi"]}}"#, false),
            (#"{"aps":{"alert":null}}"#, false),
            (#"{"aps":{"badge":1,"sound":"default"}}"#, false),
            (#"{"aps":{"title":"Hi"}}"#, false),
            (#"{"aps":"Hi"}"#, false),
            (#"{"alert":"Hi"}"#, false),
            (#"{}"#, false),
        ] as [(String, Bool)]
    )
    func `a payload with something to show is not empty`(text: String, isDisplayable: Bool) throws {
        let payload = try Self.payload(text)
        #expect(payload.hasDisplayableAlert == isDisplayable)
        #expect(payload.isEmpty == !isDisplayable)
    }

    @Test(
        arguments: [
            (#"{"aps":{},"encrypted-content":"v1.AA"}"#, "v1.AA"),
            (#"{"encrypted-content":{}}"#, [:]),
            (#"{"encrypted-content":null}"#, .null),
            (#"{"aps":{"encrypted-content":"v1.AA"}}"#, nil),
            (#"{"Encrypted-Content":"v1.AA"}"#, nil),
        ] as [(String, JSON?)]
    )
    func `encrypted content stands beside aps and may be of any kind`(text: String, content: JSON?) throws {
        #expect(try Self.payload(text).encryptedContent == content)
    }

    @Test func `keys are read and written`() {
        var payload = Payload(["aps": ["badge": 1]])
        payload["thread"] = "a"
        #expect(payload["thread"] == "a")
        payload["thread"] = nil
        #expect(payload == Payload(["aps": ["badge": 1]]))
        #expect(payload.aps == ["badge": 1])
    }
}
