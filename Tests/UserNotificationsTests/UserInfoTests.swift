// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications

struct UserInfoTests {
    let userInfo = content([
        "aps": ["alert": ["title": "A"], "badge": 3],
        "large": 9_007_199_254_740_993, "three": 3, "true": true, "false": false, "whole": 1.0, "half": 0.5,
        "null": nil, "list": [1, 2], "mixed": [1, "x"], "text": "t",
    ]).userInfo

    @Test func `aps casts to every dictionary an extension asks for`() throws {
        #expect((userInfo["aps"] as? [String: Any])?.count == 2)
        #expect((userInfo["aps"] as? [String: AnyObject])?.count == 2)
        #expect((userInfo["aps"] as? NSDictionary)?.count == 2)
        #expect((userInfo["aps"] as? [AnyHashable: Any])?.count == 2)
        let aps = try #require(userInfo["aps"] as? [String: Any])
        #expect((aps["alert"] as? [String: String])?["title"] == "A")
        #expect((aps["alert"] as? NSDictionary)?["title"] as? String == "A")
        #expect(aps["badge"] as? Int == 3)
    }

    @Test func `numbers cast wherever the value fits`() {
        #expect(userInfo["large"] as? Int == 9_007_199_254_740_993)
        #expect(userInfo["large"] as? Int64 == 9_007_199_254_740_993)
        #expect(userInfo["large"] as? Double == nil)
        #expect(userInfo["three"] as? Int == 3)
        #expect(userInfo["three"] as? Double == 3)
        #expect(userInfo["three"] as? Bool == nil)
        #expect(userInfo["three"] as? NSNumber == 3)
        #expect(userInfo["true"] as? Bool == true)
        #expect(userInfo["true"] as? Int == 1)
        #expect(userInfo["false"] as? Bool == false)
        #expect(userInfo["whole"] as? Int == 1)
        #expect(userInfo["half"] as? Double == 0.5)
        #expect(userInfo["half"] as? Int == nil)
        #expect(userInfo["half"] as? String == nil)
    }

    @Test func `text, lists and null cast as from JSONSerialization`() {
        #expect(userInfo["text"] as? String == "t")
        #expect(userInfo["text"] as? NSString == "t")
        #expect(userInfo["list"] as? [Int] == [1, 2])
        #expect((userInfo["mixed"] as? NSArray)?.count == 2)
        #expect(userInfo["mixed"] as? [String] == nil)
        #expect(userInfo["null"] is NSNull)
    }

    @Test func `Foundation and Swift values become JSON`() {
        let content = UNMutableNotificationContent()
        let optional: String? = "o"
        content.userInfo = [
            "int": 1, "bool": true, "int8": NSNumber(value: Int8(1)), "double": 1.5, "float": Float(0.5),
            "unsigned": UInt64.max, "decimal": NSDecimalNumber(string: "1.25"), "string": "s", "ns": "n" as NSString,
            "null": NSNull(), "dictionary": ["a": ["b": 1]] as NSDictionary, "array": [1, "x"] as NSArray,
            "optional": optional as Any, "ints": [1, 2], "sub": "abc".dropFirst() as Any is String ? "" : "x",
        ]
        let (payload, droppedPaths) = content.payload()
        #expect(droppedPaths == [])
        #expect(
            payload.object == [
                "int": 1, "bool": true, "int8": 1, "double": 1.5, "float": 0.5,
                "unsigned": 18_446_744_073_709_551_615.0,
                "decimal": 1.25, "string": "s", "ns": "n", "null": nil, "dictionary": ["a": ["b": 1]],
                "array": [1, "x"], "optional": "o", "ints": [1, 2], "sub": "x",
            ]
        )
    }

    @Test func `what JSON cannot say is left out and named`() {
        let content = UNMutableNotificationContent()
        content.userInfo = [
            "data": Data([1]), "date": Date(timeIntervalSince1970: 0), "url": URL(fileURLWithPath: "/tmp"),
            "nan": Double.nan, "infinite": Float.infinity, 7: "number key", "nul": "a\0b", "k\0": 1,
            "deep": ["kept": 1, "data": Data()] as [String: Any], "list": [1, Data(), 2] as [Any],
            "none": String?.none as Any,
        ]
        let (payload, droppedPaths) = content.payload()
        #expect(payload.object == ["deep": ["kept": 1], "list": [1, 2]])
        #expect(
            droppedPaths.sorted() == [
                "(key that is no text)", "(key that is no text)", "data", "date", "deep.data", "infinite", "list[1]",
                "nan", "none", "nul", "url",
            ]
        )
    }

    @Test func `what is deeper than a payload may be is left out`() {
        var value: Any = 1
        for _ in 0..<15 { value = ["k": value] }
        let content = UNMutableNotificationContent()
        content.userInfo = ["ok": value]
        #expect(content.payload().droppedPaths == [])
        content.userInfo = ["ok": ["k": value]]
        #expect(content.payload().droppedPaths.count == 1)
        let bytes = content.payload().payload.serialized
        #expect(throws: Never.self) { try Payload(parsing: bytes.span) }
    }

    @Test func `setting one key keeps the others`() throws {
        let mutable = try #require(
            content(["aps": ["alert": "a", "x": [1]], "id": 1]).mutableCopy() as? UNMutableNotificationContent
        )
        mutable.userInfo["seen"] = true
        mutable.userInfo["id"] = nil
        #expect(mutable.payload().payload.object == ["aps": ["alert": "a", "x": [1]], "seen": true])
    }
}
