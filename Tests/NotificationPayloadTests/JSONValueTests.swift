// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct JSONValueTests {
    private static let kinds: [JSON] = [.null, true, 1, 1.5, "text", [], [:]]

    @Test func `an accessor answers for its own kind only`() {
        #expect(Self.kinds.map(\.bool) == [nil, true, nil, nil, nil, nil, nil])
        #expect(Self.kinds.map(\.integer) == [nil, nil, 1, nil, nil, nil, nil])
        #expect(Self.kinds.map(\.double) == [nil, nil, 1, 1.5, nil, nil, nil])
        #expect(Self.kinds.map(\.string) == [nil, nil, nil, nil, "text", nil, nil])
        #expect(Self.kinds.map(\.array) == [nil, nil, nil, nil, nil, [], nil])
        #expect(Self.kinds.map(\.object) == [nil, nil, nil, nil, nil, nil, [:]])
    }

    @Test(
        arguments: [
            (1.0, 1), (-0.0, 0), (1.5, nil), (9_223_372_036_854_775_807.0, nil), (-9_223_372_036_854_775_808.0, .min),
            (1e300, nil), (Double.nan, nil), (Double.infinity, nil),
        ] as [(Double, Int64?)]
    )
    func `a Double is an integer when nothing is lost`(double: Double, integer: Int64?) {
        #expect(JSON.double(double).integer == integer)
    }

    @Test func `values of different kinds differ`() {
        for (index, left) in Self.kinds.enumerated() {
            for (other, right) in Self.kinds.enumerated() {
                #expect((left == right) == (index == other))
            }
        }
    }

    @Test(
        arguments: [
            (1, 1.0, true), (0, -0.0, true), (1, 1.5, false), (.integer(.max), 9_223_372_036_854_775_807.0, false),
            (9_007_199_254_740_993, 9_007_199_254_740_992.0, false), (1, true, false), (0, nil, false),
            ("1", 1, false), ([1, 2], [1.0, 2.0], true), ([1, 2], [2, 1], false), ([1], [1, 1], false),
            (["a": 1, "b": 2], ["b": 2.0, "a": 1.0], true), (["a": 1], ["a": 1, "b": 2], false),
            (["a": 1, "b": nil], ["a": 1, "c": nil], false), (["a": nil], [:], false),
        ] as [(JSON, JSON, Bool)]
    )
    func `numbers compare by value and objects without order`(left: JSON, right: JSON, areEqual: Bool) {
        #expect((left == right) == areEqual)
        #expect((right == left) == areEqual)
    }

    @Test func `a key is replaced in its place, appended, or taken out`() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = "new"
        object["d"] = nil
        object["e"] = .null
        object["a"] = nil
        #expect(object.members.map(\.key) == ["b", "c", "e"])
        #expect(object["b"] == "new")
        #expect(object["e"] == .null)
        #expect(object["a"] == nil)
        #expect(object.count == 3)
        #expect(!object.isEmpty)
        #expect(JSONObject().isEmpty)
    }

    @Test func `of two equal keys in a literal the last wins`() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.members.map(\.key) == ["a", "b"])
        #expect(object["a"] == 3)
    }
}
